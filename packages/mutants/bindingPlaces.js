// Owns faults that the tests of the bindings must notice and that no tool would think of: for each a place in bindings/, what
// stands there, and what breaks when something else does. It must never list a change that no program can tell from the original.

export const BINDING_PLACES = [
  {
    breaks: 'A copy that gets an object by an override has the component without a value.',
    file: 'bindings/changes/clones.ts',
    find: '  if (!bundle.needsUpkeep) {\n    changeRows',
    replace: '  if (true as boolean) {\n    changeRows',
    tests: ['rows/makers'],
  },
  {
    breaks: 'A copy stays whose override failed.',
    file: 'bindings/changes/clones.ts',
    find: `    inSteps(state, () => void destroyMany(state, copies))
`,
    replace: '',
    tests: ['rows/makers'],
  },
  {
    breaks: 'A list of links may name a target that is gone.',
    file: 'bindings/relations/targets.ts',
    find: `    if (!state.isAlive(target)) throw new DeadEntityError(target, \`setTargets: \${name}\`)
`,
    replace: '',
    tests: ['relations/targets'],
  },
  {
    breaks: 'A long list of links may name a target twice.',
    file: 'bindings/relations/targets.ts',
    find: 'new Set(handles).size < length',
    replace: 'new Set(handles).size > length',
    tests: ['relations/targets'],
  },
  {
    breaks: 'A short list of links may name its first target twice.',
    file: 'bindings/relations/targets.ts',
    find: 'for (let k = 0; k < i; k++)',
    replace: 'for (let k = 1; k < i; k++)',
    tests: ['relations/targets'],
  },
  {
    breaks: 'Links that were asked for in a loop lead to what died in it.',
    file: 'bindings/relations/targets.ts',
    find: 'const living = list.only((target) => state.isAlive(target))',
    replace: 'const living = list.only(() => true)',
    tests: ['relations/targets'],
  },
  {
    breaks: 'A source outlives a target that died in the loop, although it is to die with it.',
    file: 'bindings/relations/targets.ts',
    find: `if (living !== list && kind.onTargetDestroy === 'destroy') destroyEntity(state, entity)
  else `,
    replace: '',
    tests: ['relations/targets'],
  },
  {
    breaks: 'A snapshot keeps values that are for files and forks alone.',
    file: 'bindings/rows/objectStates.ts',
    find: '!(isFork || snapshots === true)',
    replace: '!(isFork || snapshots !== false)',
    tests: ['rows/objectStates'],
  },
  {
    breaks: 'A value that comes back from a snapshot leaves the one before it undisposed of.',
    file: 'bindings/rows/objectStates.ts',
    find: 'if (old !== undefined) calls.disposeOf(definition, entity, old)',
    replace: '',
    tests: ['rows/objectStates'],
  },
  {
    breaks: 'An error of one load keeps the values behind it away.',
    file: 'bindings/rows/objectStates.ts',
    find: `        state.fail(error)
        return`,
    replace: '        throw error',
    tests: ['rows/objectStates'],
  },
  {
    breaks: 'setColumn leaves a text to be written by its id.',
    file: 'bindings/queries/columns.ts',
    find: `?.kind === 'text'`,
    replace: `?.kind === undefined`,
    tests: ['queries/columns'],
  },
  {
    breaks: 'columnOf writes into an array that is too short, or of another class.',
    file: 'bindings/queries/columns.ts',
    find: `  if (into !== undefined) checkInto('columnOf', into, Column, count)
`,
    replace: '',
    tests: ['queries/columns'],
  },
  {
    breaks: 'What an entity has, had and will have is taken for the same.',
    file: 'bindings/rows/byHandle.ts',
    find: `  if (index >= heap.entityCapacity || u32[record] !== entity) return undefined
  if`,
    replace: `  if (index >= heap.entityCapacity) return undefined
  if`,
    tests: ['rows/byHandle'],
  },
  {
    breaks: 'A handle of an entity that is gone reads the values of the next one.',
    file: 'bindings/rows/byHandle.ts',
    find: `  if (index >= heap.entityCapacity || u32[record] !== entity) return undefined
  const`,
    replace: `  if (index >= heap.entityCapacity) return undefined
  const`,
    tests: ['rows/byHandle'],
  },
  {
    breaks: 'Values are read where those of another layout lie.',
    file: 'bindings/rows/byHandle.ts',
    find: `placement.layoutKey !== layoutKey || !placement.present) return undefined`,
    replace: `!placement.present) return undefined`,
    tests: ['rows/byHandle'],
  },
  {
    breaks: 'An item that takes the place of another is never found at one look.',
    file: 'bindings/rows/slots.ts',
    find: ` || there === before`,
    replace: '',
    tests: ['rows/slots'],
  },
  {
    breaks: 'set does not mark a row that is tracked.',
    file: 'bindings/rows/byHandle.ts',
    find: `  if (placement.rowTickOffset !== 0) u32[`,
    replace: `  if (placement.rowTickOffset < 0) u32[`,
    tests: ['rows/byHandle'],
  },
  {
    breaks: 'Cursors of loops stand where chunks lay that are gone.',
    file: 'bindings/matching/chunkList.ts',
    find: `    this.standing?.forget()
`,
    replace: '',
    tests: ['matching/chunkStanding'],
  },
  {
    breaks: 'Cursors stand by what their component has in a chunk, also where rows are marked one by one.',
    file: 'bindings/matching/chunkList.ts',
    find: '!one.details.tracksRows && ',
    replace: '',
    tests: ['matching/chunkStanding'],
  },
  {
    breaks: 'A cursor that stood by a list takes the chunk before for the one it is to move to.',
    file: 'bindings/rows/cursor.ts',
    find: `    this.data = 0
    this.tickIndex = words`,
    replace: `    this.tickIndex = words`,
    tests: ['matching/chunkStanding'],
  },
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
    find: 'poolArrange(registration.id, first, part.length)',
    replace: 'poolArrange(registration.id, 0, part.length)',
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
    find: `    if (status >= 0) status = this.targets.prepare(target)
    if (status < 0) state.texts.takeBack(texts)
`,
    replace: `    if (status >= 0) status = this.targets.prepare(target)
`,
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
    find: `        if (timing) before = clock()
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
  {
    breaks: 'Whole numbers above 2^24 count as exact f32.',
    file: 'bindings/loopCompiler/graph.ts',
    find: '      exact: known.exact ?? (whole && least >= -LIMIT_F32 && most <= LIMIT_F32),',
    replace: '      exact: known.exact ?? whole,',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A -0 that is stored as a whole number stays one.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'if (a.whole && !a.negativeZero && a.least >= least',
    replace: 'if (a.whole && a.least >= least',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A number that an integer field cannot hold is not wrapped.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `a.least >= least && a.most <= most) return a
`,
    replace: `a.least >= least) return a
`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'The negation of 0 is 0.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'wholeFrom(-a.most, -a.least, a.least <= 0 && a.most >= 0)',
    replace: 'wholeFrom(-a.most, -a.least)',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'Math.abs keeps a -0.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'if (a.whole && a.least >= 0 && !a.negativeZero) return a',
    replace: 'if (a.whole && a.least >= 0) return a',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'Math.round rounds halves down.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `this.compare('le', this.constant(0.5), rest), next, floor)`,
    replace: `this.compare('lt', this.constant(0.5), rest), next, floor)`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'Math.round loses the sign of 0.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `return this.copysign(this.select(this.compare('le', this.constant(0.5), rest), next, floor), a)`,
    replace: `return this.select(this.compare('le', this.constant(0.5), rest), next, floor)`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'Math.round of an f64 is computed as f32.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'const kept = (v: Value): Value => (a.exact ? this.fround(v) : v)',
    replace: 'const kept = (v: Value): Value => this.fround(v)',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'The rest of fractions is computed as that of whole numbers.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `    if (!isDividend(a) || !isDividend(b)) return undefined
`,
    replace: '',
    tests: ['loopCompiler/traceExpressions'],
  },
  {
    breaks: 'The rest of a negative number is never -0.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `const rest = this.copysign(this.arithmetic('sub', a, this.arithmetic('mul', quotient, b)), a)`,
    replace: `const rest = this.arithmetic('sub', a, this.arithmetic('mul', quotient, b))`,
    tests: ['loopCompiler/traceExpressions'],
  },
  {
    breaks: 'The rest of a division by 0 counts as whole.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `    if (b.least <= 0 && b.most >= 0) return rest
`,
    replace: '',
    tests: ['loopCompiler/traceExpressions'],
  },
  {
    breaks: 'A rest of 33 bits is cut to 32.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `    if (least < LEAST_I32 || most > (least < 0 ? MOST_I32 : MOST_U32)) return rest
`,
    replace: '',
    tests: ['loopCompiler/traceExpressions'],
  },
  {
    breaks: 'A variable that is used before its declaration is the one of its name further out.',
    file: 'bindings/loopCompiler/paths.ts',
    find: 'this.names.set(name, LATER)',
    replace: 'void LATER',
    tests: ['loopCompiler/trace'],
  },
  {
    breaks: 'A var called Infinity is the number until it is declared.',
    file: 'bindings/loopCompiler/trace.ts',
    find: `    for (const each of vars as Node[]) this.announceVar(each)
`,
    replace: '',
    tests: ['loopCompiler/trace'],
  },
  {
    breaks: 'A var hides the parameter of its name.',
    file: 'bindings/loopCompiler/trace.ts',
    find: 'else if (!this.scope.own(name as string))',
    replace: 'else',
    tests: ['loopCompiler/trace'],
  },
  {
    breaks: 'console is refused like any name that was not given.',
    file: 'bindings/loopCompiler/traceExpressions.ts',
    find: `    if (name === 'console') refuseToShow(node, name)
`,
    replace: '',
    tests: ['loopCompiler/trace'],
  },
  {
    breaks: 'A compiled loop that ran once takes any query.',
    file: 'bindings/compile/compiledLoop.ts',
    find: 'if (plan !== this.plan) {',
    replace: 'if (this.plan === undefined) {',
    tests: ['compile/compile'],
  },
  {
    breaks: 'A compiled loop runs where some entities lack a component that it needs.',
    file: 'bindings/kernels/instances.ts',
    find: 'slotOf(kernel, name, definition, optional.includes(k), plan)',
    replace: 'slotOf(kernel, name, definition, true, plan)',
    tests: ['compile/compile'],
  },
  {
    breaks: 'x | 0 keeps what lies beyond 32 bits.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `if (op === 'or' && isConst(b) && b.data === 0 && isI32(a)) return a`,
    replace: `if (op === 'or' && isConst(b) && b.data === 0 && a.whole) return a`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'x >>> 0 keeps a sign.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'if (shift === 0 && isU32(a)) return a',
    replace: 'if (shift === 0 && a.whole) return a',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'x >>> 0 counts as less than 2^31.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'wholeFrom(0, MOST_U32 >>> (shift ?? 0))',
    replace: 'wholeFrom(0, MOST_I32)',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A negative mask bounds what it is applied to.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `const masks = op === 'and' ? [a, b].filter((v) => isI32(v) && v.least >= 0) : []`,
    replace: `const masks = op === 'and' ? [a, b].filter((v) => isI32(v)) : []`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A limit between two f32 is rounded to the nearest.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `const near = this.constant(nearestF32(limit, (op === 'lt') === (variable === a)))`,
    replace: 'const near = this.constant(Math.fround(limit))',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A limit is rounded to f32 for an f64, too.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'constant.exact && variable.exact && !variable.whole',
    replace: 'constant.exact && !variable.whole',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'The greater of an f32 and an f64 counts as f32.',
    file: 'bindings/loopCompiler/graph.ts',
    find: 'eitherFrom(a, b, Math[op](a.least, b.least), Math[op](a.most, b.most))',
    replace: '{ ...eitherFrom(a, b, Math[op](a.least, b.least), Math[op](a.most, b.most)), exact: a.exact }',
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A choice of an f32 and an f64 counts as f32.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `return this.make('select', [condition, a, b], known)`,
    replace: `return this.make('select', [condition, a, b], { ...known, exact: a.exact || b.exact })`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A square root is not rounded where f64 is wanted.',
    file: 'bindings/loopCompiler/graph.ts',
    find: `return this.make('sqrt', [a], {})`,
    replace: `return this.make('sqrt', [a], { exact: a.exact })`,
    tests: ['loopCompiler/graph'],
  },
  {
    breaks: 'A sum of two -0 is 0.',
    file: 'bindings/loopCompiler/known.ts',
    find: 'negativeZero = a.negativeZero && b.negativeZero',
    replace: 'negativeZero = false',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'The difference of -0 and 0 is 0.',
    file: 'bindings/loopCompiler/known.ts',
    find: `negativeZero = a.negativeZero
`,
    replace: `negativeZero = false
`,
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'The product of 0 and a negative number is 0.',
    file: 'bindings/loopCompiler/known.ts',
    find: 'negativeZero = a.negativeZero || b.negativeZero || a.least < 0 || b.least < 0',
    replace: 'negativeZero = a.negativeZero || b.negativeZero',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'What is rounded beyond 2^53 counts as exact.',
    file: 'bindings/loopCompiler/known.ts',
    find: `  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return {}
`,
    replace: '',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'A product of two signs counts as within the wrong range.',
    file: 'bindings/loopCompiler/known.ts',
    find: 'ends = [a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most]',
    replace: 'ends = [a.least * b.least, a.most * b.most]',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'A difference counts as within the wrong range.',
    file: 'bindings/loopCompiler/known.ts',
    find: 'ends = [a.least - b.most, a.most - b.least]',
    replace: 'ends = [a.least - b.least, a.most - b.most]',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'Below 0 the next f32 is sought in the wrong direction.',
    file: 'bindings/loopCompiler/known.ts',
    find: 'words[0] = (words[0] as number) + (near > 0 === up ? 1 : -1)',
    replace: 'words[0] = (words[0] as number) + (up ? 1 : -1)',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'A limit below the least f32 becomes 0.',
    file: 'bindings/loopCompiler/known.ts',
    find: 'if (near === 0) return up ? 2 ** -149 : -(2 ** -149)',
    replace: 'if (near === 0) return 0',
    tests: ['loopCompiler/known'],
  },
  {
    breaks: 'Sums of f64 that are stored as f32 are computed as f32.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: '(ROUNDS_BEFORE.test(operation) || isExact)',
    replace: `(ROUNDS_BEFORE.test(operation) || isExact || operation === 'add')`,
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'The sum of an f32 and an f64 is computed as f32.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: 'const isExact = inputs.every(({ exact }) => exact)',
    replace: 'const isExact = a.exact',
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'Square roots and floors of f64 are computed as f32.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: 'const ROUNDS_BEFORE = /^(?:abs|neg|min|max)$/',
    replace: 'const ROUNDS_BEFORE = /^(?:abs|neg|min|max|sqrt|floor|ceil|trunc)$/',
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'A product of a large whole number and 0 is computed as f32, which asks for it as f64.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: '(!value.exact || isWholeSum(value))',
    replace: '!value.exact',
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'Four rows of a vec are read as if they lay side by side.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: 'emitter.lanes && isDense(emitter, value)) {',
    replace: 'emitter.lanes) {',
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'A u32 above 2^31 becomes negative as f64.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: 'op.F64X2_CONVERT_LOW_I32X4_U',
    replace: 'op.F64X2_CONVERT_LOW_I32X4_S',
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'A u32 above 2^31 becomes negative as f32.',
    file: 'bindings/loopCompiler/floatForms.ts',
    find: 'op.F32X4_CONVERT_I32X4_U',
    replace: 'op.F32X4_CONVERT_I32X4_S',
    tests: ['loopCompiler/floatForms'],
  },
  {
    breaks: 'Products beyond 2^53 keep their lowest bits.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: `      return whole && a.whole && b.whole
`,
    replace: `      return a.whole && b.whole
`,
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'The lesser of an i32 and a u32 is that of their bits.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: 'return (isSigned(a) && isSigned(b)) || (isUnsigned(a) && isUnsigned(b))',
    replace: 'return true',
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'A rest above 2^31 is cut.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: 'within32(emitter, a, most <= MOST_I32)',
    replace: 'within32(emitter, a, true)',
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'The sign of a number beyond 32 bits is that of its lowest bits.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: `    case 'abs':
      return isSigned(a)
`,
    replace: `    case 'abs':
      return a.whole
`,
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'A single row keeps 16 bits of a u8.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: 'code.i32(dropped === 24 ? 0xff : 0xffff)',
    replace: 'code.i32(0xffff)',
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'Four f64 above 2^31 are saturated.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: 'emitter.number(2 ** 31, form)',
    replace: `emitter.number(form === 'd' ? 2 ** 33 : 2 ** 31, form)`,
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'Four f32 above 2^31 are saturated.',
    file: 'bindings/loopCompiler/wholeForm.ts',
    find: 'emitter.number(2 ** 31, form)',
    replace: `emitter.number(form === 'f' ? 2 ** 33 : 2 ** 31, form)`,
    tests: ['loopCompiler/wholeForm'],
  },
  {
    breaks: 'An f32 and an f64 compare as f32.',
    file: 'bindings/loopCompiler/maskForms.ts',
    find: `return a.exact && b.exact ? 'f' : 'd'`,
    replace: `return a.exact || b.exact ? 'f' : 'd'`,
    tests: ['loopCompiler/maskForms'],
  },
  {
    breaks: 'A number with a sign compares without it.',
    file: 'bindings/loopCompiler/maskForms.ts',
    find: `  if (isUnsigned(a) && isUnsigned(b)) return 'unsigned'
`,
    replace: `  if (isUnsigned(a) || isUnsigned(b)) return 'unsigned'
`,
    tests: ['loopCompiler/maskForms'],
  },
  {
    breaks: '2^32 counts as false.',
    file: 'bindings/loopCompiler/maskForms.ts',
    find: `  if (isSigned(a) && isSigned(b)) return 'signed'
`,
    replace: `  if (a.whole && b.whole) return 'signed'
`,
    tests: ['loopCompiler/maskForms'],
  },
  {
    breaks: 'Each costly side doubles the code.',
    file: 'bindings/loopCompiler/emitter.ts',
    find: `    if (sink.branch?.own.has(value) === false) return this.useAround(sink.branch, key, { value, form, half })
`,
    replace: '',
    tests: ['compile/hostile'],
  },
  {
    breaks: 'A field goes on to use places of chunks that are gone.',
    file: 'bindings/rows/fieldAccessor.ts',
    find: `      (((heap.u32[CHUNKS_VERSION_WORD] as number) + heap.chunksBefore) | 0) === this.version
`,
    replace: `      this.version !== -1
`,
    tests: ['rows/fieldAccessor'],
  },
  {
    breaks: 'A field that is written marks no change.',
    file: 'bindings/rows/fieldAccessor.ts',
    find: `    if (u32[this.ticks[chunk] as number] !== u32[WORLD_TICK_WORD]) this.mark(chunk)
`,
    replace: '',
    tests: ['rows/fieldAccessor'],
  },
  {
    breaks: 'A field of what has no row yet is read in a row of another entity.',
    file: 'bindings/rows/fieldAccessor.ts',
    find: `      if ((this.bases[location >>> ROW_BITS] as number) > 0) return location
`,
    replace: `      if (this.bases.length > 0) return location
`,
    tests: ['rows/fieldAccessor'],
  },
  {
    breaks: 'A prepared spawn writes where the columns of another layout were.',
    file: 'bindings/changes/spawner.ts',
    find: `    if (key !== layoutKey) learn(key)
`,
    replace: `    if (layoutKey === -1) learn(key)
`,
    tests: ['changes/spawner'],
  },
  {
    breaks: 'A prepared spawn keeps what a world knew before a reset.',
    file: 'bindings/changes/spawner.ts',
    find: `    if (state.bundles !== root || state.generation !== generation) open()
`,
    replace: `    if (root === undefined) open()
`,
    tests: ['changes/spawner'],
  },
  {
    breaks: 'A prepared spawn in a loop does not wait.',
    file: 'bindings/changes/spawner.ts',
    find: `    return node.directAddress !== 0 && ((state.locks | state.watching) === 0 || isDirectSpawn(state, node))
`,
    replace: `    return node.directAddress !== 0
`,
    tests: ['changes/spawner'],
  },
  {
    breaks: 'Stores to two vecs count as those of one.',
    file: 'bindings/loopCompiler/transpose.ts',
    find: `each.column === column && `,
    replace: '',
    tests: ['loopCompiler/transpose'],
  },
  {
    breaks: 'What is loaded beside another value is that value.',
    file: 'bindings/loopCompiler/transpose.ts',
    find: `    transposed(other.element - first)
`,
    replace: `    transposed(place)
`,
    tests: ['loopCompiler/transpose'],
  },
  {
    breaks: 'What the blocks return is joined from the last one on.',
    file: 'bindings/workers/pool.ts',
    find: 'for (let i = 0; i < blocks; i++) {',
    replace: 'for (let i = blocks - 1; i >= 0; i--) {',
    tests: ['workers/workers'],
  },
  {
    breaks: 'What came to be before a divided call is lost.',
    file: 'bindings/workers/pool.ts',
    find: `let total = sofar
`,
    replace: `let total = returned === RETURNS.min ? Infinity : returned === RETURNS.max ? -Infinity : 0
`,
    tests: ['workers/model'],
  },
  {
    breaks: 'The least of what threads return is the greatest.',
    file: 'bindings/workers/pool.ts',
    find: 'if (returned === RETURNS.min) total',
    replace: 'if (returned === RETURNS.max) total',
    tests: ['workers/model'],
  },
  {
    breaks: 'Blocks that return something are run together.',
    file: 'bindings/workers/thread.ts',
    find: 'returned === 0 ? Math.floor((AREA_WORDS - head) / blockWords) : 1',
    replace: 'Math.floor((AREA_WORDS - head) / blockWords)',
    tests: ['workers/model'],
  },
  {
    breaks: 'A failure leaves the rest of a run to nobody, and is waited for.',
    file: 'bindings/workers/thread.ts',
    find: `      done += Atomics.and(control, TICKET, ~LEFT_MASK) & LEFT_MASK
`,
    replace: `      Atomics.and(control, TICKET, ~LEFT_MASK)
`,
    tests: ['workers/pool'],
  },
  {
    breaks: 'A kernel that writes a resource is divided.',
    file: 'bindings/workers/reasons.ts',
    find: `role === 'resource' && parameter.writes`,
    replace: `role === 'resource' && false`,
    tests: ['workers/model'],
  },
  {
    breaks: 'Sums of compiled loops are divided.',
    file: 'bindings/workers/reasons.ts',
    find: `result === 'sum' && code.file === COMPILED`,
    replace: `code.file === ''`,
    tests: ['workers/model'],
  },
  {
    breaks: 'A module with variables of its own is divided.',
    file: 'bindings/workers/reasons.ts',
    find: 'if (hasGlobals(bytesOf(code)))',
    replace: 'if (hasGlobals(new Uint8Array(8)))',
    tests: ['workers/workers'],
  },
  {
    breaks: 'A kernel that is guarded is divided.',
    file: 'bindings/workers/division.ts',
    find: '(isGuarded ? GUARDED : undefined)',
    replace: 'undefined',
    tests: ['workers/workers'],
  },
  {
    breaks: 'Workers write the tables of kernels again.',
    file: 'bindings/workers/sharedForm.ts',
    find: 'id === DATA && !hasData',
    replace: 'id === 0 && !hasData',
    tests: ['workers/sharedForm'],
  },
  {
    breaks: 'A shared memory may grow further than the plain one.',
    file: 'bindings/workers/sharedForm.ts',
    find: 'leb(Math.min(maximum, MOST_PAGES))',
    replace: 'leb(MOST_PAGES)',
    tests: ['workers/sharedForm'],
  },
  {
    breaks: 'A world asks for 2 GiB or for nothing.',
    file: 'bindings/workers/sharedCore.ts',
    find: 'isFlexible ? Math.max(initial, LEAST_MAXIMUM) : most',
    replace: 'most',
    tests: ['workers/workers'],
  },
  {
    breaks: 'What a later time left in memory stays there after a restore.',
    file: 'bindings/snapshots/image.ts',
    find: `    f64.fill(0, this.word(BLOCKS_TOUCHED) / 8, touched / 8)
`,
    replace: `    f64.fill(0, this.word(BLOCKS_TOUCHED), touched)
`,
    tests: ['snapshots/image', 'snapshots/restoring'],
  },
]
