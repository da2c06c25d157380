// Owns the memory case: what n entities with Position { x y: f32 } and Velocity { x y: f32 } hold, no handle kept. It is
// run once in each process, and its figure is what the process holds more of after a collection. Adapters must never
// make anything before the run that the entities need.
export const startX = (i) => i
export const startY = (i) => i % 7
export const velocityX = (i) => i % 3
export const velocityY = (i) => i % 5

export default {
  name: 'memory',
  title: 'Memory: entities with two components of 2 x f32 each, and a query for both',
  sizes: [100_000, 1_000_000],
  once: true,
  quantity: 'memory',
  /** How many a query finds, and the sums of their four values. */
  reference(size) {
    const sums = [size, 0, 0, 0, 0]
    for (let i = 0; i < size; i++) {
      sums[1] += startX(i)
      sums[2] += startY(i)
      sums[3] += velocityX(i)
      sums[4] += velocityY(i)
    }
    return sums
  },
}
