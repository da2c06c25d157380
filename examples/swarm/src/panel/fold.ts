// Whether the panel is unfolded, and how much of the swarm it covers on a phone.

import { element } from './element.ts'

/** Where the panel lies below the swarm, over a part of it, as layout.css has it. */
const narrow = matchMedia('(max-width: 719px)')

export type Fold = ReturnType<typeof createFold>

export function createFold() {
  const button = element('fold', HTMLButtonElement)
  const dock = element('dock', HTMLDivElement)
  const fold = {
    isFolded: narrow.matches,
    turn: () => {
      fold.isFolded = !fold.isFolded
      show()
    },
    /** Folds it where there is no room for more beside the swarm. */
    giveWay() {
      if (narrow.matches && !fold.isFolded) fold.turn()
    },
  }

  function show() {
    element('body', HTMLDivElement).hidden = fold.isFolded
    document.body.classList.toggle('folded', fold.isFolded)
    button.setAttribute('aria-expanded', String(!fold.isFolded))
    button.title = fold.isFolded ? 'Show panel' : 'Hide panel'
    button.setAttribute('aria-label', button.title)
  }

  // The canvas keeps its size, and so the swarm its scale, whatever lies over it: only its middle moves.
  new ResizeObserver(() => {
    const covered = narrow.matches ? dock.offsetHeight : 0
    document.documentElement.style.setProperty('--covered', `${covered}px`)
  }).observe(dock)
  button.addEventListener('click', fold.turn)
  show()
  return fold
}
