// How code finds and makes what is on the page.

/** @throws Error when index.html has none of that kind under the id */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} with the id '${id}'.`)
}

/** A new element with what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(name: K, ...inside: readonly (Node | string)[]) {
  const made = document.createElement(name)
  made.append(...inside)
  return made
}

/** Changes a text only when it differs: a page that is told the same does no work. */
export function say(where: Element, text: string): void {
  if (where.textContent !== text) where.textContent = text
}

/** The radio buttons of a group; `show` checks the one of a value. */
export function choice(id: string, chosen: (value: string) => void) {
  const inputs = [...element(id, HTMLFieldSetElement).querySelectorAll('input')]
  for (const input of inputs) input.addEventListener('change', () => chosen(input.value))
  return {
    show(value: string): void {
      for (const input of inputs)
        if (input.checked !== (input.value === value)) input.checked = input.value === value
    },
  }
}

const wholeNumbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
/** 200000 as 200,000. */
export const grouped = (number: number): string => wholeNumbers.format(number)
