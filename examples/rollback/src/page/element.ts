// How code finds what is on the page.

/**
 * What there is for a selector.
 *
 * @throws Error when there is none of that kind: index.html and the code do not fit
 */
export function element<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T {
  const found = within.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} at '${selector}'.`)
}

/** Changes a text only where it differs: a page that is told the same does no work, and screen readers stay silent. */
export function say(where: Element, text: string): void {
  if (where.textContent !== text) where.textContent = text
}
