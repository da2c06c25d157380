// What the pages of examples share: finding elements, texts that change, the theme, and canvases as sharp as the screen.

/** @throws Error when index.html has none of that kind */
export function element<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T {
  const found = within.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} at '${selector}'.`)
}

/** Changes a text only where it differs, so that screen readers stay silent. */
export function say(where: Element, text: string): void {
  if (where.textContent !== text) where.textContent = text
}

/** Eight hexadecimal digits. */
export const hex = (digest: number) => digest.toString(16).padStart(8, '0')

export type Theme = 'light' | 'dark'

/**
 * Shows the theme of the system, until a person chooses another with the button #theme.
 *
 * @param changed called at once, too
 */
export function followTheme(changed: (theme: Theme) => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const button = element('#theme', HTMLButtonElement)
  let isOther = false

  function show() {
    const isDark = system.matches !== isOther
    const theme = isDark ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
    button.setAttribute('aria-pressed', String(isDark))
    changed(theme)
  }
  button.addEventListener('click', () => {
    isOther = !isOther
    show()
  })
  system.addEventListener('change', () => {
    isOther = false
    show()
  })
  show()
}

/** Gives a canvas as many pixels as the screen has there. Returns how many of them lie along a pixel of the page. */
export function fit(canvas: HTMLCanvasElement): number {
  const density = Math.min(2, devicePixelRatio)
  const width = Math.max(1, Math.round(canvas.clientWidth * density))
  const height = Math.max(1, Math.round(canvas.clientHeight * density))
  // Only where they differ: a canvas that gets a size is empty.
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  return density
}
