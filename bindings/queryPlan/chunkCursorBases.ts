// Owns where the cursors of a loop stand in the chunks of a list: so many words for each chunk, side by side. Looking them up
// takes longer than visiting a row. They hold until a chunk comes or goes: the list then forgets them.

import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD } from '../../build/layout'
import type { Heap } from '../memory/heap'
import type { Registration } from '../state/registration'
import type { ChunkList } from './chunkList'
import type { Plan } from './plan'

export class ChunkCursorBases {
  /**
   * For each chunk the index of its first handle in Heap.u32; then for each component the index of its change tick there, and for
   * each field the index of row 0 in the heap-wide array of its kind.
   */
  words = new Int32Array(0)
  private readonly wordsEach: number
  /** Of how many chunks the words are known. */
  private known = 0

  /** @param plan of which each chunk of the list has all components as columns */
  constructor(
    private readonly heap: Heap,
    private readonly list: ChunkList,
    private readonly plan: Plan,
  ) {
    this.wordsEach = plan.definitions.reduce((sum, { fields }) => sum + 1 + fields.length, 1)
  }

  /** Where the words of the chunk at a place of the list begin. */
  at(place: number): number {
    if (place >= this.known) this.find()
    return place * this.wordsEach
  }

  forget(): void {
    this.known = 0
  }

  /** Finds the words of all chunks that are listed. */
  private find(): void {
    const { heap, list, plan, wordsEach } = this
    const { u32, chunks } = heap
    let at = 0
    // All of them again: a list grows to twice its length.
    if (list.count * wordsEach > this.words.length) this.words = new Int32Array(2 * list.count * wordsEach)
    const { words } = this
    for (let i = 0; i < list.count; i++) {
      const chunk = chunks + (list.chunkOffsets[i] as number)
      const data = u32[chunk + CHUNK_DATA_WORD] as number
      const layoutKey = u32[chunk + CHUNK_LAYOUT_KEY_WORD] as number
      words[at++] = data >> 2
      plan.definitions.forEach(({ fields }, k) => {
        const { offsets, tickOffset } = (plan.registrations[k] as Registration).placement(layoutKey)
        words[at++] = (data + tickOffset) >> 2
        fields.forEach(({ shift }, f) => (words[at++] = (data + (offsets[f] as number)) >> shift))
      })
    }
    this.known = list.count
  }
}
