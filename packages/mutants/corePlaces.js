// Owns faults that the tests of the core must notice: for each a place in assembly/, what stands there, and what breaks when
// something else does. It must never list a change that no program can tell from the original.

export const CORE_PLACES = [
  {
    breaks: 'What a full world uses again in a loop counts as older than what the loop promised before.',
    file: 'assembly/memory/entities.ts',
    find: 'entities.promisedBirth + (index - entities.promisedFrom)',
    replace: 'entities.nextBirth + (index - entities.promisedFrom)',
    tests: ['queries/inOrder'],
  },
  {
    breaks: 'The records grow past handles that were promised, and give these none.',
    file: 'assembly/memory/entities.ts',
    find: `  if (capacity > first) recordPromised(first)
`,
    replace: '',
    tests: ['memory/reserving'],
  },
  {
    breaks: 'An index that is promised beyond the records is not counted as given out.',
    file: 'assembly/memory/reserving.ts',
    find: '  return entities.fresh++',
    replace: '  return entities.fresh + promised',
    tests: ['memory/reserving'],
  },
  {
    breaks: 'The hash of a text depends on the bytes after it.',
    file: 'assembly/components/texts.ts',
    find: `  for (let i = bytes; i < words << 2; i++) store<u8>(source + i, 0)
`,
    replace: '',
    tests: ['rows/texts'],
  },
  {
    breaks: 'A block that is taken off its list leaves its order in memory that was never handed out.',
    file: 'assembly/memory/blocks.ts',
    find: `  block.next = 0
  block.previous = 0
  block.order = 0
`,
    replace: `  block.next = 0
  block.previous = 0
`,
    tests: ['whole/determinism'],
  },
  {
    breaks: 'Spawning at an old handle forgets the highest generation of its index.',
    file: 'assembly/memory/entities.ts',
    find: '<u8>(peak > generation ? peak : 0)',
    replace: '0',
    tests: ['changes/namedHandles'],
  },
  {
    breaks: 'The queue of free indices cannot be walked backwards.',
    file: 'assembly/memory/entities.ts',
    find: `  store<u32>(entities.births + (<usize>index << 2), queue.last)
`,
    replace: '',
    tests: ['memory/entities'],
  },
  {
    breaks: 'Sorting puts -0 before 0.',
    file: 'assembly/order/keys.ts',
    find: `  if (bits == SIGN) return SIGN
`,
    replace: '',
    tests: ['queries/sorting'],
  },
  {
    breaks: 'Sorting by an f64 in descending order puts NaN first.',
    file: 'assembly/order/keys.ts',
    find: 'descends && bits != u64.MAX_VALUE ? ~bits : bits',
    replace: 'descends ? ~bits : bits',
    tests: ['queries/sorting'],
  },
  {
    breaks: 'Sorting leaves ties in the order of rows, not of creation.',
    file: 'assembly/order/sort.ts',
    find: 'if (age > last) inOrderOfBirth = false',
    replace: '',
    tests: ['queries/sorting'],
  },
  {
    breaks: 'Sorting with a limit drops older ones of equal keys.',
    file: 'assembly/order/least.ts',
    find: 'key == lastKey && birthOf(handle) > lastBirth',
    replace: 'key == lastKey',
    tests: ['queries/sortingLimits'],
  },
  {
    breaks: 'An order of insertion grows although most of it is stale.',
    file: 'assembly/pools/orderedTags.ts',
    find: `  if (list.stale > list.count >> 1) squeezeOrder(set)
`,
    replace: '',
    tests: ['rows/orderedTags'],
  },
  {
    breaks: 'Two entities that one bulk change tags stand in reverse.',
    file: 'assembly/pools/orderedTags.ts',
    find: 'list.count < list.noted + 2',
    replace: 'list.count < list.noted + 3',
    tests: ['rows/orderedTags'],
  },
  {
    breaks: 'A stable pool that consists of holes keeps its rows.',
    file: 'assembly/pools/sparseSets.ts',
    find: `  if (set.holeCount == set.rows) dropAllRows(set)
`,
    replace: '',
    tests: ['rows/stable'],
  },
  {
    breaks: 'A new archetype with two alternatives of any() matches twice.',
    file: 'assembly/queries/announcements.ts',
    find: ' && !knows(query, archetype)) addMatch',
    replace: ') addMatch',
    tests: ['queries/query'],
  },
  {
    breaks: 'Spawning many entities does not change the version of their archetype.',
    file: 'assembly/rows/bulk.ts',
    find: `  if (count != 0) target.version += 1
`,
    replace: '',
    tests: ['matching/changeTicks'],
  },
  {
    breaks: 'A dead handle in a list parts the holes on its two sides.',
    file: 'assembly/rows/bulk.ts',
    find: '    if (location == NO_LOCATION) continue\n    store<u32>(LIST_ADDRESS',
    replace: '    store<u32>(LIST_ADDRESS',
    tests: ['events/order'],
  },
  {
    breaks: 'Each call of the core closes the holes of its part of a list.',
    file: 'assembly/rows/bulk.ts',
    find: '  if (!isLast) return holes\n',
    replace: '',
    tests: ['events/order'],
  },
  {
    breaks: 'A row that fills a hole in another chunk leaves its change ticks behind.',
    file: 'assembly/rows/moves.ts',
    find: 'if (last != chunk) mergeTicks(layout, last, chunk, chunk.count)',
    replace: '',
    tests: ['rows/moves'],
  },
  {
    breaks: 'A row that fills a hole of a list in another chunk leaves its change ticks behind.',
    file: 'assembly/rows/holes.ts',
    find: 'if (inBlock && tail != chunk) mergeTicks(table.layout, tail, chunk, chunk.count)',
    replace: '',
    tests: ['rows/listMoves'],
  },
  {
    breaks: 'A row at the end of a table that has been left as well fills a hole.',
    file: 'assembly/rows/holes.ts',
    find: '(record.location ^ location) != 0 || record.handle != entity',
    replace: 'record.handle != entity',
    tests: ['rows/listMoves'],
  },
  {
    breaks: 'A list that leaves an archetype does not change its version.',
    file: 'assembly/rows/holes.ts',
    find: `  table.version += 1
`,
    replace: '',
    tests: ['rows/listMoves'],
  },
  {
    breaks: 'A run of listed rows is one row longer than the rows that follow one another.',
    file: 'assembly/rows/listMoves.ts',
    find: 'load<u32>(handles + (<usize>count << 2)) == load<u32>(list + (<usize>count << 2))',
    replace: 'load<u32>(handles + (<usize>(count - 1) << 2)) == load<u32>(list + (<usize>(count - 1) << 2))',
    tests: ['rows/listMoves'],
  },
  {
    breaks: 'Rows that a list moves do not change the version of the archetype that they enter.',
    file: 'assembly/rows/listMoves.ts',
    find: `    target.version += 1
`,
    replace: '',
    tests: ['rows/listMoves'],
  },
  {
    breaks: 'A list of which all are in a full sparse set needs another chunk.',
    file: 'assembly/pools/sparseSets.ts',
    find: `    if (findRow(set, indexOf(entity)) != 0) {
      i += 1`,
    replace: `    if (i + 1 < count && findRow(set, indexOf(entity)) != 0) {
      i += 1`,
    tests: ['rows/listMoves'],
  },
  {
    breaks: 'A planned move does not mark the chunk that it moves into.',
    file: 'assembly/rows/moves.ts',
    find: `  tail.count = row + 1
  markChunk(tail, tick)`,
    replace: '  tail.count = row + 1',
    tests: ['rows/moves', 'whole/owed'],
  },
  {
    breaks: 'A planned move does not note the tick at which a component was added.',
    file: 'assembly/rows/moves.ts',
    find: '    markNew(to, tick)',
    replace: '    to.changed = tick',
    tests: ['rows/moves', 'whole/owed'],
  },
  {
    breaks: 'A planned move does not change the version of the archetype that it leaves.',
    file: 'assembly/rows/moves.ts',
    find: `  source.version += 1
`,
    replace: '',
    tests: ['queries/version', 'rows/moves'],
  },
  {
    breaks: 'Of two chunks that swap rows, one loses the later tick.',
    file: 'assembly/tables/columns.ts',
    find: `  mergeSeldom(layout, a, b, 2)
`,
    replace: '',
    tests: ['queries/sorting'],
  },
  {
    breaks: 'A sweep clears references to entities that an open loop has promised.',
    file: 'assembly/tables/sweeps.ts',
    find: ' || isPromised(handle)',
    replace: '',
    tests: ['world/sweeps'],
  },
  {
    breaks: 'A sweep does not mark the rows that it changed.',
    file: 'assembly/tables/sweeps.ts',
    find: `    if (inRow != 0) markRowChanged(layout, layoutComponentAt(layout, index), chunk, row, tick)
`,
    replace: '',
    tests: ['world/sweeps'],
  },
  {
    breaks: 'The first row of a chunk keeps the tick of the row that was there before.',
    file: 'assembly/tables/ticks.ts',
    find: `export function mergeTick(to: ChunkTicks, from: ChunkTicks, rows: u32): void {
  if (rows <= 1 ||`,
    replace: `export function mergeTick(to: ChunkTicks, from: ChunkTicks, rows: u32): void {
  if (rows <= 0 ||`,
    tests: ['matching/changeTicks', 'whole/owed', 'rows/moves'],
  },
  {
    breaks: 'The ticks of rows do not age.',
    file: 'assembly/tables/ticks.ts',
    find: `    if (layout.trackedCount != 0) ageRows(layout, chunk, now)
`,
    replace: '',
    tests: ['matching/changeTicks'],
  },
]
