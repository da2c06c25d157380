// Gives a test a module of its own: an AssemblyScript file compiled in a scratch folder, with the flags of docs/one-module.md and
// with nothing of this repository but strata-ecs in node_modules.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { isShort } from './proofs'
import { isChecked } from './world'

const root = fileURLToPath(new URL('../..', import.meta.url))

const guide = readFileSync(join(root, 'docs/one-module.md'), 'utf8').replaceAll('\\\n', '')
/** The commands of the guide: the release build, and the one with all asserts. */
const [release, checked] = [...guide.matchAll(/^npx asc cells\.ts (.*)$/gm)].map((match) =>
  (match[1] as string).replace('cells.wasm', 'simulation.wasm').split(/ +/),
) as [string[], string[]]

/**
 * The module of a file of this repository, or of a text. `more` flags come last; those of them that are in the guide
 * replace it. `quickly`: without optimising, as in `npm test`, where a compilation would take most of a test.
 */
export async function compileModule(
  source: string,
  more: readonly string[] = [],
  { quickly = isShort } = {},
): Promise<WebAssembly.Module> {
  const scratch = mkdtempSync(join(tmpdir(), 'strata-module-'))
  try {
    mkdirSync(join(scratch, 'node_modules'))
    symlinkSync(root, join(scratch, 'node_modules/strata-ecs'))
    if (source.endsWith('.ts')) copyFileSync(join(root, source), join(scratch, 'simulation.ts'))
    else writeFileSync(join(scratch, 'simulation.ts'), source)
    const flags = isChecked ? checked : release
    const replaced = (flag: string | undefined) => flag?.startsWith('--') === true && more.includes(flag)
    const given = flags.filter(
      (flag, i) => !replaced(flag) && !replaced(flags[i - 1]) && !(quickly && flag === '-O3'),
    )
    const { error, stderr } = await asc.main([
      'simulation.ts',
      ...given,
      ...more,
      ...(quickly ? ['-O0'] : []),
      '--baseDir',
      scratch,
    ])
    if (error !== null) throw new Error(stderr.toString(), { cause: error })
    return new WebAssembly.Module(readFileSync(join(scratch, 'simulation.wasm')))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
