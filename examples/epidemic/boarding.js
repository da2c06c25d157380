// Owns: the travellers who left during one day's loop, in flat columns, until they become entities together.
// Must never: allocate for a traveller; the columns grow by doubling and are used again the next day.

const FIRST_CAPACITY = 1024

export function createBoarding() {
  const boarding = {
    count: 0,
    /** Entity handles of the cities they travel to. */
    destination: new Uint32Array(FIRST_CAPACITY),
    arrivesOn: new Uint16Array(FIRST_CAPACITY),

    add(destination, arrivesOn) {
      if (boarding.count === boarding.destination.length) grow(boarding)
      boarding.destination[boarding.count] = destination
      boarding.arrivesOn[boarding.count] = arrivesOn
      boarding.count++
    },
  }
  return boarding
}

function grow(boarding) {
  for (const column of ['destination', 'arrivesOn']) {
    const former = boarding[column]
    boarding[column] = new former.constructor(former.length * 2)
    boarding[column].set(former)
  }
}
