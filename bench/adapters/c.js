// Owns the C baseline: the case `loop` as C compiles it, over the same kind of arrays as the hand-written loops. It must
// never be imported where native/build.js has built nothing.
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { OPTIONS, loadNative } from '../native/build.js'

export const label = 'C'
export const packageName = undefined
export const uses =
  'One loop over six contiguous arrays that are said not to overlap, compiled on this machine: what its ' +
  'processor can do with 128-bit SIMD. Called from JavaScript once a sample.'

const native = loadNative()

function loop(size) {
  const columns = [startX, () => 0, () => 0, velocityX, velocityY, velocityZ].map((valueOf) =>
    Float32Array.from({ length: size }, (_, i) => valueOf(i)),
  )
  native.bind(...columns)
  return {
    run: () => native.run(1, DT),
    runMany: (frames) => native.run(frames, DT),
    result: () => Array.from({ length: size * 3 }, (_, k) => columns[k % 3][Math.floor(k / 3)]),
  }
}

export const ways = { loop: { [`restrict, ${OPTIONS.join(' ')}`]: loop } }
