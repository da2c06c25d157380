// Owns which code computes a value in a form, and in which order a row adds to the result and writes its columns.

import type { Reduction } from '../../../../bindings/kernels/kernel'
import { Emitter } from './emitter'
import { computeF32, computeF64 } from './floatForms'
import type { GraphValue } from './graph'
import { computeMask } from './maskForms'
import { type Form, LANES, formOf } from './layout'
import { load } from './loading'
import { store } from './storing'
import { addToTotal } from './totals'
import type { TracedStore, Traced } from './traced'
import { storeTransposed } from './transpose'
import { computeWhole } from './wholeForm'

export class RowEmitter extends Emitter {
  constructor(
    traced: Traced,
    private readonly result: Reduction,
    parameters: number,
  ) {
    super(traced, parameters)
  }

  protected write(): void {
    const { stores, total } = this.traced
    if (total !== undefined) addToTotal(this, total, this.result as Exclude<Reduction, 'none'>)
    for (let k = 0; k < stores.length; k++) {
      if (this.lanes && storeTransposed(this, stores.slice(k, k + LANES))) k += LANES - 1
      else store(this, stores[k] as TracedStore)
    }
  }

  protected compute(value: GraphValue, form: Form, half: number): void {
    const { op, kind, data } = value
    if (op === 'const') return this.number(Number(data), form)
    if (kind !== undefined && formOf(kind) === form) {
      if (op === 'scalar') return this.scalar(value)
      if (op === 'held') return this.held(value)
      if (op === 'load') return load(this, value, form, half)
    }
    if (form === 'i') computeWhole(this, value)
    else if (form === 'f') computeF32(this, value)
    else if (form === 'd') computeF64(this, value, half)
    else computeMask(this, value, form, half)
  }
}
