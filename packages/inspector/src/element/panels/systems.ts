// Owns the tab of systems: what each took in the last frames, in which order they run and why, and where nothing decides the
// order. The schedule measures them while the inspector is open.

import type { PhaseStats, Schedule, SystemStats } from '../../../../../bindings/index'
import { decidingIn } from '../belonging'
import { make, makeTable, say } from '../dom'
import { grouped, shownName } from '../format'
import type { Panel, Session } from '../session'
import { SystemChart, colourOf } from '../systemChart'
import { SystemList } from '../systemList'
import { type Place, placesOf } from '../systemOrder'

/** The order is looked at again after so many times what a look took, if anything has changed: it compares all pairs of systems. */
const REST_AFTER_LOOK = 30
/** Below this many milliseconds a look is made as soon as anything has changed. */
const QUICK_LOOK = 5
/** Components of a pair that the table names. */
const MOST_TOUCHED = 10

export class SystemsPanel implements Panel {
  readonly root: HTMLElement
  private readonly chart = new SystemChart()
  private readonly list: SystemList
  private readonly inOrder: HTMLElement
  private readonly summary = make('span', { class: 'quiet' })
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
  private runs = -1
  private totals = new Float64Array()
  /** Names of the systems in the order in which the chart has them. */
  private charted: readonly string[] = []
  /** What decided about the order at the last look. */
  private deciding: readonly unknown[] = []
  private lookAgainAt = 0
  /** Why each system stands where it does, by its name, in the order in which they run. */
  private places: ReadonlyMap<string, Place> = new Map()

  constructor(session: Session) {
    this.schedule = session.schedule
    this.list = new SystemList((name, on) =>
      session.channel.attempt(() => (on ? this.schedule?.enable(name) : this.schedule?.disable(name))),
    )
    this.inOrder = make(
      'details',
      { open: true, class: 'ordering' },
      make('summary', {}, 'In order ', this.summary),
      make(
        'p',
        { class: 'quiet help' },
        'Each with those that it runs after, and what says so, unless its own option “after” does.',
      ),
      this.list.root,
    )
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
            this.inOrder,
            this.unordered,
            this.ambiguities.root,
            this.phases.root,
          )
  }

  /** Notes what each system took since the frame before. */
  frame(): void {
    const { schedule } = this
    if (schedule === undefined) return
    const { runs, systems } = schedule.stats()
    if (runs === this.runs) return
    const names = systems.map(({ name }) => name)
    const isNew = !isSame(names, this.charted)
    if (isNew) {
      this.charted = names
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
    let isNew = false
    try {
      isNew = this.look(schedule)
    } finally {
      // Systems that wait for each other have no order; what they take is shown all the same.
      this.show(systems, phases, isNew)
    }
  }

  private show(systems: readonly SystemStats[], phases: readonly PhaseStats[], isNew: boolean): void {
    this.chart.draw()
    const colours = new Map(systems.map(({ name }, i) => [name, colourOf(i)]))
    const byName = new Map(systems.map((system) => [system.name, system]))
    this.list.show(
      [...this.places].flatMap(([name, place]) => {
        const stats = byName.get(name)
        return stats === undefined ? [] : { stats, colour: colours.get(name) as string, place }
      }),
      isNew,
    )
    const stepped = phases.filter(({ fixedStep }) => fixedStep !== undefined)
    this.phases.fill(stepped, ({ name, fixedStep, steps, behind }) => [
      shownName(name),
      `${((fixedStep ?? 0) * 1000).toFixed(1)} ms`,
      grouped(steps ?? 0),
      `${((behind ?? 0) * 1000).toFixed(1)} ms`,
    ])
  }

  /** Finds the order and what is undecided, if anything that decides has changed. Returns whether it did. */
  private look(schedule: Schedule): boolean {
    const deciding = decidingIn(schedule)
    const began = performance.now()
    if (isSame(deciding, this.deciding) || began < this.lookAgainAt) return false
    const found = schedule.ambiguities()
    const constraints = schedule.constraints()
    this.deciding = deciding
    this.places = placesOf(schedule.order(), constraints, found)
    const pairs = found.length === 0 ? '' : `, ${counted(found.length, 'undecided pair')}`
    say(this.summary, `${counted(constraints.length, 'constraint')}${pairs}`)
    this.ambiguities.fill(found, ({ systems, components }) => {
      const touched = components.slice(0, MOST_TOUCHED).map(shownName).join(', ')
      return [...systems.map(shownName), components.length > MOST_TOUCHED ? `${touched}, …` : touched]
    })
    this.unordered.hidden = found.length > 0
    const took = performance.now() - began
    this.lookAgainAt = took < QUICK_LOOK ? 0 : began + took * REST_AFTER_LOOK
    return true
  }
}

const counted = (count: number, what: string) => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`

const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((one, i) => one === b[i])
