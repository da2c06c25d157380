// Owns the demos inside of the site: pages of the examples, and the benchmark for browsers, each in a folder of its own. It
// must never change what they do: only their links lead to pages of the site.

import { join } from 'node:path'
import { buildPage as buildExample } from '../../examples/servePage.js'
import { buildPage as buildBenchmark } from '../../bench/page/build.js'
import { DEMOS } from '../pages.js'
import { PUBLIC } from '../places.js'

const folderOf = (name) => join(PUBLIC, 'demos', name)

/** Where a demo links to a file of the repository, it links to its page. */
const LINKS = { './README.md': '../../index.html', './rollback.md': '../../docs/rollback.html' }

const linksToPages = {
  name: 'links-to-pages',
  transformIndexHtml: (html) =>
    Object.entries(LINKS).reduce(
      (text, [from, to]) => text.replaceAll(`href="${from}"`, `href="${to}"`),
      html,
    ),
}

/** Builds all of them. Needs the kernels and the packages of the benchmark. */
export async function writeDemos() {
  for (const name of Object.keys(DEMOS)) {
    if (name === 'benchmark') await buildBenchmark(folderOf(name))
    else await buildExample(name, folderOf(name), [linksToPages])
  }
}
