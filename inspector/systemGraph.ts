// Owns the picture of the order of systems: what must run before what, and which pairs nothing decides. It must never ask a
// schedule: it is told what to show, and draws only when that has changed.

import type { Ambiguity, Constraint, SystemStats } from '../bindings/index'
import { make, makeSvg, mark, say } from './dom'
import { grouped, milliseconds, shownName } from './format'
import { OnScreen } from './onScreen'
import { BOX_HEIGHT, type GraphLayout, type Line, MOST_DASHES, type Pair, layOut } from './systemLayout'

/** What a look at a schedule found. */
export interface SystemOrder {
  /** Names and phases of the systems, in the order in which they run. */
  readonly systems: readonly { readonly name: string; readonly phase: string }[]
  readonly constraints: readonly Constraint[]
  readonly ambiguities: readonly Ambiguity[]
}

/** Pixels of a box besides its text: its colour, and room at the sides. */
const BESIDE_TEXT = 26
const [NARROWEST, WIDEST] = [72, 190]
/** Pixels of the head of an arrow. */
const HEAD = 7
/** Undecided pairs that the label names; it is read aloud as a whole. */
const MOST_NAMED = 5

/** The elements of one system that change. */
interface Box {
  readonly group: SVGGElement
  readonly took: SVGTextElement
  readonly colour: SVGRectElement
  /** The system itself, and those that a line leads to. */
  readonly near: Set<string>
}

export class SystemGraph {
  readonly root: HTMLElement
  private readonly summary = make('span', { class: 'quiet' })
  private readonly frame = make('div', {
    class: 'graph',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Systems as a graph',
  })
  private readonly legend = make(
    'p',
    { class: 'quiet help' },
    'An arrow: runs before. A dashed line: nothing decides which of the two runs first.',
  )
  private order: SystemOrder = { systems: [], constraints: [], ambiguities: [] }
  /** The order that is drawn, and how wide: the same again is not drawn. */
  private drawn: SystemOrder | undefined
  private drawnWidth = 0
  private layout: GraphLayout | undefined
  /** The systems by their names: their numbers in the order. */
  private numbers = new Map<string, number>()
  /** Where the lines of undecided pairs are, and those of the system that is pointed at where there are too many. */
  private readonly undecided = makeSvg('g')
  private readonly onScreen = new OnScreen()
  private boxes = new Map<string, Box>()
  private lines: { readonly group: SVGElement; readonly systems: readonly [string, string] }[] = []
  private pointed: string | undefined

  constructor() {
    this.root = make(
      'details',
      { open: true, class: 'ordering' },
      make('summary', {}, 'As a graph ', this.summary),
      this.frame,
      this.legend,
    )
    this.frame.addEventListener('pointerover', ({ target }) => {
      const box = (target as Element).closest<SVGElement>('.box')
      this.point(box?.dataset.system)
    })
    this.frame.addEventListener('pointerleave', () => this.point(undefined))
  }

  show(order: SystemOrder): void {
    this.order = order
    const { systems, constraints, ambiguities } = order
    this.root.hidden = systems.length === 0
    const pairs = ambiguities.length === 0 ? '' : `, ${counted(ambiguities.length, 'undecided pair')}`
    say(this.summary, `${counted(constraints.length, 'constraint')}${pairs}`)
    say(
      this.legend,
      ambiguities.length > MOST_DASHES
        ? 'An arrow: runs before. Point at a system to see the pairs whose order nothing decides, as dashed lines.'
        : 'An arrow: runs before. A dashed line: nothing decides which of the two runs first.',
    )
  }

  /** Draws what changed: all if the order or the width did, otherwise colours, times and what is enabled. */
  refresh(stats: ReadonlyMap<string, SystemStats>, colours: ReadonlyMap<string, string>): void {
    const width = this.frame.clientWidth
    // Folded in.
    if (width === 0) return
    const isNew = this.drawn !== this.order || this.drawnWidth !== width
    if (isNew) this.draw(width)
    this.drawn = this.order
    this.drawnWidth = width
    this.onScreen.next()
    for (const [name, { group, took, colour }] of this.boxes) {
      const system = stats.get(name)
      if (system === undefined || !(isNew || this.onScreen.isDue(group))) continue
      say(took, milliseconds(system.lastMs))
      mark(colour, 'fill', colours.get(name))
      group.classList.toggle('off', !system.enabled)
    }
  }

  /** Shows a system with those that a line leads to, and dims the others. */
  point(name: string | undefined): void {
    if (name === this.pointed) return
    this.pointed = name
    const box = name === undefined ? undefined : this.boxes.get(name)
    this.frame.classList.toggle('pointed', box !== undefined)
    for (const [other, { group }] of this.boxes) {
      group.classList.toggle('lit', box?.near.has(other) === true)
      group.classList.toggle('at', other === name)
    }
    if (this.isCrowded) {
      this.lines = this.lines.filter(({ group }) => group.parentNode !== this.undecided)
      const number = name === undefined ? undefined : this.numbers.get(name)
      const lines = number === undefined ? [] : (this.layout?.dashesOf(number) ?? [])
      const pairs = this.order.ambiguities.filter(({ systems }) => systems.includes(name as string))
      this.undecided.replaceChildren(...this.createDashes(lines, pairs))
    }
    for (const { group, systems } of this.lines)
      group.classList.toggle('lit', box !== undefined && systems.includes(name as string))
  }

  private get isCrowded(): boolean {
    return this.order.ambiguities.length > MOST_DASHES
  }

  private draw(width: number): void {
    const { systems, constraints, ambiguities } = this.order
    const numbers = new Map(systems.map(({ name }, i) => [name, i]))
    this.numbers = numbers
    const numbered = (pairs: readonly { readonly systems: readonly [string, string] }[]) =>
      pairs.map(({ systems: [first, second] }): Pair => [
        numbers.get(first) as number,
        numbers.get(second) as number,
      ])
    const texts = systems.map(({ name }) => fitted(shownName(name)))
    const layout = layOut({
      systems: systems.map(({ phase }, i) => ({
        phase,
        width: (texts[i] as FittedText).width + BESIDE_TEXT,
      })),
      constraints: numbered(constraints),
      undecided: numbered(ambiguities),
      width,
    })
    this.layout = layout
    const ways = new Map(constraints.map(({ systems, by }) => [keyOf(systems), by]))
    this.lines = []
    const arrows = layout.arrows.map((line) => {
      const group = this.createLine(
        line,
        'arrow',
        (names, key) => `${names.join(' runs before ')}: ${ways.get(key)?.join(', ')}`,
      )
      const { x, y } = layout.boxes[line.pair[1]] as { x: number; y: number }
      const tip = x + ((texts[line.pair[1]] as FittedText).width + BESIDE_TEXT) / 2
      group.append(
        makeSvg('path', { class: 'head', d: `M${tip} ${y}l${-HEAD / 2 - 0.5} ${-HEAD}h${HEAD + 1}z` }),
      )
      return group
    })
    this.undecided.replaceChildren(...this.createDashes(layout.dashes, ambiguities))
    this.boxes = new Map()
    const boxes = systems.map(({ name }, i) => this.createBox(name, texts[i] as FittedText, layout.boxes[i]))
    const bands = layout.bands.flatMap(({ phase, y, height }) => [
      makeSvg('rect', {
        class: 'band',
        x: 0.5,
        y: y + 0.5,
        width: layout.width - 1,
        height: height - 1,
        rx: 8,
      }),
      makeSvg('text', { class: 'phase', x: 12, y: y + 17 }, `phase ${phase}`),
    ])
    for (const [first, second] of [...constraints, ...ambiguities].map(({ systems }) => systems)) {
      this.boxes.get(first)?.near.add(second)
      this.boxes.get(second)?.near.add(first)
    }
    for (const name of new Set(ambiguities.flatMap(({ systems }) => systems)))
      this.boxes.get(name)?.group.classList.add('contested')
    this.frame.replaceChildren(
      makeSvg(
        'svg',
        {
          role: 'img',
          'aria-label': this.describe(),
          width: layout.width,
          height: layout.height,
          viewBox: `0 0 ${layout.width} ${layout.height}`,
        },
        ...bands,
        ...arrows,
        this.undecided,
        ...boxes,
      ),
    )
    const pointed = this.pointed
    this.pointed = undefined
    this.point(pointed)
  }

  private createLine(
    line: Line,
    kind: string,
    titleOf: (names: readonly [string, string], key: string) => string,
  ): SVGGElement {
    const names = line.pair.map((i) => this.order.systems[i]?.name) as [string, string]
    const group = makeSvg(
      'g',
      { class: kind },
      makeSvg('title', {}, titleOf(names.map(shownName) as [string, string], keyOf(names))),
      // A line is hard to hit: it is wider for the pointer than for the eye.
      makeSvg('path', { class: 'reach', d: line.path }),
      makeSvg('path', { class: 'line', d: line.path }),
    )
    this.lines.push({ group, systems: names })
    return group
  }

  private createDashes(lines: readonly Line[], pairs: readonly Ambiguity[]): SVGGElement[] {
    if (lines.length === 0) return []
    const touched = new Map(pairs.map(({ systems, components }) => [keyOf(systems), components]))
    return lines.map((line) =>
      this.createLine(line, 'dash', (names, key) => {
        const components = touched.get(key)?.slice(0, MOST_NAMED).map(shownName).join(', ')
        return `Nothing decides the order of ${names.join(' and ')}; both touch ${components}`
      }),
    )
  }

  private createBox(name: string, text: FittedText, at: { x: number; y: number } | undefined): SVGGElement {
    const width = text.width + BESIDE_TEXT
    const colour = makeSvg('rect', { class: 'colour', x: 6, y: 6, width: 5, height: BOX_HEIGHT - 12, rx: 2 })
    const label = makeSvg('text', { class: 'name', x: 18, y: 16 }, text.shown)
    const took = makeSvg('text', { class: 'took', x: 18, y: 31 })
    const group = makeSvg(
      'g',
      { class: 'box', 'data-system': name, transform: `translate(${at?.x} ${at?.y})` },
      makeSvg('title', {}, shownName(name)),
      makeSvg('rect', { class: 'back', width, height: BOX_HEIGHT, rx: 6 }),
      colour,
      label,
      took,
    )
    this.onScreen.watch(group)
    this.boxes.set(name, { group, took, colour, near: new Set([name]) })
    return group
  }

  /** The picture in words. The list and the table have the rest. */
  private describe(): string {
    const { systems, constraints, ambiguities } = this.order
    const phases = new Set(systems.map(({ phase }) => phase)).size
    const named = ambiguities.slice(0, MOST_NAMED).map(({ systems, components }) => {
      const touched = components.slice(0, MOST_NAMED).map(shownName).join(', ')
      return `${systems.map(shownName).join(' and ')} (${touched})`
    })
    const more =
      ambiguities.length > MOST_NAMED ? ` and ${grouped(ambiguities.length - MOST_NAMED)} more` : ''
    const open = ambiguities.length === 0 ? 'no undecided pair' : `undecided: ${named.join(', ')}${more}`
    return `${counted(systems.length, 'system')} in ${counted(phases, 'phase')}, ${counted(constraints.length, 'constraint')}, ${open}. The list of systems tells the same.`
  }
}

/** Two names as one text, whatever they have in them. */
const keyOf = (names: readonly string[]) => JSON.stringify(names)

const counted = (count: number, what: string) => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`

interface FittedText {
  readonly shown: string
  readonly width: number
}

let measure: CanvasRenderingContext2D | null | undefined

/** A name as a box shows it, cut at its end where it is too long, and pixels of it. */
function fitted(name: string): FittedText {
  measure ??= make('canvas').getContext('2d')
  const widthOf = (text: string) => {
    if (measure === null || measure === undefined) return text.length * 7
    measure.font = '600 12px system-ui, sans-serif'
    return measure.measureText(text).width
  }
  // How many letters fit is searched by halves: to measure a text takes as long as it is.
  const room = WIDEST - BESIDE_TEXT
  let [fits, tooMany] = [0, name.length + 1]
  if (widthOf(name) <= room) fits = name.length
  while (fits < name.length && tooMany - fits > 1) {
    const length = (fits + tooMany) >> 1
    if (widthOf(`${name.slice(0, length)}…`) <= room) fits = length
    else tooMany = length
  }
  const shown = fits === name.length ? name : `${name.slice(0, fits)}…`
  // Even, so that boxes above each other can have the same middle.
  const width = Math.max(NARROWEST - BESIDE_TEXT, widthOf(shown))
  return { shown, width: 2 * Math.ceil(width / 2) }
}
