// The small program whose weight the guide tells: what it imports from the package, and what it does.

const SMALL_NAMES = ['component', 'createWorld', 'f32', 'not', 'tag']

const SMALL = `
const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Frozen = tag('Frozen')
const world = createWorld()
world.spawn(Position({ x: 1 }), Velocity)
const moving = world.query(Position, Velocity, not(Frozen))
for (const chunk of moving) {
  const { x } = chunk.write(Position)
  const { x: vx } = chunk.read(Velocity)
  for (let i = chunk.start; i < chunk.end; i++) x[i] += vx[i]
}
moving.each((_, position, velocity) => { position.y += velocity.y })
console.log(moving.count)
`

/**
 * The small program, with more in it.
 *
 * @param more names that are imported in addition
 * @param statement what is done with them at the end
 */
export function smallProgram(more = [], statement = '') {
  const names = new Set([...SMALL_NAMES, ...more])
  return `import { ${[...names].join(', ')} } from 'strata-ecs'${SMALL}${statement}`
}
