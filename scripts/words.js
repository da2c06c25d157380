// Owns the check of words that our English tends to slip into: in comments of the library and in its docs, each may be in as many lines
// as it was when it was counted last, and not in more; titles of tests have none of the words in title-words.js.
// Run by `npm run lint`.

import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PUBLISHED } from './build.js'
import { refusedTitles } from './title-words.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The word, what to say in its place, and in how many lines it may stand: lower it when you have mended some. */
const WORDS = [
  [/\banew\b/, 'again', 0],
  [/\btold of\b/, 'notified, reported', 0],
  [/\b(?:is|are) none\b/, 'does not exist', 70],
  [/\bbehind\b/, 'after', 63],
  [/\bthose that\b/, 'name what they are', 78],
  [/\b(?:whoever|somebody|nobody)\b/i, 'name who', 29],
  [/\bhears? of\b/, 'listen for', 0],
  [/\b(?:come|comes) forward\b/, 'register', 0],
  [/\bfor want of\b/, 'without', 0],
  [/\blets? (?:it |them |\w+ )?go\b/, 'free, release', 0],
  [/\bin turn\b/, 'then', 9],
]

const FOLDERS = ['bindings', 'assembly', 'docs', ...PUBLISHED]
const filesIn = (folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`)
const read = (path) => readFileSync(`${ROOT}${path}`, 'utf8')
const isComment = (line) => /^\s*(?:\/\/|\/?\*)/.test(line)

const found = WORDS.map(() => [])
for (const path of [...FOLDERS.flatMap(filesIn), 'README.md', 'CONTRIBUTING.md']) {
  if (!/\.(?:ts|md)$/.test(path)) continue
  const lines = read(path).split('\n')
  lines.forEach((line, i) => {
    if (!path.endsWith('.md') && !isComment(line)) return
    WORDS.forEach(([word], k) => word.test(line) && found[k].push(`${path}:${i + 1}  ${line.trim()}`))
  })
}

WORDS.forEach(([word, instead, most], k) => {
  if (process.argv.includes('--count')) console.log(found[k].length, String(word))
  else if (found[k].length > most) {
    console.error(
      `${word}: in ${found[k].length} lines, ${most} before. Say ${instead}.\n${found[k].join('\n')}\n`,
    )
    process.exitCode = 1
  }
})

const testFolders = ['tests', ...readdirSync(`${ROOT}packages`).map((name) => `packages/${name}/tests`)]
for (const path of testFolders.flatMap(filesIn)) {
  if (!/\.(?:test|jest)\.m?[jt]s$/.test(path)) continue
  for (const refusal of refusedTitles(read(path))) {
    console.error(`${path}:${refusal}`)
    process.exitCode = 1
  }
}
