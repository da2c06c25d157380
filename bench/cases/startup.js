// Owns the case of starting: from the import of a library to the first entity with a Position { x y: f32 } that can be
// read again. It is run once in each process. What does it lies in bench/startup; it must never import a library before
// it is run. Files come from the disk's cache: what is measured is parsing, compiling and making.
export const X = 1.5
export const Y = -2

export default {
  name: 'startup',
  title: 'Startup: import, a world, one entity',
  unit: 'start',
  units: 'start',
  sizes: [1],
  once: true,
  quantity: 'milliseconds',
  folder: 'startup',
  /** The values of the entity. */
  reference: () => [X, Y],
}
