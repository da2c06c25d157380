// Owns whether the panel is unfolded, and how much of the swarm it covers on a phone.
// It must never know what is in the panel.

import { element } from './element.ts'

/** Where the panel lies below the swarm, over a part of it, as layout.css has it. */
const narrow = matchMedia('(max-width: 719px)')

export interface Fold {
  readonly isFolded: boolean
  /** Folds it, or unfolds it. */
  turn(): void
  /** Folds it where there is no room for more beside the swarm. */
  giveWay(): void
}

export function createFold(): Fold {
  const button = element('fold', HTMLButtonElement)
  const body = element('body', HTMLDivElement)
  const dock = element('dock', HTMLDivElement)
  let isFolded = narrow.matches

  function show() {
    body.hidden = isFolded
    document.body.classList.toggle('folded', isFolded)
    button.setAttribute('aria-expanded', String(!isFolded))
    button.title = isFolded ? 'Show panel' : 'Hide panel'
    button.setAttribute('aria-label', button.title)
  }

  function turn() {
    isFolded = !isFolded
    show()
  }

  // The canvas keeps its size, and so the swarm its scale, whatever lies over it: only its middle moves.
  function cover() {
    const covered = narrow.matches ? dock.offsetHeight : 0
    document.documentElement.style.setProperty('--covered', `${covered}px`)
  }

  new ResizeObserver(cover).observe(dock)
  button.addEventListener('click', turn)
  show()

  return {
    turn,
    get isFolded() {
      return isFolded
    },
    giveWay() {
      if (narrow.matches && !isFolded) turn()
    },
  }
}
