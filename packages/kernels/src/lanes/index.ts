// Owns the entry to the translation into lanes: the AssemblyScript that runs kernels over `Lanes` four rows at a time.

import { KernelSourceError, type KernelSourceProblem } from '../../../compile/src/ahead/sourceError'
import type { KernelSignature } from '../signatures'
import type { ParsedSource } from '../syntax'
import { Helpers } from './helpers'
import { KernelFile } from './kernelFile'
import { KernelTwin } from './kernelTwin'

/** The twins of a file's kernels. */
export interface LaneTwins {
  /** AssemblyScript to stand behind the file's own text; '' when no kernel is over `Lanes`. */
  readonly text: string
  /** The function to call for each kernel over `Lanes`, by the kernel's name: it takes what the kernel takes. */
  readonly callees: ReadonlyMap<string, string>
}

/**
 * Writes the twins of all kernels over `Lanes`. Every name that they add to the file begins with two underscores.
 *
 * @throws KernelSourceError with the first place in each kernel that cannot run in lanes
 */
export function laneTwins(source: ParsedSource, kernels: readonly KernelSignature[]): LaneTwins {
  const file = new KernelFile(source)
  const helpers = new Helpers(file)
  const problems: KernelSourceProblem[] = []
  const callees = new Map<string, string>()
  let text = ''
  for (const kernel of kernels) {
    if (!kernel.lanes) continue
    const twin = new KernelTwin(file, helpers, kernel)
    try {
      text += twin.text()
      callees.set(kernel.name, twin.callee)
    } catch (error) {
      if (!(error instanceof KernelSourceError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new KernelSourceError(problems)
  if (callees.size === 0) return { text: '', callees }
  const imports = `
import * as __library from 'strata-ecs/kernel'
import * as __rows from 'strata-ecs/kernel/rows'
`
  return { text: imports + helpers.text() + text, callees }
}
