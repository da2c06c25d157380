// Owns the order in which test files run: those that take minutes begin first, so that no processor idles at the end beside one that
// began last. It must never leave a file out.

import { BaseSequencer } from 'vitest/node'

/** What takes more than a minute in a part of the tests, the longest first: file and suite. */
export const LONGEST = [
  ['site/site.test.js', 'release'],
  ['whole/model.proof.test.ts', 'small'],
  ['whole/model.proof.test.ts', 'release'],
  ['examples/swarm.browser.test.js', 'release'],
  ['repository/size.test.js', 'release'],
  ['events/growth.measured.test.ts', 'measured'],
  ['whole/growth.measured.test.js', 'measured'],
  ['whole/exhaustion.alone.proof.test.ts', 'release alone'],
]

const placeOf = ({ moduleId, project }) => {
  const place = LONGEST.findIndex(
    ([file, suite]) => moduleId.endsWith(`/tests/${file}`) && project.name === suite,
  )
  return place === -1 ? LONGEST.length : place
}

/** Vitest's own order, suite by suite, after the longest. */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
