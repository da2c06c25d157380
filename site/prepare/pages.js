// Owns the writing of the Markdown pages that VitePress reads: those of the repository with live programs, the front page,
// pages of sources. It must never change what a page says.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEMOS, FILES, addressOfDemo, placeOf, read } from '../pages.js'
import { PAGES, ROOT } from '../places.js'
import { sourcePage, sourcesOf } from './links.js'
import { withLivePrograms } from './programs.js'

/** Writes a page to its place. */
export function writePage(place, text) {
  const path = join(PAGES, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A section of the README, heading included, by its heading. */
function sectionOfReadme(heading) {
  const section = read('README.md')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`## ${heading}\n`))
  if (section === undefined)
    throw new Error(`site/front.md takes the section "${heading}" of README.md, which has none of that name.`)
  return section.trimEnd()
}

/** The front page: site/front.md with the sections of the README that it names. */
const frontPage = () =>
  read('site/front.md').replace(/^<!-- README: (.*) -->$/gm, (_, heading) => sectionOfReadme(heading))

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
  const files = [['README.md', frontPage()], ...FILES.map((file) => [file, read(file)])]
  const programs = []
  const sources = new Set()
  for (const [file, text] of files) {
    const page = withLivePrograms(withDemo(text, file), file, served)
    programs.push(...page.programs)
    for (const source of sourcesOf(text, file)) sources.add(source)
    writePage(placeOf(file), page.text)
  }
  for (const source of sources) writePage(...sourcePage(source))
  cpSync(join(ROOT, 'docs/images'), join(PAGES, 'docs/images'), { recursive: true })
  return programs
}
