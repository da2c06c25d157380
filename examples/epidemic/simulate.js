// Owns: running a model day after day and timing it.
// Must never: know which implementation it runs, or print anything.

/**
 * @param {object} model what createStrataModel or createObjectsModel returns
 * @param {number} days the last day
 * @param {(day: import('./ledger.js').Day, entities: number) => void} [afterDay]
 * @param {number} [from] the first day: 1, or the one after those that the model has behind it
 */
export function simulate(model, days, afterDay = () => {}, from = 1) {
  const ledger = []
  let mostEntities = 0
  const started = performance.now()
  for (let day = from; day <= days; day++) {
    const figures = model.step(day)
    ledger.push(figures)
    mostEntities = Math.max(mostEntities, model.entityCount())
    afterDay(figures, model.entityCount())
  }
  return { days: ledger, seconds: (performance.now() - started) / 1000, mostEntities }
}
