// Owns how code finds and makes what is on the page. It must never decide how anything looks.

/**
 * What the page has under an id.
 *
 * @throws Error when there is none, or none of that kind: index.html and the code do not fit
 */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} with the id '${id}'.`)
}

/** A new element with attributes and what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...inside)
  return made
}

/** Changes a text only when it differs: a page that is told the same does no work. */
export function say(where: Element, text: string): void {
  if (where.textContent !== text) where.textContent = text
}

/** The radio buttons of a group, by their values. */
export class Choice {
  private readonly inputs: readonly HTMLInputElement[]

  constructor(id: string, chosen: (value: string) => void) {
    this.inputs = [...element(id, HTMLFieldSetElement).querySelectorAll('input')]
    for (const input of this.inputs) input.addEventListener('change', () => chosen(input.value))
  }

  show(value: string): void {
    for (const input of this.inputs)
      if (input.checked !== (input.value === value)) input.checked = input.value === value
  }
}

const wholeNumbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** 200000 as 200,000. */
export function grouped(number: number): string {
  return wholeNumbers.format(number)
}
