// Owns what the visitor chose, in the form and in the page's address, which has the names of the command's options. It
// must never name a case or a library that the lists do not have, but for the few of the quick preset.
import { element } from './element.js'
import { colourOf } from '../report/colours.js'

const QUICK = ['loop', 'spawn', 'add-remove']

const sizesOf = (cases) => [...new Set(cases.flatMap(({ sizes }) => sizes))].toSorted((a, b) => a - b)
const namesOf = (cases) => cases.map(({ name }) => name)

/** What a choice can be made of, and the form it is made in. */
export class Choice {
  #form = document.querySelector('#choice')
  #cases
  #offers
  #presets

  /** @param changed called after each change by the visitor */
  constructor(cases, offers, changed) {
    this.#cases = cases
    this.#offers = offers
    const libraries = offers.map(({ library }) => library)
    const whole = { cases: namesOf(cases), sizes: sizesOf(cases), libraries }
    const quick = whole.cases.filter((name) => QUICK.includes(name))
    const small = whole.sizes.filter((size) => size <= 10_000)
    this.#presets = {
      'quick, in less than a minute': {
        ...whole,
        cases: quick,
        sizes: [1_000],
        repeats: 3,
        milliseconds: 50,
      },
      'all cases up to 10,000 entities': { ...whole, sizes: small, repeats: 3, milliseconds: 50 },
      everything: { ...whole, repeats: 5, milliseconds: 150 },
    }
    this.#fillForm()
    this.#write(this.#fromAddress())
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    this.#describe()
    this.#form.addEventListener('click', ({ target }) => {
      if (!target.dataset.check) return
      for (const { input } of this.#boxes('case')) input.checked = target.dataset.check === 'all'
      this.#describe()
      changed()
    })
    this.#form.addEventListener('change', ({ target }) => {
      // "Own choice" leaves everything as it is, for changes to come.
      if (target.name === 'preset' && this.#presets[target.value]) this.#write(this.#presets[target.value])
      this.#describe()
      changed()
    })
  }

  /** Cases with the chosen ones of their sizes, offers of libraries, repeats and milliseconds. */
  read() {
    const { cases, sizes, libraries, repeats, milliseconds } = this.#read()
    return {
      cases: this.#cases
        .filter(({ name }) => cases.includes(name))
        .map((work) => ({ ...work, sizes: work.sizes.filter((size) => sizes.includes(size)) })),
      offers: this.#offers.filter(({ library }) => libraries.includes(library)),
      repeats,
      milliseconds,
    }
  }

  /** While measured, nothing can be changed. */
  set locked(locked) {
    for (const control of this.#form.elements) control.disabled = locked
  }

  #fillForm() {
    const form = this.#form
    const names = [...Object.keys(this.#presets), 'own choice']
    form.elements.preset.append(...names.map((name) => element('option', {}, name)))
    form
      .querySelector('#libraries')
      .append(...this.#offers.map(({ library, label }) => box('library', library, label, colourOf(library))))
    form
      .querySelector('#sizes')
      .append(...sizesOf(this.#cases).map((size) => box('size', size, size.toLocaleString('en'))))
    form
      .querySelector('#cases fieldset')
      .append(...this.#cases.map(({ name, title }) => box('case', name, title)))
  }

  /** Names the preset that this is, counts the cases, and keeps the address as a link to this choice. */
  #describe() {
    const chosen = this.#read()
    const form = this.#form
    const same = (preset) => JSON.stringify(preset) === JSON.stringify(chosen)
    const preset = Object.keys(this.#presets).find((name) => same(this.#presets[name]))
    form.elements.preset.value = preset ?? 'own choice'
    form.querySelector('summary').textContent = `Cases: ${chosen.cases.length} of ${this.#cases.length}`
    history.replaceState(undefined, '', preset?.startsWith('quick') ? location.pathname : addressOf(chosen))
  }

  #boxes(kind) {
    return [...this.#form.querySelectorAll(`[name=${kind}]`)].map((input) => ({ input, value: input.value }))
  }

  #read() {
    const checked = (kind) =>
      this.#boxes(kind)
        .filter(({ input }) => input.checked)
        .map(({ value }) => value)
    const { repeats, milliseconds } = this.#form.elements
    return {
      cases: checked('case'),
      sizes: checked('size').map(Number),
      libraries: checked('library'),
      repeats: Number(repeats.value),
      milliseconds: Number(milliseconds.value),
    }
  }

  #write({ cases, sizes, libraries, repeats, milliseconds }) {
    const check = (kind, values) => {
      for (const { input, value } of this.#boxes(kind)) input.checked = values.map(String).includes(value)
    }
    check('case', cases)
    check('size', sizes)
    check('library', libraries)
    this.#form.elements.repeats.value = repeats
    this.#form.elements.milliseconds.value = milliseconds
  }

  /** What the address leaves open is as in the quick preset, or all of it. */
  #fromAddress() {
    const [quick] = Object.values(this.#presets)
    const given = new URLSearchParams(location.search)
    const several = (name, others) => (given.has(name) ? given.getAll(name) : others)
    const anyChosen = given.has('case') || given.has('size')
    const offered = (control, name, other) =>
      [...this.#form.elements[control].options].some(({ value }) => value === given.get(name))
        ? given.get(name)
        : other
    return {
      cases: several('case', anyChosen ? namesOf(this.#cases) : quick.cases),
      sizes: several('size', anyChosen ? sizesOf(this.#cases) : quick.sizes),
      libraries: several('library', quick.libraries),
      repeats: offered('repeats', 'repeats', quick.repeats),
      milliseconds: offered('milliseconds', 'milliseconds', quick.milliseconds),
    }
  }
}

function box(kind, value, label, colour) {
  const input = element('input', { type: 'checkbox', name: kind, value })
  const spot = colour ? [element('i', { style: `background: ${colour}` })] : []
  return element('label', { class: 'box' }, input, label, ...spot)
}

function addressOf({ cases, sizes, libraries, repeats, milliseconds }) {
  const pairs = [
    ...cases.map((name) => ['case', name]),
    ...sizes.map((size) => ['size', size]),
    ...libraries.map((name) => ['library', name]),
    ['repeats', repeats],
    ['milliseconds', milliseconds],
  ]
  return `?${new URLSearchParams(pairs)}`
}
