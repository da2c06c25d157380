// Shows that the lint rule about kept addresses sees what it must, and leaves alone what is local or counted from a base.

import tseslint from 'typescript-eslint'
import { RuleTester } from 'eslint'
import { describe, it } from 'vitest'
import { keptAddresses } from '../../scripts/kept-addresses.js'

RuleTester.describe = describe
RuleTester.it = it
RuleTester.itOnly = it

const errors = [{ messageId: 'kept' }]

new RuleTester({ languageOptions: { parser: tseslint.parser } }).run('kept-addresses', keptAddresses, {
  valid: [
    'class A { f(heap) { const at = heap.descriptorAt(1); return heap.u32[at] } }',
    'class A { f(heap, id) { this.chunkOffset = id << 3 } }',
    'class A { f(heap) { this.offset = heap.descriptorAt(1) - heap.chunks } }',
    'class A { f(heap) { const { u32, chunks } = heap; this.rows = u32[chunks + 8] } }',
    'class A { f(heap) { heap.u32[0] = heap.chunks } }',
    'class A { f() { this.chunks = this.list.chunks } }',
    { code: 'class A { f(heap) { this.order = heap.u32 } }', options: [{ allow: ['order'] }] },
  ],
  invalid: [
    'class A { f(heap) { this.descriptor = heap.chunks + 8 } }',
    'class A { f() { this.descriptor = this.state.heap.descriptorAt(1) } }',
    'class A { f(heap, ref) { const at = heap.chunks + 8; ref.descriptor = at } }',
    'class A { f(heap) { const { records } = heap; this.found = 2 + (records as number) } }',
    'class A { f(heap) { const { u32 } = heap; this.words = u32 } }',
    'class A { f(heap) { this.places.push(heap.chunks + 8) } }',
    'class A { words = heap.u32 }',
  ].map((code) => ({ code, errors })),
})
