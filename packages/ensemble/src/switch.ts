// Owns a promise that is resolved from outside, once.

/** A promise, and what resolves it. */
export interface Switch {
  turned: Promise<void>
  turn: () => void
}

export function createSwitch(): Switch {
  let turn = () => {}
  const turned = new Promise<void>((resolve) => {
    turn = resolve
  })
  return { turn, turned }
}
