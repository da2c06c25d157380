// Plays a random script of calls on a world, and says line by line what came of it: for scripts/twins.js, which plays the same scripts
// over another build of the library. The script is that of what is heard: see heard/script.ts.

import { createWorld, digestWorld, type World } from '../../bindings/index'
import { type Entry, sentenceOf } from './heard/calls'
import { HeardScript, type Witness } from './heard/script'
import { randomFrom } from './heard/shares'
import { leaveFree } from './scarcity'

/** After so many steps the whole world is looked at. */
const LOOKS = 8
const MEMORY = { initial: 2 ** 20, maximum: 2 ** 20 }

interface Inside {
  readonly state: { readonly heap: { readonly u8: Uint8Array } }
}

/** Bytes of memory in a number. */
function hashOf(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] as number), 0x01000193)
  return hash >>> 0
}

const sentence = (failure: unknown): string => {
  if (failure === undefined) return ''
  const { code, message } = failure as { code?: string; message?: string }
  return ` throws ${code ?? ''} ${message ?? JSON.stringify(failure)}`
}

/**
 * What a script does, in lines: each call with what it returned or threw, what listeners were told and saw, and now and then all rows
 * in their order, and the memory.
 *
 * @param free so many KiB of memory are left to the world; -1 for as many as it asks for
 * @param comparesMemory whether bytes of memory are in the lines
 */
export function play(seed: number, steps: number, free: number, comparesMemory: boolean): string[] {
  const lines: string[] = []
  const world = createWorld(free < 0 ? {} : { memory: MEMORY })
  let told = 0
  const witness: Witness = (calls, failure, log) => {
    for (const call of calls) lines.push(`  calls ${sentenceOf(call)}`)
    if (failure !== undefined) lines.push(`  ${sentence(failure)}`)
    for (; told < log.length; told++) {
      const { by, entity, seen } = log[told] as Entry
      lines.push(`  tells ${by} ${entity} ${seen}`)
    }
  }
  const script = new HeardScript(world, seed, { witness })
  if (free >= 0) leaveFree(world, free)
  const random = randomFrom(seed ^ 0x5bd1e995)
  for (let step = 0; step < steps; step++) {
    lines.push(`step ${step}`)
    script.run([[random(0x7fffffff), random(0x7fffffff)]])
    if (step % LOOKS === 0) lines.push(...looked(world, script, comparesMemory))
  }
  script.end()
  return lines
}

function looked(world: World, { real }: HeardScript, comparesMemory: boolean): string[] {
  const rows = real.queries.map((query, n) => `  query ${n}: ${[...query.entities()].join()}`)
  const last = real.handles.slice(-120).map((handle) => `  ${handle}: ${real.described(handle)}`)
  const memory = comparesMemory ? [`  memory ${hashOf((world as unknown as Inside).state.heap.u8)}`] : []
  return [...rows, ...last, `  digest ${String(digestWorld(world))}`, ...memory]
}
