// Owns the writing of the Markdown pages that VitePress reads: those of the repository with live programs, the front page,
// pages of sources. It must never change what a page says.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEMOS, FILES, FRONT, addressOfDemo, placeOf, read } from '../pages.js'
import { PAGES, PUBLIC, ROOT } from '../places.js'
import { sourcePage, sourcesOf } from './links.js'
import { withLivePrograms } from './programs.js'

/** Writes a page to its place. */
export function writePage(place, text) {
  const path = join(PAGES, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The section of a text below a heading, which is included. */
function sectionOf(text, heading) {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`))
  if (section === undefined)
    throw new Error(`${FRONT} takes the section "${heading}" of README.md, which has none of that name.`)
  return section.trimEnd()
}

/** The front page: front.md with the sections of the README that it names. */
const frontPage = (readme) =>
  read(FRONT).replace(/^<!-- README: (.*) -->$/gm, (_, heading) => sectionOf(readme, heading))

/** The page of an example that is a demo begins with the way to it. */
function withDemo(text, file) {
  const name = /^examples\/(\w+)\//.exec(file)?.[1]
  if (!Object.hasOwn(DEMOS, name ?? '')) return text
  return text.replace(/^# .*$/m, `$&\n\n[Open it in this browser](${addressOfDemo(name)}){target="_self"}`)
}

/**
 * Writes all pages.
 *
 * @param served the names of the modules that the site serves
 * @returns the live programs
 */
export function writePages(served) {
  const programs = []
  const sources = new Set()
  for (const file of ['README.md', ...FILES]) {
    const page = withLivePrograms(read(file), file, served)
    const text = file === 'README.md' ? frontPage(page.text) : withDemo(page.text, file)
    programs.push(...page.programs)
    for (const source of sourcesOf(text, file)) sources.add(source)
    writePage(placeOf(file), text)
  }
  for (const source of sources) writePage(...sourcePage(source))
  cpSync(join(ROOT, 'docs/images'), join(PAGES, 'docs/images'), { recursive: true })
  cpSync(join(ROOT, 'packages/site/images'), PUBLIC, { recursive: true })
  return programs
}
