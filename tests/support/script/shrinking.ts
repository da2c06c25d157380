// Makes a short script of one that fails: it leaves out halves, quarters, and at last single steps, as long as what is left still
// fails. fast-check would try numbers of single steps first, which takes many minutes for a long script. Only STRATA_SHRINK=1
// asks for it.

import { type Step, nameOf } from './session'

const isAsked = globalThis.process?.env?.['STRATA_SHRINK'] !== undefined
const MILLISECONDS = 60_000

/** Runs a script; if that fails, and STRATA_SHRINK asks for it, throws what the shortest script fails with that it finds. */
export function runScript(script: readonly Step[], run: (script: readonly Step[]) => void): void {
  runSteps(script, run, (step) => `${nameOf(step)}: [${step.join(', ')}]`)
}

/** runScript for steps of any kind. */
export function runSteps<S>(
  script: readonly S[],
  run: (script: readonly S[]) => void,
  describe: (step: S) => string,
): void {
  const error = errorOf(script, run)
  if (error === undefined) return
  if (!isAsked) throw error
  const short = shortened(script, (part) => errorOf(part, run) !== undefined)
  const steps = short.map((step) => `  ${describe(step)}`)
  throw new Error(`${String(errorOf(short, run))}\nwith ${short.length} steps:\n${steps.join('\n')}`)
}

function errorOf<S>(script: readonly S[], run: (script: readonly S[]) => void): unknown {
  try {
    run(script)
    return undefined
  } catch (error) {
    return error
  }
}

function shortened<S>(script: readonly S[], fails: (script: readonly S[]) => boolean): readonly S[] {
  const end = performance.now() + MILLISECONDS
  let short = script
  for (let size = short.length >> 1; size >= 1; size = size > 1 ? size >> 1 : 0) {
    // Once more while single steps can be left out.
    let before
    do {
      before = short.length
      for (let at = 0; at < short.length && performance.now() < end;) {
        const part = [...short.slice(0, at), ...short.slice(at + size)]
        if (fails(part)) short = part
        else at += size
      }
    } while (size === 1 && short.length < before && performance.now() < end)
  }
  return short
}
