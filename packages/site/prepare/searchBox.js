// Owns that the search box of VitePress takes the options of packages/site/search.js. Its own settings are data of the page: functions
// among them would be made of text there, which the content security policy forbids.

import { fileURLToPath } from 'node:url'

const OPTIONS = fileURLToPath(new URL('../search.js', import.meta.url)).replaceAll('\\', '/')
const PLACE = 'boost: { title: 4, text: 2, titles: 1 },'

/**
 * The text of the box with the options.
 *
 * @throws {Error} when this version of VitePress has another box
 */
export function withSearchOptions(text) {
  const changed = text
    .replace(PLACE, `${PLACE} ...siteSearchOptions,`)
    .replace(
      /<script\b[^>]*\bsetup\b[^>]*>/,
      `$&\nimport { searchOptions as siteSearchOptions } from '${OPTIONS}'`,
    )
  if (changed.split('siteSearchOptions').length !== 3)
    throw new Error(`The search box of VitePress has no "${PLACE}": see packages/site/prepare/searchBox.js.`)
  return changed
}

/** A plugin of Vite. */
export const searchBox = {
  name: 'search-box',
  enforce: 'pre',
  transform: (text, id) => (id.endsWith('/VPLocalSearchBox.vue') ? withSearchOptions(text) : undefined),
}
