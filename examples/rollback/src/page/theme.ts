// Whether the page is light or dark: as the system says, until a person says otherwise.

import { element } from './element.ts'

/** Follows the system and the button from now on. `changed` is called at once, too. */
export function followTheme(changed: () => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const button = element('#theme', HTMLButtonElement)
  let chosen: boolean | undefined

  function show() {
    const isDark = chosen ?? system.matches
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
    button.setAttribute('aria-pressed', String(isDark))
    changed()
  }

  button.addEventListener('click', () => {
    const isDark = !(chosen ?? system.matches)
    chosen = isDark === system.matches ? undefined : isDark
    show()
  })
  system.addEventListener('change', show)
  show()
}
