// Shows what the types say of errors that were caught.

/* eslint-disable @typescript-eslint/no-unused-vars --
   values are made here for their types alone */

import {
  DeadEntityError,
  LimitError,
  NULL_ENTITY,
  StrataError,
  StrataTypeError,
  SystemError,
  isNull,
  isStrataError,
  type Entity,
  type ErrorCode,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

declare const wrong: StrataTypeError

// One type is enough for all of them.
const base: StrataError = wrong
const all: readonly StrataError[] = [
  wrong,
  new DeadEntityError(1, 'add'),
  new LimitError('ROW_LIMIT', ''),
  new SystemError('move', 'it failed', undefined),
]
const asTypeError: TypeError = wrong

try {
  throw wrong
} catch (error) {
  if (error instanceof StrataError) {
    expectType<Equal<typeof error, StrataError>>()
    expectType<Equal<typeof error.code, ErrorCode>>()
    if (error instanceof StrataTypeError) expectType<Equal<typeof error.code, ErrorCode>>()
    if (error instanceof SystemError) expectType<Equal<typeof error.system, string>>()
  }
  if (error instanceof LimitError) expectType<Equal<typeof error, LimitError>>()
  if (error instanceof DeadEntityError) expectType<Equal<typeof error.entity, number>>()
  if (isStrataError(error)) expectType<Equal<typeof error, StrataError>>()
}

expectType<Equal<ReturnType<typeof isNull>, boolean>>()
isNull(NULL_ENTITY)
isNull(7)
isNull(0 as Entity)
// @ts-expect-error -- nothing at all is no handle
isNull(undefined)
