// Shows that the inspector can be imported without a page, such as on a server.

import { expect, it } from 'vitest'

it('the inspector, imported without a page, is a module like any other', async () => {
  const { installInspector, StrataInspector } = await import('../../../../dist/inspector.js')
  expect([typeof installInspector, typeof StrataInspector]).toEqual(['function', 'function'])
})
