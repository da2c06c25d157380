// Owns the case of looking for changes where there are none: one loop over n chunks. Adapters must never be told that
// nothing changed; what they keep for each chunk is a version or a tick.
export default {
  name: 'changed',
  title: 'Changed: one loop for what changed, when nothing did',
  unit: 'chunk',
  units: 'chunks',
  sizes: [1_000],
  runsPerSample: () => 64,
  /** How many chunks a loop finds when nothing changed, when one was written, and after that one was seen. */
  reference: () => [0, 1, 0],
}
