// Which browsers the loading tests have: those of all engines, installed now if need be. What is missing is left out, and a run says
// so at its end; in CI it fails.
import { linesWithoutEngine, whyWithoutBrowser } from '../../scripts/browser-tests.js'
import { ENGINES, findBrowser } from '../../scripts/browser.js'

/** Vitest calls it once before the tests, and what it returns after them. */
export default function setup({ provide }) {
  const why = new Map(
    ENGINES.map((engine) => [engine, whyWithoutBrowser(process.env, () => findBrowser(engine))]),
  )
  provide(
    'engines',
    ENGINES.filter((engine) => why.get(engine) === undefined),
  )
  return () => {
    for (const [engine, reason] of why)
      if (reason) console.log(`\n${linesWithoutEngine(engine, reason, '.ci/run loading').join('\n')}`)
  }
}
