// The package as a stranger gets it: packed by npm, and unpacked into the node_modules of a project without asking npm again.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '../..')
/** Files of a tarball stand in blocks of this size, each behind a block that says its name and size. */
const BLOCK = 512
const EXECUTABLE = 0o755

/** Packs this repository into a folder; returns the path of the tarball and the files that npm says are in it. */
export function packInto(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, files }] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }))
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) }
}

/** Installs a tarball into a project: its files, and its commands in node_modules/.bin. */
export function unpackInto(project, tarball) {
  const installed = join(project, 'node_modules/strata-ecs')
  for (const { name, content } of filesOf(gunzipSync(readFileSync(tarball)))) {
    // npm puts everything into a folder 'package'.
    const path = join(installed, name.slice(name.indexOf('/') + 1))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  for (const [command, file] of Object.entries(bin)) {
    chmodSync(join(installed, file), EXECUTABLE)
    symlinkSync(join('../strata-ecs', file), join(project, 'node_modules/.bin', command))
  }
}

function* filesOf(tar) {
  const textAt = (start, length) => tar.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  for (let at = 0; tar[at] !== 0 && at < tar.length;) {
    const size = parseInt(textAt(at + 124, 12), 8)
    const kind = textAt(at + 156, 1)
    if (kind !== '0' && kind !== '') throw new Error(`The tarball has an entry of kind ${kind}.`)
    const prefix = textAt(at + 345, 155)
    const name = prefix === '' ? textAt(at, 100) : `${prefix}/${textAt(at, 100)}`
    const start = at + BLOCK
    yield { name, content: tar.subarray(start, start + size) }
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
}
