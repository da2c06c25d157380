// A run that yields a row a day from a world, keeps a checkpoint after each, and can wait on a day until a file exists, so that a
// test can end it in the middle.

import { existsSync, writeFileSync } from 'node:fs'
import { component, createWorld, f64, loadWorld, saveWorld, spawnMany, sumOf, u16 } from 'strata-ecs'
import { randomFloat } from 'strata-ecs/kernel'
import { defineRun } from '../../dist/define.js'

const Walker = component('Walker', { x: f64 })
const WALKERS = 100

export default defineRun({
  parameters: { days: 10, waitOnDay: 0, gate: '' },
  columns: { day: u16, distance: f64 },
  axis: 'day',
  checkpointSeconds: 0,
  *run({ seed, parameters: { days, waitOnDay, gate }, checkpoint, progress, resumed, log }) {
    const world = resumed ? loadWorld(resumed.save, { components: [Walker] }).world : createWorld()
    if (!resumed) spawnMany(world, WALKERS, [Walker])
    const walkers = world.query(Walker)
    const first = (resumed?.state.day ?? 0) + 1
    for (let day = first; day <= days; day++) {
      log(`day ${day}, first day ${first}`)
      for (const chunk of walkers) {
        const { x } = chunk.write(Walker)
        for (let i = chunk.start; i < chunk.end; i++) x[i] += randomFloat(seed + day, i) - 0.5
      }
      if (day === waitOnDay && !existsSync(gate)) {
        writeFileSync(`${gate}.waiting`, '')
        while (!existsSync(gate)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
      }
      yield { day, distance: sumOf(walkers, Walker, 'x') }
      progress(day / days)
      checkpoint(() => ({ save: saveWorld(world), state: { day } }))
    }
    if (gate !== '' && resumed) writeFileSync(`${gate}.resumed`, String(first))
    world.dispose()
  },
})
