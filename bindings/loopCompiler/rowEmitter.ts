// Owns which code computes a value in a form, and in which order a row adds to the result and writes its columns.

import type { Reduction } from '../kernels/kernel'
import { Emitter, type Form } from './emitter'
import { computeF32, computeF64 } from './floatForms'
import type { Value } from './graph'
import { computeMask } from './maskForms'
import { LANES } from './layout'
import { store } from './storing'
import { addToTotal } from './totals'
import type { Store, Traced } from './traced'
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
    if (total !== undefined) addToTotal(this, total, this.result)
    for (let k = 0; k < stores.length; k++) {
      if (this.lanes && storeTransposed(this, stores.slice(k, k + LANES))) k += LANES - 1
      else store(this, stores[k] as Store)
    }
  }

  protected compute(value: Value, form: Form, half: number): void {
    if (form === 'i') computeWhole(this, value)
    else if (form === 'f') computeF32(this, value)
    else if (form === 'd') computeF64(this, value, half)
    else computeMask(this, value, form, half)
  }
}
