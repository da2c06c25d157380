// Owns the list of source files in docs/architecture.md: each file with the first sentence of its opening comment.
// It must never say more of a file than the file says of itself.
//
//   node scripts/architecture-files.js           writes the list between the marks on the page
//   node scripts/architecture-files.js --check   writes nothing; exit code 1 when the page is out of date

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = join(ROOT, 'docs/architecture.md')
const FOLDERS = ['assembly', 'bindings', 'compiler']
const START = '<!-- files:start -->'
const END = '<!-- files:end -->'

/**
 * What a source file owns: the first sentence of its opening comment, without the word "Owns".
 *
 * @param source the text of the file
 * @param file its path, for the error
 * @throws {Error} when the file does not open with a comment that begins with "Owns"
 */
export function ownedBy(source, file) {
  const opening = /^(?:#!.*\n\s*)?((?:\/\/.*\n)+)/.exec(source)?.[1] ?? ''
  const lines = opening.split('\n').map((line) => line.replace(/^\/\/ ?/, '').trim())
  const end = lines.indexOf('')
  const paragraph = lines.slice(0, end).join(' ')
  const sentence = /^Owns (.+?)\.?(?:(?<=\.) |$)/.exec(paragraph)?.[1]
  if (sentence === undefined) {
    throw new Error(`${file} must open with a comment that says what it owns: // Owns …`)
  }
  return sentence
}

/** The page with the list between its marks made anew from the sources. */
export function withFiles(page) {
  const from = page.indexOf(START)
  const to = page.indexOf(END)
  if (from < 0 || to < from) throw new Error(`docs/architecture.md must have the marks ${START} and ${END}.`)
  return `${page.slice(0, from + START.length)}\n\n${listOfFiles()}\n\n${page.slice(to)}`
}

function listOfFiles() {
  return FOLDERS.flatMap((folder) => {
    const files = readdirSync(join(ROOT, folder), { recursive: true })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.ts'))
      .sort()
    const lines = files.map(
      (file) => `- \`${file}\`: ${ownedBy(readFileSync(join(ROOT, file), 'utf8'), file)}`,
    )
    return [`### ${folder}/`, lines.join('\n')]
  }).join('\n\n')
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(PAGE, 'utf8')
  const current = withFiles(page)
  if (page === current) stdout.write('The list of files in docs/architecture.md is up to date.\n')
  else if (argv.includes('--check')) {
    stderr.write('The list of files in docs/architecture.md is out of date: run npm run docs:files.\n')
    process.exitCode = 1
  } else {
    writeFileSync(PAGE, current)
    stdout.write('The list of files in docs/architecture.md was refreshed.\n')
  }
}
