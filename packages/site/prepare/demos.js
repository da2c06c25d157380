// Owns the demos inside of the site: pages of the examples, and the benchmark for browsers, each in a folder of its own. It
// must never change what they do: only their links lead to pages of the site, and one of them back.

import { join } from 'node:path'
import { buildPage as buildExample } from '../../../examples/servePage.js'
import { buildPage as buildBenchmark } from '../../../bench/page/build.js'
import { DEMOS } from '../pages.js'
import { PUBLIC } from '../places.js'

const folderOf = (name) => join(PUBLIC, 'demos', name)

/** Where a demo links to a file of the repository, it links to its page. */
const LINKS = { './README.md': '../../index.html', './rollback.md': '../../docs/rollback.html' }

const withLinksToPages = (html) =>
  Object.entries(LINKS).reduce((text, [from, to]) => text.replaceAll(`href="${from}"`, `href="${to}"`), html)

/** The way back of a demo that has none of its own: small, in a corner that all of them leave free. */
const BACK =
  '<a href="../../index.html" style="position:fixed;z-index:9;right:0;bottom:0;padding:6px 10px;border-top-left-radius:8px;' +
  'background:#10151fcc;color:#cfe0ff;font:13px/1.4 system-ui,sans-serif;text-decoration:none">← strata-ecs</a>'

/** A demo as a page of the site: its links lead to pages, and one of them back. */
export function onSite(html) {
  const linked = withLinksToPages(html)
  return linked.includes('href="../../') ? linked : linked.replace('</body>', `${BACK}</body>`)
}

const linksToPages = { name: 'links-to-pages', transformIndexHtml: onSite }

/** Builds all of them. Needs the kernels and the packages of the benchmark. */
export async function writeDemos() {
  for (const name of Object.keys(DEMOS)) {
    if (name === 'benchmark') await buildBenchmark(folderOf(name), [linksToPages])
    else await buildExample(name, folderOf(name), [linksToPages])
  }
}
