// Owns the proof that types follow from a definition, with no annotation. It is compiled, never run.

import { f64, text, u32 } from 'strata-ecs'
import { defineRun, runEnsemble } from 'strata-ensemble'

defineRun({
  parameters: { r0: 2.5, start: 'London', closed: false },
  columns: { infected: f64, peak: u32, note: text, open: 'bool' },
  axis: 'peak',
  run({ parameters: { r0, start, closed }, seed }) {
    const numbers: number[] = [r0, seed]
    const lower: string = start.toLowerCase()
    return { infected: numbers[0]!, peak: seed, note: lower, open: !closed }
  },
})

defineRun({
  columns: { day: u32 },
  *run({ checkpoint, resumed }) {
    const first: number = resumed?.state.day ?? 0
    yield { day: first }
    checkpoint(() => ({ save: new Uint8Array(), state: { day: 1 } }))
  },
})

defineRun({
  parameters: { r0: 2.5 },
  columns: { day: u32 },
  async run({ parameters }) {
    // @ts-expect-error there is no such parameter
    void parameters.r1
    return { day: 1 }
  },
})

defineRun({
  columns: { day: u32 },
  // @ts-expect-error a column holds numbers
  run: () => ({ day: 'one' }),
})

defineRun({
  columns: { day: u32, peak: u32 },
  // @ts-expect-error a column is missing
  run: () => ({ day: 1 }),
})

defineRun({
  columns: { day: u32 },
  // @ts-expect-error the axis is no column
  axis: 'peak',
  run: () => ({ day: 1 }),
})

void runEnsemble('a.run.js', { out: 'runs', grid: { r0: [1, 2], start: ['Lima'] } })

// @ts-expect-error results need a folder
void runEnsemble('a.run.js', {})
