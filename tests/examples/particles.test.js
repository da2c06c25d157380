// Owns: the promises of examples/particles: repeatable, kernels equal to loops, sparks that come and go, clear complaints.
// Must never: test the engine's or the compiler's own behaviour, which have their tests beside this one.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { checkedCore } from 'strata-ecs/checked'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checksum } from '../../examples/particles/checksum.js'
import { Position } from '../../examples/particles/components.js'
import { NEAR, agreement, columnsOf } from '../../examples/particles/compare.js'
import { kernelsOf } from '../../examples/particles/kernels.js'
import { plainLoops } from '../../examples/particles/loops.js'
import { encodePng } from '../../examples/particles/png.js'
import { roundedLoops } from '../../examples/particles/rounded-loops.js'
import { median, run } from '../../examples/particles/run.js'
import {
  FASTEST,
  LONGEST_LIFE,
  NOZZLE_HEIGHT,
  SECONDS_PER_FRAME,
  SHORTEST_LIFE,
  WALL,
} from '../../examples/particles/settings.js'
import { createSimulation } from '../../examples/particles/simulation.js'

// No multiple of four: the last drops of a chunk do not fill the lanes.
const DROPS = 20_011
const FRAMES = 150
// Changes whenever the model does. It must be the same for every core, machine and Node version.
const RECORDED = '9d1e1062'

const root = fileURLToPath(new URL('../..', import.meta.url))
let kernels

beforeAll(async () => {
  const source = 'examples/particles/particles.kernel.ts'
  execFileSync(process.execPath, ['dist/strata-kernels.js', 'build', source, '--out', 'build/particles'], {
    cwd: root,
  })
  kernels = kernelsOf(await import('../../build/particles/particles.kernel.js'))
})

function simulate(innerLoops, { seed = 7, particles = DROPS, frames = FRAMES, module } = {}) {
  const simulation = createSimulation({ particles, seed, innerLoops, module })
  const { frames: figures } = run(simulation, frames)
  return { simulation, figures, checksum: checksum(simulation, figures) }
}

describe('the fountain', () => {
  let withKernels
  beforeAll(() => {
    withKernels = simulate(kernels)
  })

  it('gives the recorded checksum with kernels', () => {
    expect(withKernels.checksum).toBe(RECORDED)
  })

  it('gives the same checksum with loops that round as WebAssembly does', () => {
    expect(simulate(roundedLoops).checksum).toBe(RECORDED)
  })

  it('gives the same checksum over the checked core', () => {
    expect(simulate(kernels, { module: checkedCore() }).checksum).toBe(RECORDED)
  })

  it.each([1, 2, 3, 4, 5, 7, 63])('is equal to the last bit with %i drops', (particles) => {
    const options = { particles, frames: 400 }
    expect(simulate(kernels, options).checksum).toBe(simulate(roundedLoops, options).checksum)
  })

  it('gives another checksum for another seed', () => {
    expect(simulate(kernels, { seed: 8 }).checksum).not.toBe(RECORDED)
  })

  it('agrees with plain loops within the tolerance, and not to the last bit', () => {
    const { simulation, figures, checksum } = simulate(plainLoops)
    expect(agreement(withKernels.simulation, simulation)).toMatchObject({ agrees: true })
    expect(checksum).not.toBe(RECORDED)
    const counts = ({ reborn, lit, burnt, sparks, light }) => ({ reborn, lit, burnt, sparks, light })
    expect(figures.map(counts)).toEqual(withKernels.figures.map(counts))
  })

  it('keeps all drops, and as many sparks as were lit and have not burnt out', () => {
    let sparks = 0
    for (const { lit, burnt, sparks: found } of withKernels.figures) {
      sparks += lit - burnt
      expect(found).toBe(sparks)
    }
    const { drops, world } = withKernels.simulation
    expect(drops.count).toBe(DROPS)
    expect(world.stats().entities).toBe(DROPS + sparks)
  })

  it('lets drops be reborn and sparks burn out, so that the comparison means something', () => {
    const total = (figure) => withKernels.figures.reduce((sum, frame) => sum + frame[figure], 0)
    expect(total('reborn')).toBeGreaterThan(DROPS / 3)
    expect(total('burnt')).toBeGreaterThan(DROPS / 50)
    const { x, y, left } = columnsOf(withKernels.simulation.drops)
    expect(Math.max(...x)).toBeGreaterThan(WALL * 0.9)
    expect(Math.min(...left)).toBeGreaterThan(0)
    expect(Math.min(...y)).toBeGreaterThanOrEqual(0)
    for (const value of x) expect(Math.abs(value)).toBeLessThanOrEqual(WALL)
  })

  it('lets a drop that dies come out of the nozzle within the frame, with a whole life before it', () => {
    const { simulation } = simulate(kernels, { frames: 30 })
    const before = columnsOf(simulation.drops)
    const { reborn } = simulation.runFrame()
    const after = columnsOf(simulation.drops)
    const died = Array.from(before.left.keys()).filter((i) => before.left[i] <= SECONDS_PER_FRAME)
    expect(died).toHaveLength(reborn)
    expect(died.length).toBeGreaterThan(20)
    for (const i of died) {
      const way = Math.hypot(after.x[i], after.y[i] - NOZZLE_HEIGHT)
      expect(way).toBeLessThanOrEqual(FASTEST * SECONDS_PER_FRAME * 1.0001)
      expect(after.left[i]).toBeGreaterThan(SHORTEST_LIFE - SECONDS_PER_FRAME)
      expect(after.left[i]).toBeLessThanOrEqual(LONGEST_LIFE)
    }
  })
})

describe('the comparison', () => {
  it('tells equal simulations from those with a particle in another place, or with another life', () => {
    const one = simulate(roundedLoops, { particles: 500, frames: 40 }).simulation
    const other = simulate(roundedLoops, { particles: 500, frames: 40 }).simulation
    expect(agreement(one, other)).toEqual({ agrees: true, particles: 508, apart: 0, farthest: 0 })

    const [first, second] = other.drops.entities()
    const at = other.world.accessor(Position)
    at.of(first).x += NEAR * 2
    at.of(second).y = NaN
    expect(agreement(one, other)).toMatchObject({ agrees: false, apart: 2, farthest: NaN })

    other.sparks.destroy()
    expect(agreement(one, other).agrees).toBe(false)
  })

  it('takes the middle of the times', () => {
    expect(median([5, 1, 9])).toBe(5)
    expect(median([4, 1, 9, 2])).toBe(3)
  })
})

describe('the picture', () => {
  it('is a PNG with the pixels that were given', () => {
    const pixels = Uint8Array.from({ length: 3 * 2 * 3 }, (_, k) => (k * 37) & 0xff)
    expect(decodePng(encodePng(3, 2, pixels))).toEqual({ width: 3, height: 2, pixels })
  })
})

/** Width, height and pixels of a PNG with three channels and no filters but 'up'. */
function decodePng(file) {
  const chunks = new Map()
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    chunks.set(file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND'])
  // The checksum of a chunk without data is known.
  expect(file.toString('hex', file.length - 4)).toBe('ae426082')
  const header = chunks.get('IHDR')
  expect([...header.subarray(8)]).toEqual([8, 2, 0, 0, 0])
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const lines = inflateSync(chunks.get('IDAT'))
  const pixels = new Uint8Array(width * height * 3)
  for (let line = 0; line < height; line++) {
    expect(lines[line * (width * 3 + 1)]).toBe(2)
    for (let k = 0; k < width * 3; k++) {
      const above = line === 0 ? 0 : pixels[(line - 1) * width * 3 + k]
      pixels[line * width * 3 + k] = above + lines[line * (width * 3 + 1) + 1 + k]
    }
  }
  return { width, height, pixels }
}

describe('the command line', () => {
  const outFolder = mkdtempSync(join(tmpdir(), 'particles-'))
  afterAll(() => rmSync(outFolder, { recursive: true }))

  it.concurrent.each([
    [['--particles', 'abc'], /--particles.*'abc' is invalid.*whole number from 1 to/],
    [['--particles', '0'], /--particles.*'0' is invalid/],
    [['--frames', '1.5'], /--frames.*'1.5' is invalid/],
    [['--seed', '-1'], /--seed.*'-1' is invalid/],
    [['--kernels', '--loops'], /'--kernels' cannot be used with option '--loops'/],
    [['--loops', '--rounded'], /'--loops' cannot be used with option '--rounded'/],
    [['--out', 'package.json/out'], /'package.json\/out' cannot be written/],
    [['--colour'], /unknown option '--colour'/],
  ])('refuses %j with a sentence and exit code 1', async (options, complaint) => {
    const { code, stdout, stderr } = await particles(options)
    expect(stderr).toMatch(complaint)
    expect(stderr).not.toMatch(/\bat .*\.js:/)
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  it.concurrent.each(['--kernels', '--loops', '--rounded'])(
    'reports, draws and compares, beginning with %s',
    async (chosen) => {
      const out = join(outFolder, chosen)
      const options = ['--particles', '3000', '--frames', '40', '--out', out, '--compare', chosen]
      const { code, stdout, stderr } = await particles(options)
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`Frame .* ms with ${chosen.slice(2)}`))
      expect(stdout).toMatch(/Systems .*motion \d+\.\d+ ms .*census/)
      expect(stdout).toMatch(/Equal .*to the last bit/)
      expect(stdout).toMatch(/Near .*lives and heats are equal/)
      expect(stderr).toMatch(/frame 40\/40/)
      const picture = decodePng(readFileSync(join(out, 'particles.png')))
      expect(picture).toMatchObject({ width: 1600, height: 900 })
      expect(new Set(picture.pixels).size).toBeGreaterThan(100)
    },
  )
})

function particles(options) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['examples/particles/main.js', ...options],
      { cwd: root },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr })
      },
    )
  })
}
