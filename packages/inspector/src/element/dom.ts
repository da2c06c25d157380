// Owns how elements are made and how their text changes.

const GROUPED = new Intl.NumberFormat('en')

type Attributes = Readonly<Record<string, string | number | boolean | undefined | EventListener>>

/**
 * Makes an element.
 *
 * @param attributes `onclick` and the like are listeners; true is an attribute without a value, false and undefined none
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children)
  return element
}

/** Changes a text, and touches nothing where it is the same: a screen reader reads what changes. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Sets or removes an attribute where it is another one. */
export function mark(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** As many children as there are items: missing ones are made, surplus ones removed, each is filled. */
export function fillList<T>(
  list: Element,
  items: readonly T[],
  create: () => HTMLElement,
  fill: (element: HTMLElement, item: T, index: number) => void,
): void {
  while (list.children.length > items.length) list.lastElementChild?.remove()
  while (list.children.length < items.length) list.append(create())
  items.forEach((item, i) => fill(list.children[i] as HTMLElement, item, i))
}

/** Rows of a table: of more, a person could not find one, and a page could not show them in time. */
const MOST_ROWS = 100

/**
 * A table whose rows are filled at each refresh, the first hundred of them; its caption tells how many there are. The heads of
 * columns that hold numbers begin with '#'.
 */
export function makeTable(caption: string, heads: readonly string[]) {
  const title = make('caption', {}, caption)
  const body = make('tbody')
  const isNumber = heads.map((head) => head.startsWith('#'))
  const table = make(
    'table',
    {},
    title,
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...heads.map((head, i) =>
          make('th', { scope: 'col', class: isNumber[i] ? 'number' : undefined }, head.replace('#', '')),
        ),
      ),
    ),
    body,
  )
  const root = make('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': caption }, table)
  const createRow = () =>
    make('tr', {}, ...heads.map((_, i) => make('td', { class: isNumber[i] ? 'number' : undefined })))
  return {
    root,
    body,
    /** @param cellsOf asked for the items that are shown alone */
    fill<T>(items: readonly T[], cellsOf: (item: T) => readonly string[]) {
      root.hidden = items.length === 0
      const shown = items.slice(0, MOST_ROWS)
      const count = GROUPED.format(items.length)
      say(title, shown.length === items.length ? caption : `${caption}: ${MOST_ROWS} of ${count}`)
      fillList(body, shown, createRow, (row, item) =>
        cellsOf(item).forEach((text, i) => say(row.children[i] as Element, text)),
      )
    },
  }
}
