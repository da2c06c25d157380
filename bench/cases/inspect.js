// Owns the cases of looking into a large world, as the inspector does ten times a second: a page of entities with their values,
// and the list of archetypes. It must never look at the same page twice in a row: nothing is to be ready from the last time.

export const ROWS = 50
/** Each entity is of one of so many kinds, in the order of their numbers. */
export const ARCHETYPES = 3

/** The kind of the entity with this number. */
export const kindOf = (i, size) => Math.floor((i * ARCHETYPES) / size)

/** Values of the entity with this number, exact in f32. */
export const xOf = (i) => i * 0.5
export const speedOf = (i) => i % 1024

/** Where pages begin that lie in the middle, in turns. */
export const offsetOf = (turn, size) => Math.floor(size / 2) + (turn % 8) * ROWS

const inspectCase = (name, title, reference) => ({
  name,
  title,
  unit: 'look',
  units: 'entities',
  sizes: [1_000_000],
  quantity: 'milliseconds',
  reference,
})

/** The first page: its values of two components, entity by entity. */
function page(size) {
  const offset = offsetOf(0, size)
  return Array.from({ length: ROWS }, (_, k) => [xOf(offset + k), speedOf(offset + k)]).flat()
}

/** How many entities each archetype with entities has. */
function archetypes(size) {
  const counts = new Array(ARCHETYPES).fill(0)
  for (let i = 0; i < size; i++) counts[kindOf(i, size)]++
  return counts
}

export const inspectCases = [
  inspectCase(
    'inspect-page',
    `Inspect: a page of ${ROWS} entities from the middle, two components of each read`,
    page,
  ),
  inspectCase(
    'inspect-archetypes',
    `Inspect: the list of ${ARCHETYPES} archetypes, with how full they are`,
    archetypes,
  ),
]
