// Owns the public names of the package.

export { defineRun } from './define.js'
export type {
  Checkpoint,
  Column,
  ColumnKind,
  Parameters,
  ParameterValue,
  Row,
  Rows,
  RunContext,
  RunDefinition,
} from './definition.js'
export { type EnsembleOptions, type EnsembleOutcome, type EnsembleProgress, runEnsemble } from './ensemble.js'
export { EnsembleError } from './errors.js'
export type { RunEntry } from './journal.js'
export { range } from './plan.js'
export { readResults } from './results.js'
