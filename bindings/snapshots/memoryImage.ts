// Owns the copy of one world's linear memory: which parts of it hold something, and their bytes. It leaves out page 0, where
// kernels have their constants, and what is good for one call only.
//
//   memory   ┌────┬────────────┬────┬──────┬──────┬╌╌╌╌╌╌╌╌╌╌╌╌╌┬──────┬╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐
//            │ 0  │ 1: state   │ 2  │ used │ used │ free block  │ used │ never touched       │
//            └────┴────────────┴────┴──────┴──────┴╌╌╌╌╌╌╌╌╌╌╌╌╌┴──────┴╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘
//   image          structs of       pages of       head of the          heads of the free blocks in it
//                  the rooms        64 KiB         free block
//
// Free blocks of a page and more begin at multiples of a page: one bit of the core's bitmap tells for each page. So the
// copy goes page by page, through views that are kept: it allocates nothing.

import {
  BLOCKS_BITMAP_WORD,
  BLOCKS_END,
  BLOCKS_TOUCHED,
  CORE_START,
  CORE_START_WORD,
  FREE_BLOCK_NEXT_WORD,
  FREE_BLOCK_ORDER_WORD,
  FREE_BLOCK_PREVIOUS_WORD,
  HEAP_ADDRESS,
  MIN_ORDER,
  STATE_END_WORD,
} from '../../build/layout'
import { PAGE_BYTES } from '../memory/core'
import type { Heap } from '../memory/heap'

const PAGE_ORDER = /* @__PURE__ */ Math.log2(PAGE_BYTES)
const PAGE_WORDS = PAGE_BYTES / 4
/** Words of the core's bitmap for one page: a bit for each block of the least size. */
const BITMAP_WORDS = 1 << (PAGE_ORDER - MIN_ORDER - 5)
const FIRST_PAGE = HEAP_ADDRESS / PAGE_BYTES
const STATE_WORDS = STATE_END_WORD - CORE_START_WORD
/** Numbers kept of a free block: its page, and what its head holds. */
const HEAD_NUMBERS = 4

/** Views over an array, one for each page of it. */
type PageViews = (Uint8Array | undefined)[]

/** The views over a world's memory, kept while the memory stays where it is. */
const viewsOf = /* @__PURE__ */ new WeakMap<ArrayBufferLike, PageViews>()

function pageOf(views: PageViews, array: Uint8Array, page: number): Uint8Array {
  const known = views[page]
  if (known !== undefined) return known
  while (views.length <= page) views.push(undefined)
  const made = array.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
  views[page] = made
  return made
}

export class MemoryImage {
  /** The structs of the core's rooms. */
  private readonly state = new Uint32Array(STATE_WORDS)
  /** The numbers of the pages that are copied, ascending, and their bytes. */
  private pages = new Uint32Array(0)
  private count = 0
  private bytes = new Uint8Array(0)
  private views: PageViews = []
  /** The heads of free blocks of a page and more. */
  private heads = new Uint32Array(0)
  private headCount = 0

  /** Bytes that are copied. */
  get byteLength(): number {
    return STATE_WORDS * 4 + this.count * PAGE_BYTES + this.headCount * HEAD_NUMBERS * 4
  }

  /** The word at an address in the state of the core, as it was. */
  word(address: number): number {
    return this.state[(address - CORE_START) >> 2] as number
  }

  /** Bytes that the memory must have. */
  get end(): number {
    return this.word(BLOCKS_END)
  }

  /** Copies a world's memory. Allocates only what earlier copies did not need. May throw a RangeError, and nothing is changed. */
  take(heap: Heap): void {
    const { u32, u8 } = heap
    this.makeRoom(heap)
    this.list(heap)
    const { state, pages, bytes, count } = this
    let at = 0
    for (let word = CORE_START_WORD; word < STATE_END_WORD; word++) state[at++] = u32[word] as number
    const views = this.viewsOver(u8)
    for (let i = 0; i < count; i++) bytes.set(pageOf(views, u8, pages[i] as number), i * PAGE_BYTES)
  }

  /** Replaces the content of a world's memory, which is large enough. */
  put(heap: Heap): void {
    const { u32, u8 } = heap
    this.clear(heap)
    const { state, pages, bytes, heads, count } = this
    let at = 0
    for (let word = CORE_START_WORD; word < STATE_END_WORD; word++) u32[word] = state[at++] as number
    for (let i = 0; i < count; i++) u8.set(pageOf(this.views, bytes, i), (pages[i] as number) * PAGE_BYTES)
    for (let i = 0; i < this.headCount * HEAD_NUMBERS; i += HEAD_NUMBERS) {
      const head = (heads[i] as number) * PAGE_WORDS
      u32[head + FREE_BLOCK_NEXT_WORD] = heads[i + 1] as number
      u32[head + FREE_BLOCK_PREVIOUS_WORD] = heads[i + 2] as number
      u32[head + FREE_BLOCK_ORDER_WORD] = heads[i + 3] as number
    }
  }

  /**
   * Makes zeros of what lies beyond the part that this image has touched: a reset, and memory that grows, rely on that.
   * Costs what the world has touched since.
   */
  private clear(heap: Heap): void {
    const { u32, f64 } = heap
    const end = heap.word(BLOCKS_END) / PAGE_BYTES
    for (let page = FIRST_PAGE; page < end;) {
      const order = freeOrder(heap, page)
      if (order < PAGE_ORDER) {
        page++
        continue
      }
      const head = page * PAGE_WORDS
      u32[head + FREE_BLOCK_NEXT_WORD] = 0
      u32[head + FREE_BLOCK_PREVIOUS_WORD] = 0
      u32[head + FREE_BLOCK_ORDER_WORD] = 0
      page += 1 << (order - PAGE_ORDER)
    }
    // What is copied was touched: at most one page of it is zeroed before put() fills it.
    const touched = Math.ceil(heap.word(BLOCKS_TOUCHED) / PAGE_BYTES) * PAGE_BYTES
    // Both are multiples of a block. V8 stores the elements of a shared memory one by one: bytes would take 17 times as long.
    f64.fill(0, this.word(BLOCKS_TOUCHED) / 8, touched / 8)
  }

  /** Makes room for the pages that are to be copied: for all, or, where memory ends, for none. */
  private makeRoom(heap: Heap): void {
    const end = heap.word(BLOCKS_END) / PAGE_BYTES
    let pages = 0
    let heads = 0
    for (let page = FIRST_PAGE; page < end;) {
      const order = freeOrder(heap, page)
      if (order < PAGE_ORDER) {
        pages++
        page++
      } else {
        heads++
        page += 1 << (order - PAGE_ORDER)
      }
    }
    const numbers = heads * HEAD_NUMBERS
    const listed = pages > this.pages.length ? new Uint32Array(roomFor(pages)) : this.pages
    const kept = numbers > this.heads.length ? new Uint32Array(roomFor(numbers)) : this.heads
    if (pages * PAGE_BYTES > this.bytes.length) {
      // The first copy takes what it needs: most are the only one.
      this.bytes = new Uint8Array((this.bytes.length === 0 ? pages : roomFor(pages)) * PAGE_BYTES)
      this.views = []
    }
    this.pages = listed
    this.heads = kept
  }

  private list(heap: Heap): void {
    const { u32 } = heap
    const { pages, heads } = this
    const end = heap.word(BLOCKS_END) / PAGE_BYTES
    let count = 0
    let at = 0
    for (let page = FIRST_PAGE; page < end;) {
      const order = freeOrder(heap, page)
      if (order < PAGE_ORDER) {
        pages[count++] = page++
        continue
      }
      const head = page * PAGE_WORDS
      heads[at++] = page
      heads[at++] = u32[head + FREE_BLOCK_NEXT_WORD] as number
      heads[at++] = u32[head + FREE_BLOCK_PREVIOUS_WORD] as number
      heads[at++] = order
      page += 1 << (order - PAGE_ORDER)
    }
    this.count = count
    this.headCount = at / HEAD_NUMBERS
  }

  private viewsOver(u8: Uint8Array): PageViews {
    let views = viewsOf.get(u8.buffer)
    if (views === undefined) viewsOf.set(u8.buffer, (views = []))
    return views
  }
}

/** Room for a number of things and some more, so that a world that grows does not want more each time. */
function roomFor(count: number): number {
  return count + (count >> 2)
}

/** The order of the free block that begins with a page; 0 where none does. */
function freeOrder({ u32 }: Heap, page: number): number {
  const word = ((u32[BLOCKS_BITMAP_WORD] as number) >> 2) + page * BITMAP_WORDS
  if (((u32[word] as number) & 1) === 0) return 0
  return u32[page * PAGE_WORDS + FREE_BLOCK_ORDER_WORD] as number
}
