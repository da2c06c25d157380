// Owns the public names of the package.

export { defineRun } from './define.js'
export { runEnsemble } from './ensemble.js'
export { EnsembleError } from './errors.js'
export { range } from './plan.js'
export { readResults } from './results.js'
