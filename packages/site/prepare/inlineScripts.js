// Owns that no page has a script inside of its HTML: a content security policy without 'unsafe-inline' lets the site run.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASE, SITE } from '../places.js'

const INLINE = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g

/** Writes the scripts of a page to files of their own, named by what they hold. Returns the page that loads them. */
export function withScriptsInFiles(html) {
  return html.replace(INLINE, (_, attributes, script) => {
    const name = `assets/inline-${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`
    mkdirSync(join(SITE, 'assets'), { recursive: true })
    writeFileSync(join(SITE, name), script)
    return `<script${attributes} src="${BASE}${name}"></script>`
  })
}
