// Owns the JSON of a save: one line for each component, entity, link and resource, with names in place of numbers. It must never
// say more or less than the bytes do, except which of its many bit patterns a NaN has.

import { type Field, type List, accepts } from '../components/fields'
import { FAMILIES, KINDS, type Kind, rounded } from '../components/fieldKinds'
import { headIn, listIn, objectIn, stringIn, writeFields } from './checkSaved'
import { NONE, NUMBERS, numberName } from './plainValues'
import {
  type SavedColumns,
  NO_NUMBER,
  type SavedRows,
  type SavedComponent,
  type SavedField,
  type SavedLinks,
  type SavedWorld,
  checkFormat,
  handlesOf,
  inTurn,
  isOff,
  refused,
  valuesOf,
  versionOf,
} from './savedWorld'

const FORMAT = 'strata-save'

// ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────

/** The JSON of a save. Equal saves have equal texts. */
export function toJSON(saved: SavedWorld): string {
  const { tick, texts, components, tables, pools, links, making, resources } = saved
  const handles = handlesOf(tables)
  const valueOf = (kind: Kind, value: number): unknown => {
    const family = FAMILIES[kind]
    switch (family) {
      case 'text':
        return texts[value]
      case 'bool':
        return value !== 0
      case 'entity':
        return value === NO_NUMBER ? null : handles[value]
      case 'integer':
        return value
      case 'float':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : numberName(value)
      default:
        return family satisfies never
    }
  }
  const valuesIn = (fields: readonly SavedField[], columns: SavedColumns, row: number) =>
    Object.fromEntries(
      fields.map(({ name, kind, length }, k) => {
        const values = valuesOf(kind, columns[k] as Uint8Array).subarray(row * length, (row + 1) * length)
        const list = Array.from(values, (value) => valueOf(kind, value))
        return [name, length === 1 ? list[0] : list]
      }),
    )
  /** What each entity has in tables and pools, by its number: rows, and the row in them. */
  const parts: [SavedRows, number][][] = Array.from(handles, () => [])
  let first = 0
  for (const table of tables) for (let row = 0; row < table.count; row++) parts[first++]?.push([table, row])
  for (const pool of pools) pool.entities.forEach((number, row) => parts[number]?.push([pool, row]))
  const valuesOfObjects = (each: readonly [SavedRows, number][]) => {
    if (!each.some(([{ values }]) => values !== undefined)) return undefined
    const known = each.flatMap(([{ components: places, values }, row]) =>
      places.flatMap((place, i) => {
        const list = values?.[i]
        return list === undefined ? [] : [[components[place]?.name, list[row]] as const]
      }),
    )
    return known.length > 0 ? { values: Object.fromEntries(known) as object } : undefined
  }
  const entities = parts.map((each, number) => {
    const off: string[] = []
    const has = each.flatMap(([rows, row]) =>
      rows.components.map((place, i) => {
        const { name, fields } = components[place] as SavedComponent
        if (isOff(rows.off[i], row)) off.push(name)
        return [name, valuesIn(fields, rows.columns[i] as SavedColumns, row)] as const
      }),
    )
    return {
      entity: handles[number],
      has: Object.fromEntries(has),
      ...(off.length > 0 && { off }),
      ...valuesOfObjects(each),
    }
  })
  const order: object[] = pools.flatMap(({ components: [place = 0], entities: numbers }) =>
    numbers.every((number, i) => i === 0 || number > (numbers[i - 1] as number))
      ? []
      : [{ component: components[place]?.name, entities: Array.from(numbers, (number) => handles[number]) }],
  )
  const handleAt = (number: number) => (number === NO_NUMBER ? null : handles[number])
  const linked = links.flatMap(({ components: [place = 0], entities: sources, targets, turns, columns }) => {
    const { name, fields } = components[place] as SavedComponent
    return Array.from(inTurn(turns), (row) => ({
      relation: name,
      source: handleAt(sources[row] as number),
      target: handleAt(targets[row] as number),
      ...(fields.length > 0 && { values: valuesIn(fields, columns[0] as SavedColumns, row) }),
    }))
  })
  for (const {
    components: [place = 0],
    entities: sources,
    targets,
    turns,
  } of links) {
    if (areUsual(sources, turns)) continue
    order.push({
      component: components[place]?.name,
      entities: Array.from(sources, handleAt),
      targets: Array.from(targets, handleAt),
    })
  }
  const lists = {
    components: components.map((one) => ({ ...one, fields: writeFields(one.fields) })),
    entities,
    ...(linked.length > 0 && { links: linked }),
    order,
    ...(making && { making: Array.from(making, handleAt) }),
    resources: resources.map(({ name, fields, columns, value }) =>
      fields === undefined
        ? { name, value }
        : { name, fields: writeFields(fields), values: valuesIn(fields, columns, 0) },
    ),
  }
  const linesOf = (list: readonly unknown[]) => list.map((one) => `\n  ${JSON.stringify(one)}`).join()
  const parted = Object.entries(lists).map(([name, list]) => `"${name}": [${linesOf(list)}\n]`)
  return `{\n"format": "${FORMAT}", "version": ${versionOf(saved)}, "tick": ${tick},\n${parted.join(',\n')}\n}\n`
}

/** Whether the rows of links are in the order of their sources, and those of one source in that of their turns. */
function areUsual(sources: Uint32Array, turns: Uint32Array): boolean {
  return sources.every((number, row) => {
    const before = row === 0 ? -1 : (sources[row - 1] as number)
    return number > before || (number === before && (turns[row] as number) > (turns[row - 1] as number))
  })
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * What the JSON of a save says.
 *
 * @throws StrataError SAVE_REFUSED
 */
export function fromJSON(json: string): SavedWorld {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch (cause) {
    throw refused('it is not JSON', cause)
  }
  const head = objectIn(given, 'it')
  if (head['format'] !== FORMAT) throw refused(`its format is not '${FORMAT}'`)
  checkFormat(head['version'])
  return new Reading(head).read()
}

/** An entity as it is written. */
interface Written {
  readonly handle: number
  /** By the name of the component. */
  readonly has: Readonly<Record<string, unknown>>
  readonly off: ReadonlySet<unknown>
  /** What objects have saved, by the name of the component. */
  readonly values: Readonly<Record<string, unknown>>
}

/** A link as it is written, and the numbers of its ends. */
interface WrittenLink {
  readonly source: number
  readonly target: number
  readonly values: unknown
  readonly turn: number
}

class Reading {
  private readonly known: ReturnType<typeof headIn>
  private readonly places: ReadonlyMap<string, number>
  private readonly texts = ['']
  private readonly textPlaces = new Map([['', 0]])
  private readonly numbers = new Map<number, number>()

  constructor(private readonly head: Readonly<Record<string, unknown>>) {
    this.known = headIn({ ...head, texts: undefined })
    this.places = new Map(this.known.components.map(({ name }, place) => [name, place]))
  }

  read(): SavedWorld {
    const { tick, components, resources } = this.known
    /** By the places of their components in tables. */
    const groups = new Map<string, Written[]>()
    const pooled: Written[][] = components.map(() => [])
    for (const one of listIn(this.head['entities'], 'entities')) {
      const written = writtenIn(one)
      const places = Object.keys(written.has).map((name) => this.placeOf(name))
      const key = places
        .filter((place) => components[place]?.storage === 'table')
        .sort((a, b) => a - b)
        .join()
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [written])
      else group.push(written)
      for (const place of places) if (components[place]?.storage !== 'table') pooled[place]?.push(written)
    }
    for (const group of groups.values())
      for (const { handle } of group) {
        if (this.numbers.has(handle)) throw refused(`entity ${handle} is there twice`)
        this.numbers.set(handle, this.numbers.size)
      }
    const tables = [...groups].map(([key, group]) => ({
      ...this.rowsIn(key === '' ? [] : key.split(',').map(Number), group),
      entities: Uint32Array.from(group, ({ handle }) => handle),
    }))
    const linked = this.readLinks()
    this.putInOrder(pooled, linked)
    const pools = pooled.flatMap((group, place) => {
      if (group.length === 0) return []
      const entities = Uint32Array.from(group, ({ handle }) => this.numbers.get(handle) as number)
      return [{ ...this.rowsIn([place], group), entities }]
    })
    const filled = resources.map((resource, i) => {
      const { values } = listIn(this.head['resources'], 'resources')[i] as { readonly values?: unknown }
      const { name, fields } = resource
      if (fields === undefined && values !== undefined) throw refused(`${name} has values and no fields`)
      return { ...resource, columns: fields === undefined ? [] : this.columnsIn(name, fields, [values]) }
    })
    const links = [...linked].map(([place, group]) => this.linksIn(place, group))
    return {
      tick,
      texts: this.texts,
      components,
      tables,
      pools,
      links,
      making: this.readMaking(),
      resources: filled,
    }
  }

  private readMaking(): Uint32Array | undefined {
    const { making } = this.head
    if (making === undefined) return undefined
    const handles = listIn(making, 'the order of making')
    return Uint32Array.from(handles, (handle) => this.numberOf(handle, 'an entity in the order of making'))
  }

  private placeOf(name: string): number {
    const place = this.places.get(name)
    if (place === undefined) throw refused(`${name} is not among its components`)
    return place
  }

  /** The links by the place of their relation, in the order of their sources. */
  private readLinks(): Map<number, WrittenLink[]> {
    const linked = new Map<number, WrittenLink[]>()
    for (const one of listIn(this.head['links'] ?? [], 'links')) {
      const { relation, source, target, values = {} } = objectIn(one, 'a link')
      const place = this.placeOf(stringIn(relation, 'the relation of a link'))
      const group = linked.get(place) ?? []
      linked.set(place, group)
      group.push({
        source: this.numberOf(source, 'the source of a link'),
        target: target === null ? NO_NUMBER : this.numberOf(target, 'the target of a link'),
        values,
        turn: group.length,
      })
    }
    for (const group of linked.values()) group.sort((a, b) => a.source - b.source)
    return linked
  }

  private linksIn(place: number, group: readonly WrittenLink[]): SavedLinks {
    const { name, fields } = this.known.components[place] as SavedComponent
    return {
      count: group.length,
      components: [place],
      entities: Uint32Array.from(group, ({ source }) => source),
      targets: Uint32Array.from(group, ({ target }) => target),
      turns: Uint32Array.from(group, ({ turn }) => turn),
      columns: [
        this.columnsIn(
          name,
          fields,
          group.map(({ values }) => values),
        ),
      ],
      off: [],
    }
  }

  private numberOf(handle: unknown, what: string): number {
    const number = this.numbers.get(handle as number)
    if (number === undefined) throw refused(`${what} is no entity in it`)
    return number
  }

  /** Puts pools and links in the order that is given: all entities, each once. Others stay in that of the entities. */
  private putInOrder(pooled: Written[][], linked: ReadonlyMap<number, WrittenLink[]>): void {
    const numberOf = ({ handle }: Written) => this.numbers.get(handle) as number
    for (const group of pooled) group.sort((a, b) => numberOf(a) - numberOf(b))
    for (const one of listIn(this.head['order'] ?? [], 'order')) {
      const { component, entities, targets } = objectIn(one, 'an order')
      const name = stringIn(component, 'the component of an order')
      const links = linked.get(this.placeOf(name))
      if (links !== undefined) {
        this.putLinksInOrder(name, links, listIn(entities, `the order of ${name}`), targets)
        continue
      }
      const group = pooled[this.placeOf(name)] as Written[]
      const turns = new Map(listIn(entities, `the order of ${name}`).map((handle, turn) => [handle, turn]))
      if (turns.size !== group.length || group.some(({ handle }) => !turns.has(handle)))
        throw refused(`the order of ${name} does not name the entities that have it`)
      group.sort((a, b) => (turns.get(a.handle) as number) - (turns.get(b.handle) as number))
    }
  }

  private putLinksInOrder(
    name: string,
    links: WrittenLink[],
    sources: readonly unknown[],
    given: unknown,
  ): void {
    const targets = listIn(given, `the targets in the order of ${name}`)
    const keyOf = (source: unknown, target: unknown) => `${String(source)} ${String(target)}`
    /** Of those whose target is gone, a source may have several: they stay as they are among each other. */
    const named = new Map<string, WrittenLink[]>()
    for (const link of links.reverse()) {
      const key = keyOf(link.source, link.target)
      const same = named.get(key)
      if (same === undefined) named.set(key, [link])
      else same.push(link)
    }
    const order = sources.flatMap((source, turn) => {
      const target = targets[turn]
      const end = target === null ? NO_NUMBER : this.numbers.get(target as number)
      return named.get(keyOf(this.numbers.get(source as number), end))?.pop() ?? []
    })
    if (sources.length !== links.length || order.length !== links.length)
      throw refused(
        `the order of ${name} does not name its links (without it, they are in that of the sources)`,
      )
    links.splice(0, links.length, ...order)
  }

  private rowsIn(components: readonly number[], group: readonly Written[]): Omit<SavedRows, 'entities'> {
    const named = components.map((place) => this.known.components[place] as SavedComponent)
    const valuesIn = named.map(({ name }) =>
      group.some(({ values }) => Object.hasOwn(values, name))
        ? group.map(({ values }) => (Object.hasOwn(values, name) ? values[name] : NONE))
        : undefined,
    )
    return {
      count: group.length,
      components,
      columns: named.map(({ name, fields }) =>
        this.columnsIn(
          name,
          fields,
          group.map(({ has }) => has[name]),
        ),
      ),
      off: named.map(({ name }) => {
        const off = new Uint8Array((group.length + 7) >> 3)
        group.forEach((written, row) => {
          if (written.off.has(name)) off[row >> 3] = (off[row >> 3] as number) | (1 << (row & 7))
        })
        return off
      }),
      values: valuesIn.some((list) => list !== undefined) ? valuesIn : undefined,
    }
  }

  /** The columns of some rows, each an object of values by field name. */
  private columnsIn(name: string, fields: readonly SavedField[], rows: readonly unknown[]): SavedColumns {
    const objects = rows.map((row) => objectIn(row, `a value of ${name}`))
    for (const row of objects)
      for (const key of Object.keys(row))
        if (!fields.some((field) => field.name === key)) throw refused(`${name} has no field '${key}' in it`)
    return fields.map(({ name: field, kind, length }) => {
      const values: List = new KINDS[kind].Column(rows.length * length)
      objects.forEach((row, i) => {
        const value = Object.hasOwn(row, field) ? row[field] : undefined
        const list = length === 1 ? [value] : listIn(value, `${name}.${field}`)
        if (list.length !== length) throw refused(`${name}.${field} has not ${length} values`)
        for (let k = 0; k < length; k++)
          values[i * length + k] = this.numberIn(kind, list[k], `${name}.${field}`)
      })
      return new Uint8Array((values as Uint8Array).buffer)
    })
  }

  /** What a column holds for a value. */
  private numberIn(kind: Kind, value: unknown, what: string): number {
    const known = this.knownIn(kind, value)
    if (!accepts({ kind } as Field, known)) throw refused(`a value of ${what} is not of kind ${kind}`)
    return typeof known === 'string' ? this.placeOfText(known) : Number(known)
  }

  /** A value as the world has it, with the number of an entity in place of its handle; undefined if it does not fit. */
  private knownIn(kind: Kind, value: unknown): unknown {
    const family = FAMILIES[kind]
    switch (family) {
      case 'integer':
      case 'bool':
      case 'text':
        return value
      case 'entity':
        return value === null ? NO_NUMBER : this.numbers.get(value as number)
      case 'float':
        // JSON has no infinity, but numbers that are larger than any: an infinity is a string here.
        if (typeof value === 'number') return isFinite(rounded(kind, value) as number) ? value : undefined
        return NUMBERS.get(value as string)
      default:
        return family satisfies never
    }
  }

  private placeOfText(text: string): number {
    let place = this.textPlaces.get(text)
    if (place === undefined) this.textPlaces.set(text, (place = this.texts.push(text) - 1))
    return place
  }
}

function writtenIn(value: unknown): Written {
  const { entity, has, off = [], values = {} } = objectIn(value, 'an entity')
  if (!accepts({ kind: 'entity' } as Field, entity)) throw refused('an entity has no handle')
  const known = objectIn(has, 'what an entity has')
  const switched = listIn(off, 'what is switched off')
  for (const name of switched)
    if (typeof name !== 'string' || !Object.hasOwn(known, name))
      throw refused('a component is switched off that is not there')
  const saved = objectIn(values, 'the values of objects')
  for (const name of Object.keys(saved))
    if (!Object.hasOwn(known, name)) throw refused('an object has a value that is not there')
  return { handle: entity as number, has: known, off: new Set(switched), values: saved }
}
