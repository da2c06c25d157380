// The program whose loop runs on several threads: whether it was divided, and whether the world is what one thread makes of it.

/**
 * @param modules 'strata-ecs', 'strata-ecs/compile' and 'strata-ecs/workers', which a worker names by their paths
 * @param options those of workers()
 */
export async function divide(
  { component, createWorld, digestWorld, f32, spawnMany },
  { compile },
  { workers },
  options,
) {
  const Position = component('Position', { x: f32 })
  const grow = compile([Position], (position) => {
    let x = position.x
    for (let i = 0; i < 30; i++) x = Math.sqrt(x * x + 1)
    position.x = x
  })
  const pool = workers({ count: 2, ...options })
  const worlds = [createWorld(), createWorld({ workers: pool })]
  for (const world of worlds) spawnMany(world, 30_000, [Position({ x: 1 })])
  await pool.ready
  const divided = () => pool.stats().kernels.some((kernel) => kernel.divided > 0)
  // Other programs may have the processors for a while.
  const end = performance.now() + 10_000
  do {
    for (const world of worlds) world.query(Position).run(grow)
  } while (pool.stats().why === undefined && !divided() && performance.now() < end)
  const [plain, shared] = worlds.map((world) => digestWorld(world))
  const answer = { why: pool.stats().why, divided: divided(), same: plain === shared }
  pool.dispose()
  return answer
}
