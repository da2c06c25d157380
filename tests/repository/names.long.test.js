// Shows which names programs can import, and the rule that allows each: after this list no name changes.

import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { publicNames } from '../support/publicNames.ts'

const words = (text) => text.trim().split(/\s+/)

/** The names of 'strata-ecs', by what the rule says of them. What must look alike has a form. */
const RULES = [
  { rule: 'what acts on many takes a query, or a world and a list', form: /Many(At)?$/, names: 'addMany removeMany setMany destroyMany enableMany disableMany spawnMany cloneMany spawnManyAt' },
  { rule: 'what acts on a whole world', form: /World$/, names: 'snapshotWorld restoreWorld forkWorld digestWorld saveWorld loadWorld mergeWorld clearWorld resetWorld trimWorld' },
  { rule: 'what keeps state of its own', form: /^create[A-Z]/, names: 'createWorld createSchedule createHistory createCommands createSpawner createAccessor createGroup createKernel createRemovalReader' },
  { rule: 'what listens, and returns its unsubscribe', form: /^on[A-Z]/, names: 'onAdd onRemove onSet onResource onRestore onEnter onExit onChange' },
  { rule: 'what copies or reduces a column, or asks of one thing', form: /(Of|Column)$/, names: 'sumOf minOf maxOf getColumn setColumn objectsOf depthOf textOf' },
  { rule: 'what is declared', names: 'component tag object relation resource i8 u8 i16 u16 i32 u32 f32 f64 bool entity text vec sparse stable toggle' },
  { rule: 'what a query asks with', names: 'not any all optional present changed added cascade inCreationOrder' },
  { rule: 'copies and handles that are given', names: 'cloneEntity cloneTree omit spawnAt' },
  { rule: 'files', names: 'loadInto saveToJSON loadFromJSON' },
  { rule: 'order', names: 'sortRows sortRowsAs sortedEntities' },
  { rule: 'the end of a frame', names: 'queueDestroy QueuedForDestroy endFrame' },
  { rule: 'as they are', names: 'ancestors descendants textId internText sweepTexts sweepReferences checkReplay isNull isStrataError NULL_ENTITY kernelRuntime' },
  { rule: 'classes, for instanceof and types', form: /^[A-Z][a-z]/, names: 'World Query Schedule ComponentValue Omitted StrataError StrataTypeError DeadEntityError LimitError SystemError' },
] // prettier-ignore

const METHODS = {
  World: 'spawn destroy isAlive add remove exchange has get set setIfDifferent enable disable isEnabled query batch target targets setTargets sources sourceCount reorder resource setResource getResource hasResource removeResource componentsOf components componentByName tick advanceTick stats dispose',
  Query: 'each run count isEmpty first single at entities map where slice partition version dispose',
} // prettier-ignore

const ENTRIES = {
  checked: 'checkedCore',
  compile: 'compile compiledAhead compiledVariantsAhead read',
  workers: 'workers',
  arrow: 'toArrow',
  react: 'WorldProvider useComponent useComponentEffect useCount useFirst useHas useQuery useResource useTarget useWorld',
  three: 'createInstances createPoints',
  inspect: 'InspectError inspect',
  inspector: 'StrataInspector installInspector',
  'kernel-compiler': 'KernelSourceError compileKernels',
  rollup: 'default',
} // prettier-ignore

/** The types of each entry: nouns in CamelCase. Options are named for what the call makes or does. */
const TYPES = {
  index: `
    AbsentObject Accessor AddObjectsOptions Added AllOf Alternative Ambiguity AnyComponent AnyExclusiveRelation AnyObject
    AnyOf AnyRelation AnyResource BeforeHandler BoundKernel Cascade Changed ChangedOptions Chunk ColumnBinding ColumnKind
    ColumnParameter Columns Commands Comparison Component ComponentLike ComponentOptions Condition Constraint Cursor
    Cursors DividedKernelStats EachCallback EntitiesParameter Entity EntityArray ErrorCode ExistingOption Field
    FieldAccessor Handler HeapArrays History HistoryOptions InCreationOrder Ingredient Input Kernel KernelCode
    KernelColumns KernelDescription KernelFunction KernelOptions KernelParameter KernelParent KernelResource KernelRuntime
    KernelScalars LoadIntoOptions LoadOptions Loaded MadeObject ManyRelation ManyRelationOptions MergeOptions Merged
    Migrations Not ObjectComponent ObjectOptions ObjectValue OnTargetDestroy Optional OrderedTag Ordering Override Pair
    ParentParameter PhaseName PhaseOptions PhaseStats Present ReadonlyColumns Reduction Relation RelationOptions Removal
    RemovalReader ReplayOptions ReplayReport Resource ResourceChange ResourceOptions ResourceParameter RestoreReport
    SaveOptions Saveable ScalarField ScalarKind ScalarParameter ScheduleOptions ScheduleStats Schema SlimOptions Snapshot
    SnapshotOptions SortDirection SortOptions SortedOptions Spawner SpawnerPart StableAccessor Storage StorageKind System
    SystemFunction SystemObject SystemOptions SystemReference SystemStats Tag TagOptions TagOrder Term Toggle Updatable
    UpdatableComponent Value ValueLists ValueOf ValueResource VecField Workers WorkersStats WorldOptions WorldStats
  `,
  compile: 'CompileOptions CompiledLoop LoopOptions LoopValue LoopValues Part Read RunField',
  workers: 'DividedKernelStats Workers WorkersOptions WorkersStats',
  checked: 'CheckedOptions',
  arrow: 'ArrowOptions',
  react: 'WatchedQuery WorldProviderProps',
  three: 'ColumnSource EntityPoints Instances InstancesOptions PointsOptions SourceComponent',
  inspect: `
    ArchetypeInfo ChunkInfo ComponentInfo EntityComponent FieldInfo Found FoundOrder FoundRow Inspection LinkInfo
    ListenerInfo PoolInfo QueryInfo RelationInfo ResourceInfo
  `,
  inspector: 'AttachOptions Change Clock InstallOptions InstalledInspector Past',
  'kernel-compiler': 'CompileOptions CompiledKernels KernelDescription KernelSourceProblem',
  rollup: 'BuildContext KernelLog KernelsOptions KernelsPlugin LoadContext TransformContext',
} // prettier-ignore

const exportsOf = async (entry) => Object.keys(await import(`../../dist/${entry}.js`)).sort()

/** What declarations export beside what programs can import at run time. */
const typesOf = async (entry) => {
  const text = readFileSync(new URL(`../../dist/${entry}.d.ts`, import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names.split(','),
  )
  const values = await exportsOf(entry)
  return listed
    .map((name) => name.trim().replace(/^type |^.* as /, ''))
    .filter((name) => name !== '' && !values.includes(name))
    .sort()
}

describe('The public names', () => {
  it.each(['index', 'slim'])('of strata-ecs are the ones of the list, and no others: %s', async (entry) => {
    expect(await exportsOf(entry)).toEqual(RULES.flatMap(({ names }) => words(names)).sort())
  })

  it.each(RULES.filter(({ form }) => form))('look alike: $rule', ({ form, names }) => {
    expect(words(names).filter((name) => !form.test(name))).toEqual([])
  })

  it.each(Object.entries(ENTRIES))('of strata-ecs/%s are the ones of the list', async (entry, names) => {
    expect(await exportsOf(entry)).toEqual(words(names).sort())
  })

  it.each(Object.entries(TYPES))('of the types of %s are the ones of the list', async (entry, names) => {
    expect(await typesOf(entry)).toEqual(words(names).sort())
    expect(words(names).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
  })

  it('of the types are the same with and without the core in the file', async () => {
    expect(await typesOf('slim')).toEqual(await typesOf('index'))
  })

  it.each([
    ['World', 'world/world'],
    ['Query', 'queries/query'],
  ])('of the methods of %s are the ones of the list', (name, file) => {
    expect(publicNames(file, name).sort()).toEqual(words(METHODS[name]).sort())
  })

  it('of the entries are in package.json, one plugin under two names', () => {
    const path = fileURLToPath(new URL('../../package.json', import.meta.url))
    const { exports } = JSON.parse(readFileSync(path, 'utf8'))
    const expected = [
      'slim',
      'kernel',
      ...Object.keys(ENTRIES),
      'vite',
      'worker.js',
      'core.wasm',
      'package.json',
    ]
    expect(Object.keys(exports).sort()).toEqual(['.', ...expected.map((entry) => `./${entry}`)].sort())
    expect(exports['./vite']).toEqual(exports['./rollup'])
  })
})

describe('The sentences of errors', () => {
  const bindings = fileURLToPath(new URL('../../bindings/', import.meta.url))
  const sources = readdirSync(bindings, { recursive: true }).filter((path) => path.endsWith('.ts'))
  /** What is given the name of a call, to begin a sentence with. */
  const NAMING = new RegExp(
    `\\b(?:${words(`
      stateOf queryGiven refuse refuseWhileLocked refuseShared refuseNarrowed refuseOther refusePromise notAComponent withoutFields
      checkWhole checkCallback checkFunction checkSwitch checkOptions checkInto checkCount checkSnapshot takeArray takeHandles takeListed
      takeOverrides follow followAll with withAll limitIn columns poolOf dead fieldKey requiredIn watchable sortKey
    `).join('|')})\\([^'\\n\`]*'([\\w.]+)(?:: \\w+)?'`,
    'g',
  )
  const CHUNK = 'read write markChanged index cursor'
  /** Options of a call, and calls of the library itself. */
  const OTHERS = 'order load migrate only checkedCore'

  it('begin with the public name of a call', () => {
    const known = new Set(
      words([...RULES.map(({ names }) => names), ...Object.values(METHODS), CHUNK, OTHERS].join(' ')),
    )
    const isKnown = (name) =>
      known.has(name) || /^(?:commands|history|schedule|kernel|query)\.\w+$/.test(name)
    const named = sources.flatMap((path) =>
      [...readFileSync(`${bindings}${path}`, 'utf8').matchAll(NAMING)].map(([, name]) => ({ path, name })),
    )
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter(({ name }) => !isKnown(name))).toEqual([])
  })

  it('are told apart by public names where they say what to write instead', () => {
    const text = readFileSync(`${bindings}components/notAComponent.ts`, 'utf8')
    const lists = [...text.matchAll(/\(\?:((?:\w+\|)+\w+)\)\$/g)].flatMap(([, list]) => list.split('|'))
    const known = new Set(words([...RULES.map(({ names }) => names), ...Object.values(METHODS)].join(' ')))
    expect(lists.length).toBeGreaterThan(15)
    expect(lists.filter((name) => !known.has(name))).toEqual([])
  })
})
