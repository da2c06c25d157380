// Owns the picture of the order of systems: what must run before what, and which pairs nothing decides. It must never ask a
// schedule: it is told what to show, and draws anew only when that has changed.

import type { Ambiguity, Constraint, SystemStats } from '../bindings/index'
import { make, makeSvg, mark, say } from './dom'
import { grouped, milliseconds } from './format'
import { BOX_HEIGHT, type Line, MOST_DASHES, type Pair, layOut } from './systemLayout'

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
  /** The order as a text. */
  private key = ''
  /** Which order is drawn, and how wide: the same again is not drawn. */
  private drawn = ''
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
    this.key = JSON.stringify(order)
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
    const wanted = `${width} ${this.key}`
    if (wanted !== this.drawn) this.draw(width)
    this.drawn = wanted
    for (const [name, { group, took, colour }] of this.boxes) {
      const system = stats.get(name)
      if (system === undefined) continue
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
    for (const { group, systems } of this.lines)
      group.classList.toggle('lit', box !== undefined && systems.includes(name as string))
  }

  private draw(width: number): void {
    const { systems, constraints, ambiguities } = this.order
    const numbers = new Map(systems.map(({ name }, i) => [name, i]))
    const numbered = (pairs: readonly { readonly systems: readonly [string, string] }[]) =>
      pairs.map(({ systems: [first, second] }): Pair => [
        numbers.get(first) as number,
        numbers.get(second) as number,
      ])
    const texts = systems.map(({ name }) => fitted(name))
    const layout = layOut({
      systems: systems.map(({ phase }, i) => ({
        phase,
        width: (texts[i] as FittedText).width + BESIDE_TEXT,
      })),
      constraints: numbered(constraints),
      undecided: numbered(ambiguities),
      width,
    })
    const namesOf = ({ pair }: Line) => pair.map((i) => systems[i]?.name) as [string, string]
    const key = (pair: readonly string[]) => pair.join('\n')
    const ways = new Map(constraints.map(({ systems, by }) => [key(systems), by]))
    const touched = new Map(ambiguities.map(({ systems, components }) => [key(systems), components]))
    this.lines = []
    const addLine = (line: Line, kind: string, title: (names: [string, string]) => string) => {
      const names = namesOf(line)
      const group = makeSvg(
        'g',
        { class: kind },
        makeSvg('title', {}, title(names)),
        // A line is hard to hit: it is wider for the pointer than for the eye.
        makeSvg('path', { class: 'reach', d: line.path }),
        makeSvg('path', { class: 'line', d: line.path }),
      )
      this.lines.push({ group, systems: names })
      return group
    }
    const arrows = layout.arrows.map((line) => {
      const group = addLine(
        line,
        'arrow',
        (names) => `${names.join(' runs before ')}: ${ways.get(key(names))?.join(', ')}`,
      )
      const { x, y } = layout.boxes[line.pair[1]] as { x: number; y: number }
      const tip = x + ((texts[line.pair[1]] as FittedText).width + BESIDE_TEXT) / 2
      group.append(
        makeSvg('path', { class: 'head', d: `M${tip} ${y}l${-HEAD / 2 - 0.5} ${-HEAD}h${HEAD + 1}z` }),
      )
      return group
    })
    const dashes = layout.dashes.map((line) =>
      addLine(
        line,
        'dash',
        (names) =>
          `Nothing decides the order of ${names.join(' and ')}; both touch ${touched.get(key(names))?.join(', ')}`,
      ),
    )
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
    for (const { systems } of [...constraints, ...ambiguities])
      for (const name of systems) for (const other of systems) this.boxes.get(name)?.near.add(other)
    for (const { systems } of ambiguities)
      for (const name of systems) this.boxes.get(name)?.group.classList.add('contested')
    this.frame.classList.toggle('crowded', ambiguities.length > MOST_DASHES)
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
        ...dashes,
        ...boxes,
      ),
    )
    const pointed = this.pointed
    this.pointed = undefined
    this.point(pointed)
  }

  private createBox(name: string, text: FittedText, at: { x: number; y: number } | undefined): SVGGElement {
    const width = text.width + BESIDE_TEXT
    const colour = makeSvg('rect', { class: 'colour', x: 6, y: 6, width: 5, height: BOX_HEIGHT - 12, rx: 2 })
    const label = makeSvg('text', { class: 'name', x: 18, y: 16 }, text.shown)
    const took = makeSvg('text', { class: 'took', x: 18, y: 31 })
    const group = makeSvg(
      'g',
      { class: 'box', 'data-system': name, transform: `translate(${at?.x} ${at?.y})` },
      makeSvg('title', {}, name),
      makeSvg('rect', { class: 'back', width, height: BOX_HEIGHT, rx: 6 }),
      colour,
      label,
      took,
    )
    this.boxes.set(name, { group, took, colour, near: new Set([name]) })
    return group
  }

  /** The picture in words. The list and the table have the rest. */
  private describe(): string {
    const { systems, constraints, ambiguities } = this.order
    const phases = new Set(systems.map(({ phase }) => phase)).size
    const named = ambiguities
      .slice(0, MOST_NAMED)
      .map(({ systems, components }) => `${systems.join(' and ')} (${components.join(', ')})`)
    const more =
      ambiguities.length > MOST_NAMED ? ` and ${grouped(ambiguities.length - MOST_NAMED)} more` : ''
    const open = ambiguities.length === 0 ? 'no undecided pair' : `undecided: ${named.join(', ')}${more}`
    return `${counted(systems.length, 'system')} in ${counted(phases, 'phase')}, ${counted(constraints.length, 'constraint')}, ${open}. The list of systems tells the same.`
  }
}

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
  let shown = name
  for (let length = name.length; widthOf(shown) > WIDEST - BESIDE_TEXT && length > 1; length--)
    shown = `${name.slice(0, length - 1)}…`
  // Even, so that boxes above each other can have the same middle.
  const width = Math.max(NARROWEST - BESIDE_TEXT, widthOf(shown))
  return { shown, width: 2 * Math.ceil(width / 2) }
}
