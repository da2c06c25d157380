// The components of the script of what is heard: so many tags and components that the few folded changes which a world keeps are
// given up and made again all the time, in every storage and with every property that decides what listeners are told.

import {
  component,
  entity,
  f32,
  f64,
  i32,
  object,
  QueuedForDestroy,
  relation,
  resource,
  sparse,
  stable,
  tag,
  text,
  toggle,
  u16,
  u8,
  vec,
  type ComponentLike,
} from '../../../bindings/index'

export type Values = Readonly<Record<string, unknown>>

/** A value of JavaScript. */
export interface Thing {
  readonly n: number
}

/** A declaration, and what of it decides about events. */
export interface Kind {
  readonly name: string
  readonly declared: ComponentLike
  readonly sort: 'tag' | 'component' | 'object' | 'relation'
  /** What each field starts with; empty for what has none. */
  readonly defaults: Values
  /** Some or all fields, made from a number. */
  readonly make: (n: number) => Values
  /** Whether it can be switched off. */
  readonly toggles: boolean
  /** Whether entities with it are in no query that does not name it, and copies do not get it. */
  readonly hides: boolean
  /** Whether the end of a frame removes it. */
  readonly isBrief: boolean
  /** Whether it is an ordered tag. */
  readonly isOrdered: boolean
  /** Of an object component: whether it has a maker, and whether copies get a value. */
  readonly makes: boolean
  readonly clones: boolean
  /** Of a relation. */
  readonly isExclusive: boolean
  readonly policy: 'remove' | 'destroy' | 'keep'
}

/** What lives of a JavaScript value: the script says who is called. */
export const lives: {
  begins: (name: string, thing: Thing, handle: number) => void
  ends: (name: string, thing: Thing, handle: number) => void
  made: (name: string) => Thing
  cloned: (name: string, thing: Thing) => Thing
} = {
  begins: () => {},
  ends: () => {},
  made: () => ({ n: 0 }),
  cloned: (_, thing) => thing,
}

const PLAIN = {
  defaults: {},
  make: () => ({}),
  toggles: false,
  hides: false,
  isBrief: false,
  isOrdered: false,
  makes: false,
  clones: false,
  isExclusive: false,
  policy: 'remove',
} as const

function tagged(name: string, options: object = {}, traits: Partial<Kind> = {}): Kind {
  return { ...PLAIN, name, declared: tag(name, options), sort: 'tag', ...traits }
}

function valued(
  name: string,
  fields: object,
  options: object,
  defaults: Values,
  make: (n: number) => Values,
  traits: Partial<Kind> = {},
): Kind {
  const declared = component(name, fields as never, options) as unknown as ComponentLike
  return { ...PLAIN, name, declared, sort: 'component', defaults, make, ...traits }
}

function held(name: string, makes: boolean, clones: boolean): Kind {
  const life = {
    init: (thing: Thing, handle: number) => lives.begins(name, thing, handle),
    dispose: (thing: Thing, handle: number) => lives.ends(name, thing, handle),
    ...(clones ? { clone: (thing: Thing) => lives.cloned(name, thing) } : {}),
    save: ({ n }: Thing) => n,
    load: (n: unknown) => ({ n: n as number }),
  }
  const declared = (makes
    ? object<Thing>(name, () => lives.made(name), life)
    : object<Thing>(name, life)) as unknown as ComponentLike
  return { ...PLAIN, name, declared, sort: 'object', make: (n) => ({ n }), makes, clones }
}

function related(name: string, options: object, traits: Partial<Kind> = {}, fields?: object): Kind {
  const declared = (fields === undefined
    ? relation(name, options as never)
    : relation(name, fields as never, options as never)) as unknown as ComponentLike
  return { ...PLAIN, name, declared, sort: 'relation', ...traits }
}

const small = (n: number) => n & 0xff

const TAGS: readonly Kind[] = [
  // The library declares it, before all others.
  { ...PLAIN, name: 'Discarded', declared: QueuedForDestroy, sort: 'tag' },
  ...Array.from({ length: 16 }, (_, i) => tagged(`T${i}`)),
  tagged('Tracked', { trackChanges: 'row' }),
  tagged('Also', { trackChanges: 'row' }),
  tagged('Lamp', { toggle }, { toggles: true }),
  tagged('Torch', { toggle, trackChanges: 'row' }, { toggles: true }),
  tagged('Queued', { order: 'insertion' }, { isOrdered: true }),
  tagged('Lined', { order: 'insertion', trackChanges: 'row' }, { isOrdered: true }),
  tagged('Hit', { lifetime: 'frame' }, { isBrief: true }),
  tagged('Prefab', { excludeFromQueries: true }, { hides: true }),
  tagged('Hidden', { excludeFromQueries: true }, { hides: true }),
]

const COMPONENTS: readonly Kind[] = [
  valued('Place', { x: f32, y: f32 }, {}, { x: 0, y: 0 }, (n) =>
    n % 2 ? { x: small(n) } : { x: n % 9, y: 1 },
  ),
  valued('Count', { n: u16.default(7), m: i32 }, {}, { n: 7, m: 0 }, (n) => ({ n: small(n) })),
  valued('Engine', { power: f64 }, { toggle }, { power: 0 }, (n) => ({ power: n % 99 }), {
    toggles: true,
  }),
  valued('Speed', { x: f32 }, { trackChanges: 'row' }, { x: 0 }, (n) => ({ x: n % 50 })),
  valued('Label', { text }, {}, { text: '' }, (n) => ({ text: `label ${n % 30}` })),
  valued('Grid', { m: vec(u8, 3) }, {}, { m: [0, 0, 0] }, (n) => ({ m: [n & 7, 1, 2] })),
  valued('Aim', { who: entity, at: u8 }, {}, { who: 0xffffffff, at: 0 }, (n) => ({ at: small(n) })),
  valued('Health', { hp: u16 }, { storage: sparse }, { hp: 0 }, (n) => ({ hp: small(n) })),
  valued(
    'Shield',
    { left: u8, name: text.default('none') },
    { storage: sparse, toggle, trackChanges: 'row' },
    { left: 0, name: 'none' },
    (n) => (n % 2 ? { left: small(n) } : { name: `shield ${n % 9}` }),
    { toggles: true },
  ),
  valued('Fuel', { kg: f32 }, { storage: sparse, trackChanges: 'row' }, { kg: 0 }, (n) => ({ kg: n % 40 })),
  valued('Slot', { number: i32 }, { storage: stable }, { number: 0 }, (n) => ({ number: n % 1000 })),
  valued('Shelf', { height: u8 }, { storage: stable, toggle }, { height: 0 }, (n) => ({ height: small(n) }), {
    toggles: true,
  }),
  valued('Damage', { points: u8 }, { lifetime: 'frame' }, { points: 0 }, (n) => ({ points: small(n) }), {
    isBrief: true,
  }),
  valued(
    'Spark',
    { heat: u8 },
    { storage: sparse, lifetime: 'frame' },
    { heat: 0 },
    (n) => ({ heat: small(n) }),
    { isBrief: true },
  ),
]

const OBJECTS: readonly Kind[] = [
  held('Sprite', false, true),
  held('Socket', false, false),
  held('Moves', true, false),
]

const weighed = { defaults: { weight: 0 }, make: (n: number) => ({ weight: small(n) }) }

const RELATIONS: readonly Kind[] = [
  related(
    'ChildOf',
    { exclusive: true, onTargetDestroy: 'destroy' },
    { isExclusive: true, policy: 'destroy' },
  ),
  related('DockedAt', { exclusive: true }, { isExclusive: true, ...weighed }, { weight: u8 }),
  related('Likes', {}, weighed, { weight: u8 }),
  related('Needs', { onTargetDestroy: 'destroy' }, { policy: 'destroy' }),
  related('Knows', { onTargetDestroy: 'keep' }, { policy: 'keep' }),
  related('Minds', { exclusive: true, onTargetDestroy: 'keep' }, { isExclusive: true, policy: 'keep' }),
]

export const Weather = resource('Weather', { wind: u8 })
export const Rules = resource('Rules', { level: u8 })
export const RESOURCES = [Weather, Rules] as const

/** All that a world of a script may know, in the order of the declarations. */
export function kindsOf(hasObjects: boolean, hasRelations: boolean): readonly Kind[] {
  return [...TAGS, ...COMPONENTS, ...(hasObjects ? OBJECTS : []), ...(hasRelations ? RELATIONS : [])]
}
