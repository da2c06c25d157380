// Owns the error of a filter that cannot be understood.

import { StrataError } from '../../../../bindings/index'

/** A filter that `find` does not understand. `column` says where: the index into the text at which the trouble begins. */
export class InspectError extends StrataError {
  override get name(): string {
    return 'InspectError'
  }
  /** Index into `text`, from 0; its length where something is missing at the end. */
  readonly column: number
  /** The filter as it was given. */
  readonly text: string
  constructor(text: string, column: number, sentence: string) {
    super('INVALID_FILTER', `find: ${sentence}\n  ${text}\n  ${' '.repeat(column)}^`)
    this.column = column
    this.text = text
  }
}
