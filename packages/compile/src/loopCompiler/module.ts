// Owns the module around the code for rows: the function that a run calls with blocks of arguments, whose loops take four rows
// at a time and then the rest, and the functions that every module has. See kernels/kernelRun.ts for the blocks.

import type { Reduction } from '../../../../bindings/kernels/kernel'
import { Bytes } from './bytes'
import { LANES } from './layout'
import { RowEmitter } from './rowEmitter'
import * as op from './opcodes'
import type { Traced } from './traced'

/** Numbers of the functions of a module; TO_INT32 follows where it is called. */
const NEXT_RUN = 1
const NEXT_SET = 2

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const TYPES = 1
const IMPORTS = 2
const FUNCTIONS = 3
const EXPORTS = 7
const CODE = 10
const FUNCTION_TYPE = 0x60
const MEMORY_IMPORT = 2

/** The first parameters of the entry: where arguments begin, and how many blocks there are; with a result, that so far. */
const FIRST = 0
const BLOCKS = 1
const TOTAL = 2

/** The words of a block: rows from and to, the mask, then the address of each column. */
const ROWS = 0
const MASK = 4
const ADDRESSES = 8

export function moduleOf(traced: Traced, name: string, result: Reduction): Bytes {
  const returns = result !== 'none'
  const { body, usesToInt32 } = entry(traced, result)
  const bodies = [body, nextRun(), nextSet(), ...(usesToInt32 ? [toInt32()] : [])]
  const types = [
    returns ? [3, op.I32, op.I32, op.F64, 1, op.F64] : [2, op.I32, op.I32, 0],
    [3, op.I32, op.I32, op.I32, 1, op.I32],
    [4, op.I32, op.I32, op.I32, op.I64, 1, op.I32],
    [1, op.F64, 1, op.I32],
  ]
  const out = new Bytes().byte(...HEADER)
  const section = (id: number, content: Bytes): Bytes => out.byte(id).sized(content)
  const listed = types.reduce(
    (list, type) => list.byte(FUNCTION_TYPE, ...type),
    new Bytes().unsigned(types.length),
  )
  section(TYPES, listed)
  section(IMPORTS, new Bytes().unsigned(1).name('env').name('memory').byte(MEMORY_IMPORT, 0, 1))
  section(FUNCTIONS, new Bytes().unsigned(bodies.length).byte(...bodies.map((_, k) => k)))
  section(EXPORTS, new Bytes().unsigned(1).name(name).byte(0, 0))
  section(
    CODE,
    bodies.reduce((list, each) => list.sized(each), new Bytes().unsigned(bodies.length)),
  )
  return out
}

/** The function that a run calls. */
function entry(traced: Traced, result: Reduction): { readonly body: Bytes; readonly usesToInt32: boolean } {
  const { scalars, held, columns } = traced
  const returns = result !== 'none'
  const emitter = new RowEmitter(traced, result, returns ? 3 : 2)
  const local = (): number => emitter.local(op.I32)
  const [mask, row, stop, end, run, block] = [local(), local(), local(), local(), local(), local()]
  emitter.row = row
  emitter.total = TOTAL
  const addresses = columns.map(local)
  emitter.firstColumn = addresses[0] ?? 0
  const lanes = emitter.body(true)
  const single = emitter.body(false)
  const code = new Bytes()
  code.append(emitter.prologue)
  code
    .get(FIRST)
    .i32((scalars.length + held.length) * 8)
    .byte(op.I32_ADD)
    .set(block)

  code.byte(op.LOOP, op.VOID)
  code.get(BLOCKS).byte(op.I32_EQZ, op.IF, op.VOID)
  if (returns) code.get(TOTAL)
  code.byte(op.RETURN, op.END)
  addresses.forEach((address, k) => code.word(block, ADDRESSES + 4 * k).set(address))
  code.word(block, MASK).set(mask)
  code.word(block, ROWS).tee(run).i32(16).byte(op.I32_SHR_U).set(end)
  // With a mask, the runs of its bits.
  code.get(mask).byte(op.IF, op.VOID)
  code.get(mask).get(run).i32(0xffff).byte(op.I32_AND).get(end).byte(op.CALL, NEXT_RUN).set(run).byte(op.END)

  code.byte(op.BLOCK, op.VOID, op.LOOP, op.VOID)
  code.get(run).byte(op.I32_EQZ, op.BR_IF, 1)
  code.get(run).i32(0xffff).byte(op.I32_AND).set(row)
  code.get(run).i32(16).byte(op.I32_SHR_U).set(stop)
  code.append(loop(row, stop, LANES, lanes))
  code.append(loop(row, stop, 1, single))
  code.get(mask).byte(op.I32_EQZ, op.BR_IF, 1)
  code.get(mask).get(stop).get(end).byte(op.CALL, NEXT_RUN).set(run)
  code.byte(op.BR, 0, op.END, op.END)

  code
    .get(block)
    .i32(ADDRESSES + 4 * columns.length)
    .byte(op.I32_ADD)
    .set(block)
  code.get(BLOCKS).i32(1).byte(op.I32_SUB).set(BLOCKS)
  code.byte(op.BR, 0, op.END)
  // The loop is only left by return.
  if (returns) code.get(TOTAL)
  code.byte(op.END)

  const body = new Bytes().unsigned(emitter.locals.length)
  for (const type of emitter.locals) body.unsigned(1).byte(type)
  return { body: body.append(code), usesToInt32: emitter.usesToInt32 }
}

/** Repeats code while so many rows are left before `stop`. */
function loop(row: number, stop: number, rows: number, body: Bytes): Bytes {
  const code = new Bytes().byte(op.BLOCK, op.VOID, op.LOOP, op.VOID)
  code.get(row).i32(rows).byte(op.I32_ADD).get(stop).byte(op.I32_GT_U, op.BR_IF, 1)
  code.append(body)
  code.get(row).i32(rows).byte(op.I32_ADD).set(row)
  return code.byte(op.BR, 0, op.END, op.END)
}

/** nextRun(mask, from, end): the next rows whose bits are set, start | stop << 16; 0 without any. See assembly/kernel/runs.ts. */
function nextRun(): Bytes {
  const [mask, from, end, start] = [0, 1, 2, 3] as const
  const code = new Bytes().unsigned(1).unsigned(1).byte(op.I32)
  code.get(mask).get(from).get(end).i64(0).byte(op.CALL, NEXT_SET).tee(start)
  code.get(end).byte(op.I32_EQ, op.IF, op.I32).i32(0).byte(op.ELSE)
  code.get(start)
  code.get(mask).get(start).get(end).i64(-1).byte(op.CALL, NEXT_SET)
  return code.i32(16).byte(op.I32_SHL, op.I32_OR, op.END, op.END)
}

/** nextSet(mask, row, end, flip): the first row from `row` on whose bit, after a flip, is set; the end without any. */
function nextSet(): Bytes {
  const [mask, row, end, flip, left] = [0, 1, 2, 3, 4] as const
  const code = new Bytes().unsigned(1).unsigned(1).byte(op.I64)
  code.byte(op.BLOCK, op.VOID, op.LOOP, op.VOID)
  code.get(row).get(end).byte(op.I32_GE_U, op.BR_IF, 1)
  // The bits of the row and of those after it in its word.
  code.get(mask).get(row).i32(6).byte(op.I32_SHR_U).i32(3).byte(op.I32_SHL, op.I32_ADD)
  code.memory(op.I64_LOAD, 0).get(flip).byte(op.I64_XOR)
  code.get(row).i32(63).byte(op.I32_AND, op.I64_EXTEND_I32_U, op.I64_SHR_U).tee(left)
  code.byte(op.I64_EQZ, op.I32_EQZ, op.IF, op.VOID)
  code.get(row).get(left).byte(op.I64_CTZ, op.I32_WRAP_I64, op.I32_ADD).tee(row)
  code.get(end).get(row).get(end).byte(op.I32_LT_U, op.SELECT, op.RETURN, op.END)
  code.get(row).i32(63).byte(op.I32_OR).i32(1).byte(op.I32_ADD).set(row)
  return code.byte(op.BR, 0, op.END, op.END).get(end).byte(op.END)
}

/** toInt32(number): ToInt32 of any number. */
function toInt32(): Bytes {
  const [x, bits, shift] = [0, 1, 2] as const
  const code = new Bytes().unsigned(2).unsigned(1).byte(op.I64).unsigned(1).byte(op.I32)
  // Below 2^63 a whole number of 64 bits holds it.
  code
    .get(x)
    .byte(op.F64_ABS)
    .f64(2 ** 63)
    .byte(op.F64_LT, op.IF, op.VOID)
  code.get(x).byte(op.SATURATING, op.I64_TRUNC_SAT_F64_S, op.I32_WRAP_I64, op.RETURN, op.END)
  // Above, the lowest 32 bits are the mantissa, moved by what the exponent is above 52: none from 2^84 on, nor of NaN.
  code.get(x).byte(op.I64_REINTERPRET_F64).tee(bits)
  code.i64(52).byte(op.I64_SHR_U, op.I32_WRAP_I64).i32(0x7ff).byte(op.I32_AND)
  code.i32(1075).byte(op.I32_SUB).tee(shift)
  code.i32(31).byte(op.I32_GT_U, op.IF, op.VOID).i32(0).byte(op.RETURN, op.END)
  // From a shift of 11 on, the hidden bit of the mantissa lies above the bits that stay.
  code.get(bits).byte(op.I32_WRAP_I64).get(shift).byte(op.I32_SHL).set(shift)
  code.i32(0).get(shift).byte(op.I32_SUB).get(shift)
  return code.get(bits).i64(0).byte(op.I64_LT_S, op.SELECT, op.END)
}
