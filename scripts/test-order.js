// Owns the order in which test files run: those that take minutes begin first, so that no processor idles at the end beside one that
// began last. It must never leave a file out.

import { BaseSequencer } from 'vitest/node'

/** What takes more than a minute in a part of the tests, the longest first: file and suite. */
export const LONGEST = [
  ['packages/site/tests/site.test.js', 'release'],
  ['tests/whole/model.checked.proof.small.test.ts', 'small'],
  ['tests/whole/model.checked.proof.small.test.ts', 'release'],
  ['tests/examples/swarm.browser.test.js', 'release'],
  ['tests/repository/size.long.test.js', 'release'],
  ['tests/events/growth.long.measured.test.ts', 'measured'],
  ['tests/whole/growth.long.measured.test.js', 'measured'],
  ['tests/whole/exhaustion.alone.checked.long.proof.test.ts', 'release alone'],
]

const placeOf = ({ moduleId, project }) => {
  const place = LONGEST.findIndex(([file, suite]) => moduleId.endsWith(`/${file}`) && project.name === suite)
  return place === -1 ? LONGEST.length : place
}

/** Vitest's own order, suite by suite, after the longest. */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
