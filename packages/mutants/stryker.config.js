// Owns how StrykerJS breaks a room of the bindings; scripts/mutants.js says which, and which tests run.

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'mutants/vitest.config.js', related: false },
  coverageAnalysis: 'perTest',
  // Sentences of errors are read by tests of their own; which letters they have is no behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  ignorePatterns: ['bench', 'site', 'docs', 'ensemble', 'build/mutants', '.git'],
  tempDirName: 'build/mutants/stryker',
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'build/mutants/stryker.json' },
  htmlReporter: { fileName: 'build/mutants/stryker.html' },
  timeoutMS: 60_000,
  disableTypeChecks: 'bindings/**/*.ts',
  allowConsoleColors: false,
}
