// Owns the tree below an entity: for each relation the entities that are linked to it, and what is linked to those, as far as a
// person unfolds it. Links of what is folded are not read.

import type { AnyRelation } from '../../../../bindings/index'
import { fillList, make, say } from './dom'
import { grouped, handleText, nameText, shownName } from './format'
import { calledText } from './names'
import { type Section, Sections } from './sections'
import type { Session } from './session'

/** Entities that are listed of one branch. */
const MOST_LISTED = 50
/** Refreshes from one look at an unfolded branch to the next: to list a target's sources copies them all. */
const LOOK_EVERY = 10

export class LinkTree {
  readonly root = make('div', { class: 'tree', role: 'group', 'aria-label': 'Linked to it' })
  private readonly list = make('div')
  private readonly branches: Sections<Linked>

  constructor(private readonly session: Session) {
    this.branches = new Sections(
      this.list,
      ({ name, target }) => `${target} ${name}`,
      ({ name, relation, target }) => new Branch(session, name, relation, target),
    )
    this.root.append(make('h3', {}, 'Linked to it'), this.list)
  }

  refresh(entity: number): void {
    const branches = branchesOf(this.session, entity)
    this.root.hidden = branches.length === 0
    // After a reset, a relation may have the name of another one.
    const relations = new Set(branches.map(({ relation }) => relation))
    for (const branch of this.branches.all)
      if (!relations.has((branch as Branch).relation)) this.branches.clear()
    this.branches.show(branches)
  }
}

/** A relation by which something is linked to an entity. */
interface Linked {
  readonly name: string
  readonly relation: AnyRelation
  readonly target: number
}

/** The relations by which something is linked to an entity. */
function branchesOf({ world, view }: Session, entity: number): Linked[] {
  return view
    .relations()
    .filter(({ links }) => links > 0)
    .map(({ name }) => ({
      name,
      relation: world.componentByName(name) as unknown as AnyRelation,
      target: entity,
    }))
    .filter(({ relation }) => world.sourceCount(entity as never, relation) > 0)
}

/** Those that are linked to an entity by one relation. */
class Branch implements Section<unknown> {
  readonly root: HTMLDetailsElement
  private readonly summary = make('summary')
  private readonly list = make('ul')
  private readonly rest = make('button', { type: 'button', class: 'link', hidden: true })
  private inner: Branch[] = []
  private shown: number[] = []
  private looks = 0

  constructor(
    private readonly session: Session,
    private readonly name: string,
    readonly relation: AnyRelation,
    private readonly target: number,
  ) {
    this.root = make(
      'details',
      { ontoggle: () => session.channel.attempt(() => this.look()) },
      this.summary,
      this.list,
      this.rest,
    )
    this.rest.addEventListener('click', () =>
      session.channel.filter(`${nameText(name)}(${handleText(target)})`),
    )
  }

  show(): void {
    const count = this.session.world.sourceCount(this.target, this.relation)
    say(this.summary, `${shownName(this.name)}: ${grouped(count)}`)
    if (!this.root.open) return
    if (this.looks++ % LOOK_EVERY === 0) this.look()
    for (const branch of this.inner) branch.show()
  }

  private look(): void {
    const { session, relation, target } = this
    if (!this.root.open) return
    const all = session.world.sources(target, relation)
    const first = Array.from(all.subarray(0, MOST_LISTED))
    this.rest.hidden = all.length <= MOST_LISTED
    say(this.rest, `Find all ${grouped(all.length)}`)
    if (first.length !== this.shown.length || first.some((entity, i) => entity !== this.shown[i]))
      this.fill(first)
  }

  private fill(entities: readonly number[]): void {
    this.shown = [...entities]
    this.inner = []
    this.list.replaceChildren()
    fillList(
      this.list,
      entities,
      () => make('li'),
      (item, entity) => {
        item.append(
          make(
            'button',
            { type: 'button', class: 'link', onclick: () => this.session.choose(entity as never) },
            calledText(this.session, entity),
          ),
        )
        if (this.session.world.sourceCount(entity, this.relation) === 0) return
        const branch = new Branch(this.session, this.name, this.relation, entity)
        branch.show()
        this.inner.push(branch)
        item.append(branch.root)
      },
    )
  }
}
