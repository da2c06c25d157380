// Owns the tab of systems: what each took in the last frames, in which order they run and why, and where
// nothing decides the order.
// It must never time anything by itself: the schedule does, while the inspector is open.

import type { PhaseStats, Schedule, SystemStats } from '../../bindings/index'
import { fillList, make, makeTable, mark, say } from '../dom'
import { grouped, milliseconds } from '../format'
import type { Panel, Session } from '../session'
import { SystemChart, colourOf } from '../systemChart'
import { SystemGraph } from '../systemGraph'

/** Refreshes from one look at the order to the next: finding ambiguities compares all pairs of systems. */
const LOOK_EVERY = 20

export class SystemsPanel implements Panel {
  readonly root: HTMLElement
  private readonly chart = new SystemChart()
  private readonly list = make('ol', {
    class: 'systems',
    'aria-label': 'Systems in the order in which they run',
  })
  private readonly inOrder = make(
    'details',
    { open: true, class: 'ordering' },
    make('summary', {}, 'In order'),
    this.list,
  )
  private readonly graph = new SystemGraph()
  private readonly ambiguities = makeTable('Nothing decides the order of', [
    'runs now first',
    'and then',
    'both touch',
  ])
  private readonly unordered = make(
    'p',
    { class: 'quiet' },
    'As far as systems declare what they read and write, nothing is undecided.',
  )
  private readonly phases = makeTable('Phases', ['phase', '#fixed step', '#steps', '#behind'])
  private readonly schedule: Schedule | undefined
  /** Refreshes since the last look at the order. */
  private age = LOOK_EVERY
  private runs = -1
  private totals = new Float64Array()
  /** Names of the systems in the order in which the chart has them. */
  private known = ''
  /** Names of the systems that the last look found, as they were added. */
  private seen = ''
  private order: readonly string[] = []
  private contested = new Map<string, Set<string>>()

  constructor(session: Session) {
    this.schedule = session.schedule
    this.root =
      this.schedule === undefined
        ? make(
            'div',
            {},
            make('p', { class: 'hint' }, 'No schedule is attached: attach(world, { schedule }).'),
          )
        : make(
            'div',
            {},
            this.chart.root,
            make('div', { class: 'orderings' }, this.inOrder, this.graph.root),
            this.unordered,
            this.ambiguities.root,
            this.phases.root,
          )
    const point = ({ target }: Event) => {
      const item = (target as Element).closest('li')
      this.graph.point(item?.querySelector('input')?.dataset.system)
    }
    for (const type of ['pointerover', 'focusin']) this.list.addEventListener(type, point)
    for (const type of ['pointerleave', 'focusout'])
      this.list.addEventListener(type, () => this.graph.point(undefined))
  }

  /** Notes what each system took since the frame before. */
  frame(): void {
    const { schedule } = this
    if (schedule === undefined) return
    const { runs, systems } = schedule.stats()
    if (runs === this.runs) return
    const names = systems.map(({ name }) => name).join('\n')
    const isNew = names !== this.known
    if (isNew) {
      this.known = names
      this.chart.clear()
    }
    const isFirst = this.runs < 0 || isNew || runs < this.runs
    this.runs = runs
    const before = this.totals
    this.totals = Float64Array.from(systems, ({ totalMs }) => totalMs)
    if (!isFirst)
      this.chart.add(Float32Array.from(this.totals, (total, i) => Math.max(0, total - (before[i] ?? 0))))
  }

  refresh(): void {
    const { schedule } = this
    if (schedule === undefined) return
    const { systems, phases } = schedule.stats()
    try {
      const names = systems.map(({ name }) => name).join('\n')
      if (++this.age > LOOK_EVERY || names !== this.seen) {
        this.look(schedule, systems)
        this.age = 0
        this.seen = names
      }
    } finally {
      // Systems that wait for each other have no order; what they take is shown all the same.
      this.show(schedule, systems, phases)
    }
  }

  private show(schedule: Schedule, systems: readonly SystemStats[], phases: readonly PhaseStats[]): void {
    this.chart.draw()
    const colours = new Map(systems.map(({ name }, i) => [name, colourOf(i)]))
    const byName = new Map(systems.map((system) => [system.name, system]))
    const ordered = this.order.flatMap((name) => byName.get(name) ?? [])
    fillList(
      this.list,
      ordered,
      () => this.createItem(schedule),
      (item, system, i) =>
        this.fillItem(
          item,
          system,
          colours.get(system.name) as string,
          ordered[i - 1]?.phase !== system.phase,
        ),
    )
    this.graph.refresh(byName, colours)
    const stepped = phases.filter(({ fixedStep }) => fixedStep !== undefined)
    this.phases.fill(
      stepped.map(({ name, fixedStep, steps, behind }) => [
        name,
        `${((fixedStep ?? 0) * 1000).toFixed(1)} ms`,
        grouped(steps ?? 0),
        `${((behind ?? 0) * 1000).toFixed(1)} ms`,
      ]),
    )
  }

  private look(schedule: Schedule, systems: readonly SystemStats[]): void {
    const order = schedule.order()
    const found = schedule.ambiguities()
    const phases = new Map(systems.map(({ name, phase }) => [name, phase]))
    this.graph.show({
      systems: order.map((name) => ({ name, phase: phases.get(name) as string })),
      constraints: schedule.constraints(),
      ambiguities: found,
    })
    this.order = order
    this.contested = new Map()
    for (const { systems } of found) {
      const [first, second] = systems
      this.contested.set(first, (this.contested.get(first) ?? new Set()).add(second))
      this.contested.set(second, (this.contested.get(second) ?? new Set()).add(first))
    }
    this.ambiguities.fill(found.map(({ systems, components }) => [...systems, components.join(', ')]))
    this.unordered.hidden = found.length > 0
  }

  private createItem(schedule: Schedule): HTMLElement {
    const toggle = make('input', { type: 'checkbox' })
    toggle.addEventListener('change', () => {
      const name = toggle.dataset.system as string
      if (toggle.checked) schedule.enable(name)
      else schedule.disable(name)
    })
    return make(
      'li',
      {},
      make('span', { class: 'phase quiet' }),
      make('label', {}, toggle, make('span', { class: 'swatch' }), make('span', { class: 'name' })),
      make('span', { class: 'warn' }),
      make('span', { class: 'took' }),
    )
  }

  private fillItem(item: HTMLElement, system: SystemStats, colour: string, isFirstOfPhase: boolean): void {
    const [phase, label, warning, took] = item.children as unknown as [Element, Element, Element, Element]
    const [toggle, swatch, name] = label.children as unknown as [HTMLInputElement, HTMLElement, Element]
    say(phase, isFirstOfPhase ? `phase ${system.phase}` : '')
    toggle.dataset.system = system.name
    if (toggle.checked !== system.enabled) toggle.checked = system.enabled
    if (swatch.style.background !== colour) swatch.style.background = colour
    say(name, system.name)
    const others = [...(this.contested.get(system.name) ?? [])]
    say(warning, others.length === 0 ? '' : `⚠ undecided with ${others.join(', ')}`)
    const skipped = system.skipped > 0 ? ` · ${grouped(system.skipped)} skipped` : ''
    say(
      took,
      `${milliseconds(system.lastMs)} · ø ${milliseconds(system.meanMs)} · ${grouped(system.runs)} runs${skipped}`,
    )
    mark(item, 'class', system.enabled ? '' : 'off')
  }
}
