// Owns the tree below an entity: for each relation those that are linked to it, and what is linked to those, as far as a
// person unfolds it. It must never read the links of what is folded.

import type { AnyRelation } from '../bindings/index'
import { fillList, make, say } from './dom'
import { grouped, handleText, nameText } from './format'
import { nameOf } from './names'
import type { Session } from './session'

/** Entities that are listed of one branch. */
const MOST_LISTED = 50
/** Refreshes from one look at an unfolded branch to the next: to list a target's sources copies them all. */
const LOOK_EVERY = 10

export class LinkTree {
  readonly root = make('div', { class: 'tree', role: 'group', 'aria-label': 'Linked to it' })
  private readonly list = make('div')
  private branches: Branch[] = []
  private shape = ''

  constructor(private readonly session: Session) {
    this.root.append(make('h3', {}, 'Linked to it'), this.list)
  }

  refresh(entity: number): void {
    const branches = branchesOf(this.session, entity)
    this.root.hidden = branches.length === 0
    const shape = `${entity} ${branches.map(({ name }) => name).join(' ')}`
    if (shape !== this.shape) {
      this.shape = shape
      this.branches = branches.map(({ name, relation }) => new Branch(this.session, name, relation, entity))
      this.list.replaceChildren(...this.branches.map(({ root }) => root))
    }
    for (const branch of this.branches) branch.refresh()
  }
}

/** The relations by which something is linked to an entity. */
function branchesOf({ world, view }: Session, entity: number): { name: string; relation: AnyRelation }[] {
  return view
    .relations()
    .filter(({ links }) => links > 0)
    .map(({ name }) => ({ name, relation: world.componentNamed(name) as unknown as AnyRelation }))
    .filter(({ relation }) => world.sourceCount(entity as never, relation) > 0)
}

/** Those that are linked to an entity by one relation. */
class Branch {
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
    private readonly relation: AnyRelation,
    private readonly target: number,
  ) {
    this.root = make(
      'details',
      { ontoggle: () => session.attempt(() => this.look()) },
      this.summary,
      this.list,
      this.rest,
    )
    this.rest.addEventListener('click', () => session.onFilter(`${nameText(name)}(${handleText(target)})`))
  }

  refresh(): void {
    const count = this.session.world.sourceCount(this.target, this.relation)
    say(this.summary, `${this.name}: ${grouped(count)}`)
    if (!this.root.open) return
    if (this.looks++ % LOOK_EVERY === 0) this.look()
    for (const branch of this.inner) branch.refresh()
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
        const name = nameOf(this.session, entity)
        const label = `${name === undefined ? '' : `${name} `}${handleText(entity)}`
        item.append(
          make(
            'button',
            { type: 'button', class: 'link', onclick: () => this.session.choose(entity as never) },
            label,
          ),
        )
        if (this.session.world.sourceCount(entity, this.relation) === 0) return
        const branch = new Branch(this.session, this.name, this.relation, entity)
        branch.refresh()
        this.inner.push(branch)
        item.append(branch.root)
      },
    )
  }
}
