// Whether the page is light or dark: as the system says, until a person says otherwise. Colours are in layout.css.

import { element } from './element.ts'

export type Theme = 'light' | 'dark'

const KEPT_AS = 'strata-ecs swarm theme'

/** Shows the theme, and follows the system and the switch from now on. `changed` is called at once, too. */
export function followTheme(changed: (theme: Theme) => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const button = element('theme', HTMLButtonElement)
  const ofSystem = (): Theme => (system.matches ? 'dark' : 'light')
  let chosen = recall()

  function show() {
    const theme = chosen ?? ofSystem()
    document.documentElement.dataset.theme = theme
    button.title = theme === 'dark' ? 'Light theme' : 'Dark theme'
    button.setAttribute('aria-label', button.title)
    changed(theme)
  }
  button.addEventListener('click', () => {
    const other = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'
    // Whoever is back at what the system says wants to follow it.
    chosen = other === ofSystem() ? undefined : other
    keep(chosen)
    show()
  })
  system.addEventListener('change', show)
  show()
}

// A page may be forbidden to keep anything: then the choice lasts as long as the page.
function recall(): Theme | undefined {
  try {
    const kept = localStorage.getItem(KEPT_AS)
    return kept === 'light' || kept === 'dark' ? kept : undefined
  } catch {
    return undefined
  }
}

function keep(theme: Theme | undefined): void {
  try {
    if (theme === undefined) localStorage.removeItem(KEPT_AS)
    else localStorage.setItem(KEPT_AS, theme)
  } catch {
    return
  }
}
