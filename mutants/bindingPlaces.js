// Owns faults that the tests of the bindings must notice and that no tool would think of: for each a place in bindings/, what
// stands there, and what breaks when something else does. It must never list a change that no program can tell from the original.

export const BINDING_PLACES = [
  {
    breaks: 'Folded changes survive a restore.',
    file: 'bindings/changes/folding.ts',
    find: `    if (this.generation === generation) this.changes?.forget()
    else `,
    replace: '    if (this.generation !== generation) ',
    tests: ['changes/folding'],
  },
  {
    breaks: 'An exchange counts as the same as one that removes something else.',
    file: 'bindings/changes/folding.ts',
    find: 'log.removals[i] !== this.seenRemovals[n] || ',
    replace: '',
    tests: ['changes/folding'],
  },
  {
    breaks: 'The stamps of a folding never start over.',
    file: 'bindings/changes/folding.ts',
    find: `    if (this.stamp > 0x3fffffff) {
      this.places.fill(0)
      this.stamp = 1
    }
`,
    replace: '',
    tests: ['changes/folding'],
  },
  {
    breaks: 'A value that was given twice and overtaken is disposed of twice.',
    file: 'bindings/changes/folding.ts',
    find: `      if (this.unused[i] === value && this.unusedOf[i] === definition) return
`,
    replace: '',
    tests: ['changes/folding'],
  },
  {
    breaks: 'Commands for two handles of one index are chained.',
    file: 'bindings/changes/queue.ts',
    find: `    if (this.entities[previous] !== entity) return
`,
    replace: '',
    tests: ['changes/buffer'],
  },
  {
    breaks: 'A reserved entity whose row finds no memory stays alive.',
    file: 'bindings/changes/queue.ts',
    find: `      if (status < 0 && !state.hasRow(entity)) destroyEntity(state, entity)
`,
    replace: '',
    tests: ['changes/queue'],
  },
  {
    breaks: 'The numbers of commands never start over.',
    file: 'bindings/changes/queue.ts',
    find: `    if (this.base > LAST_BASE) {
      this.last.fill(0)
      this.base = 1
    }
`,
    replace: '',
    tests: ['changes/folding'],
  },
  {
    breaks: 'Each take counts the removals that were missed before again.',
    file: 'bindings/events/removalReader.ts',
    find: `    this.unnoted = 0
    const`,
    replace: '    const',
    tests: ['events/removalReader'],
  },
  {
    breaks: 'A reader of removals never gives memory back.',
    file: 'bindings/events/removalReader.ts',
    find: `    if (locks === 0) this.release(KEPT_SEGMENTS)
`,
    replace: '',
    tests: ['events/removalReader'],
  },
  {
    breaks: 'A listener that the first half of a report adds runs in the second half.',
    file: 'bindings/events/report.ts',
    find: `      // It is one report: a listener that is added in its first half is not called in its second.
      observers.emission--
`,
    replace: '',
    tests: ['events/observers'],
  },
  {
    breaks: 'onSet listeners run for entities that could not be changed.',
    file: 'bindings/events/report.ts',
    find: '      for (const handles of [gained, lost, given]) handles.drop(unchanged)',
    replace: '      for (const handles of [gained, lost]) handles.drop(unchanged)',
    tests: ['events/observers'],
  },
  {
    breaks: 'A subscription to rows of a query does not notice deaths.',
    file: 'bindings/events/subscribedQuery.ts',
    find: `    if (related !== undefined) related.remember()
    else this.noteCertain()`,
    replace: '    related?.remember()',
    tests: ['events/subscribers'],
  },
  {
    breaks: 'Ending one subscription to a resource ends the others.',
    file: 'bindings/events/subscribers.ts',
    find: `      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      this.resources`,
    replace: `      if (!subscriptions.delete(subscription)) return
      this.resources`,
    tests: ['events/subscribers'],
  },
  {
    breaks: 'A history claims a frame more than it keeps.',
    file: 'bindings/history/history.ts',
    find: 'this.last - this.frames >= this.first',
    replace: 'this.last - this.frames > this.first',
    tests: ['history/history'],
  },
  {
    breaks: 'After a rewind, frames of the abandoned future can be reached.',
    file: 'bindings/history/history.ts',
    find: `      if (this.last === frame) this.end = frame
`,
    replace: '',
    tests: ['history/history'],
  },
  {
    breaks: 'A nested each does not restore the depth of cursors.',
    file: 'bindings/loops/rowLoop.ts',
    find: `      cursorPools.depth = depth
      // Back`,
    replace: '      // Back',
    tests: ['loops/rowLoop'],
  },
  {
    breaks: 'A run in an order goes on past the last row of a chunk.',
    file: 'bindings/loops/listedRows.ts',
    find: 'Math.min(end - place - 1, ROW_MASK - (location & ROW_MASK))',
    replace: 'end - place - 1',
    tests: ['loops/listedRows'],
  },
  {
    breaks: 'where() rounds a bound on an f32 to the nearest value, also downwards.',
    file: 'bindings/matching/conditions.ts',
    find: '    return near >= value ? near : this.above(near)',
    replace: '    return near',
    tests: ['matching/conditions'],
  },
  {
    breaks: 'where() skips the least f32 above zero.',
    file: 'bindings/matching/conditions.ts',
    find: `    if (value === 0) return 2 ** -149
`,
    replace: '',
    tests: ['matching/conditions'],
  },
  {
    breaks: 'A query that is first made inside a loop finds only the first page of archetypes.',
    file: 'bindings/matching/plan.ts',
    find: '    } while (found === limit)',
    replace: '    } while (false)',
    tests: ['loops/loop'],
  },
  {
    breaks: 'Sorting inside a loop does not put NaN last.',
    file: 'bindings/queries/sortedHere.ts',
    find: '  return Number(Number.isNaN(a)) - Number(Number.isNaN(b))',
    replace: '  return 0',
    tests: ['queries/sorting'],
  },
  {
    breaks: 'Sorting by a function writes every part to the front.',
    file: 'bindings/queries/rowOrder.ts',
    find: 'core.poolArrange(registration.id, first, part.length)',
    replace: 'core.poolArrange(registration.id, 0, part.length)',
    tests: ['queries/sorting'],
  },
  {
    breaks: 'Sources that die with their target count as orphans.',
    file: 'bindings/relations/cleanUp.ts',
    find: `      if (isMarked(marks, source)) continue
`,
    replace: '',
    tests: ['relations/cleanUp'],
  },
  {
    breaks: 'An order is mended that has no room for an entity.',
    file: 'bindings/relations/levels.ts',
    find: 'if (members.length === 0 || state.heap.entityCapacity > depths.length) return false',
    replace: 'if (members.length === 0) return false',
    tests: ['relations/levels'],
  },
  {
    breaks: 'A level that lost members does not count as touched.',
    file: 'bindings/relations/levels.ts',
    find: `    for (const depth of left) this.touched[depth - 1] = 1
`,
    replace: '',
    tests: ['relations/levels'],
  },
  {
    breaks: 'A link that replaces another does not count as added.',
    file: 'bindings/relations/links.ts',
    find: `    u32[tick + CHUNK_TICKS_ADDED_WORD] = u32[tick] as number
`,
    replace: '',
    tests: ['relations/relation'],
  },
  {
    breaks: 'The texts of a link that finds no memory are kept.',
    file: 'bindings/relations/manyLinks.ts',
    find: `    if (status < 0) state.texts.takeBack(texts)
`,
    replace: '',
    tests: ['relations/linkMemory'],
  },
  {
    breaks: 'A new link among many does not mark its source as changed.',
    file: 'bindings/relations/manyLinks.ts',
    find: `    ref.mark()
`,
    replace: '',
    tests: ['relations/manyQueries'],
  },
  {
    breaks: 'A damaged save may name an entity twice in a pool.',
    file: 'bindings/saves/checking.ts',
    find: 'number >= count || last[number] === pool + 1',
    replace: 'number >= count',
    tests: ['saves/checking'],
  },
  {
    breaks: 'A save with two links that have lost their target is refused.',
    file: 'bindings/saves/checking.ts',
    find: ' && key % SPAN !== 0',
    replace: '',
    tests: ['saves/model'],
  },
  {
    breaks: 'A saved u16 does not load into an i32.',
    file: 'bindings/saves/fitting.ts',
    find: `  u16: ['u32', 'i32', 'f32', 'f64'],`,
    replace: `  u16: ['u32', 'f32', 'f64'],`,
    tests: ['saves/fitting'],
  },
  {
    breaks: 'A saved i32 loads into an f32, which has fewer digits.',
    file: 'bindings/saves/fitting.ts',
    find: `  i32: ['f64'],`,
    replace: `  i32: ['f64', 'f32'],`,
    tests: ['saves/fitting'],
  },
  {
    breaks: 'The limit of lateness rounds up to whole steps.',
    file: 'bindings/schedule/fixedStep.ts',
    find: 'clock.wholeSteps(this.maxBehind)',
    replace: 'Math.ceil(this.maxBehind / clock.step)',
    tests: ['schedule/fixedStep'],
  },
  {
    breaks: 'The time carried over collects rounding errors step by step.',
    file: 'bindings/schedule/fixedStep.ts',
    find: 'this.clock.carried = this.carriedBefore - ++this.taken * this.clock.step',
    replace: 'this.clock.carried -= this.clock.step',
    tests: ['schedule/fixedStep'],
  },
  {
    breaks: 'Restoring forgets whether the free first step was made.',
    file: 'bindings/schedule/fixedStep.ts',
    find: `    this.started = numbers[at + 2] !== 0
`,
    replace: '',
    tests: ['schedule/keeping'],
  },
  {
    breaks: 'The queue of systems that may run next ignores its right children.',
    file: 'bindings/schedule/order.ts',
    find: `      if ((items[below + 1] ?? Infinity) < (items[below] as number)) below++
`,
    replace: '',
    tests: ['schedule/order'],
  },
  {
    breaks: 'Phases that are placed after one anchor stand in reverse.',
    file: 'bindings/schedule/phase.ts',
    find: '      while (isBehind(this.all[place], anchor))',
    replace: '      while (false)',
    tests: ['schedule/schedule', 'schedule/order'],
  },
  {
    breaks: 'The time of skipped conditions counts for the next system.',
    file: 'bindings/schedule/run.ts',
    find: `        if (timing) before = performance.now()
`,
    replace: '',
    tests: ['schedule/schedule'],
  },
  {
    breaks: 'A system that was removed during a run still runs.',
    file: 'bindings/schedule/run.ts',
    find: '|| system.removed) continue',
    replace: ') continue',
    tests: ['schedule/schedule'],
  },
  {
    breaks: 'A bool that was written as 2 has a digest of its own.',
    file: 'bindings/snapshots/digest.ts',
    find: `      else if (isBool && bits !== 0) bits = 1
`,
    replace: '',
    tests: ['snapshots/digest'],
  },
  {
    breaks: 'The digest looks up a text that does not exist.',
    file: 'bindings/snapshots/digest.ts',
    find: `  if (id === 0 || id >= heap.word(TEXTS_FRESH)) return 0
`,
    replace: `  if (id === 0) return 0
`,
    tests: ['snapshots/digest'],
  },
  {
    breaks: 'An instance that left and came back is not written.',
    file: 'bindings/three/feed.ts',
    find: ' && instance < count',
    replace: '',
    tests: ['three/instances'],
  },
  {
    breaks: 'A raycast uses bounds that are out of date.',
    file: 'bindings/three/instances.ts',
    find: `    mesh.boundingSphere = null
`,
    replace: '',
    tests: ['three/instances'],
  },
]
