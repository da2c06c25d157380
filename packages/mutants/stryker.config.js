// Owns how StrykerJS changes a room; run.js says which one, and which tests run.

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'packages/mutants/vitest.config.js', related: false },
  coverageAnalysis: 'perTest',
  // The wording of an error is not behaviour; other tests read it.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  ignorePatterns: ['bench', 'docs', 'packages/ensemble', 'packages/site', 'build/mutants', '.git'],
  tempDirName: 'build/mutants/stryker',
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'build/mutants/stryker.json' },
  htmlReporter: { fileName: 'build/mutants/stryker.html' },
  timeoutMS: 60_000,
  disableTypeChecks: '{bindings,packages/compile/src}/**/*.ts',
  allowConsoleColors: false,
}
