// Owns where a link of a Markdown file leads on the site: to a page where there is one, else to a page that shows the source.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { FILES, placeOf, read } from '../pages.js'
import { ROOT } from '../places.js'

/** Addresses, pictures of the text itself, and headings of the same page stay as they are. */
const isOurs = (target) => !/^(?:[a-z]+:|#|\/)/.test(target)

/** The file in the repository to which a link of another file leads; undefined when it leads elsewhere. */
function fileOf(target, from) {
  if (!isOurs(target)) return undefined
  const path = posix.join(posix.dirname(from), decodeURI(target.split('#')[0]))
  const inside = posix.join(path, 'README.md')
  if (FILES.includes(inside)) return inside
  if (!existsSync(join(ROOT, path))) throw new Error(`${from} links to ${target}, which is not there.`)
  return path.replace(/\/$/, '')
}

const sourceOf = (file) => `source/${file}.md`

/** Where a file of the repository is shown, as an address of the site. */
export function addressOf(file) {
  if (file === 'README.md') return '/'
  return `/${FILES.includes(file) ? placeOf(file) : sourceOf(file)}`
}

/**
 * A link as the site needs it.
 *
 * @param target as the file has it
 * @param from the path of the file in the repository
 * @throws {Error} when it leads to a file that is not there
 */
export function linkOnSite(target, from) {
  const file = fileOf(target, from)
  if (file === undefined) return target
  const anchor = target.split('#')[1]
  return addressOf(file) + (anchor === undefined ? '' : `#${anchor}`)
}

const LANGUAGES = { '.md': 'md', '.ts': 'ts', '.js': 'js', '.json': 'json', '.html': 'html', '.css': 'css' }

/** The page that shows a file or lists a folder: [path, text]. */
export function sourcePage(file) {
  const isFolder = statSync(join(ROOT, file)).isDirectory()
  const text = isFolder ? readdirSync(join(ROOT, file)).sort().join('\n') : read(file).trimEnd()
  const language = LANGUAGES[extname(file)] ?? 'text'
  const page = `---\nsearch: false\neditLink: false\noutline: false\n---\n\n# ${posix.basename(file)}\n\n\`${file}\`\n\n`
  return [sourceOf(file), `${page}\`\`\`\`\`${language}\n${text}\n\`\`\`\`\`\n`]
}

/** The links and pictures of a text, fenced blocks left out. */
export function linksIn(text) {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map((match) => ({
    target: match[2],
    isPicture: match[1] === '!',
  }))
}

/** The files of the repository that a text links to and that are no pages of their own. */
export const sourcesOf = (text, from) =>
  linksIn(text)
    .filter(({ isPicture }) => !isPicture)
    .map(({ target }) => fileOf(target, from))
    .filter((file) => file !== undefined && file !== 'README.md' && !FILES.includes(file))
