// Owns: the travellers who left during one day's loop, in flat columns, until they become entities together.
// Must never: allocate for a traveller; the columns grow by doubling and are used again the next day.

const FIRST_CAPACITY = 1024

export function createDepartures() {
  const departures = {
    count: 0,
    /** Entity handles of the cities they travel to. */
    destination: new Uint32Array(FIRST_CAPACITY),
    arrivesOn: new Uint16Array(FIRST_CAPACITY),

    add(destination, arrivesOn) {
      if (departures.count === departures.destination.length) grow(departures)
      departures.destination[departures.count] = destination
      departures.arrivesOn[departures.count] = arrivesOn
      departures.count++
    },
  }
  return departures
}

function grow(departures) {
  for (const column of ['destination', 'arrivesOn']) {
    const former = departures[column]
    departures[column] = new former.constructor(former.length * 2)
    departures[column].set(former)
  }
}
