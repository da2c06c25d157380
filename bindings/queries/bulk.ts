// Owns the changes of all entities that match a query, in one call.
// It must never decide what listeners hear: changes/changeAll.ts does.

import { destroyMany } from '../changes/many'
import { changeError, perform } from '../changes/change'
import { type Matching, changeAll, destroyAll } from '../changes/changeAll'
import { ADD, REMOVE } from '../changes/log'
import { switchAllObserved, switchOne } from '../changes/switching'
import type { ComponentLike } from '../components/component'
import { ComponentValue, type Ingredient, type Shared } from '../components/ingredients'
import type { Term } from '../components/terms'
import type { Look } from '../matching/filters'
import type { Entity, EntityArray } from '../memory/entity'
import { StrataTypeError, limitError } from '../memory/errors'
import type { BundleNode } from '../rows/bundle'
import { refuseShared } from '../rows/objects'
import { SEVERAL } from '../rows/reporting'
import { checkSwitch } from '../rows/toggling'
import { QueryRows } from './rows'

/** The second part of a query: see query.ts. */
export abstract class QueryChanges<
  T extends readonly Term[] = readonly Term[],
  Grouped extends boolean = false,
> extends QueryRows<T, Grouped> {
  /** @internal A query for some of its entities. */
  protected abstract narrowed(look: Look): QueryChanges<T, Grouped>

  /**
   * Adds components to every matching entity in one call. An entity that has a component already keeps its values,
   * unless values are given. Adding tags copies no row. Inside a loop this waits until the loop ends, and then
   * applies to what matches at that time.
   *
   * @param ingredients one or more components, tags or components with values; no object components
   * @returns how many entities matched; inside a loop, how many match now
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; LimitError. Nothing changes then,
   *   except for a page, whose earlier entities may have changed.
   */
  add<const I extends readonly Ingredient[]>(...ingredients: Shared<I>): number {
    const bundle = this.bundleOf(ingredients, 'query.add')
    if (bundle.holdsObjects) refuseShared(bundle.definitions, 'query.add')
    return this.changeAll(ADD, bundle, ingredients, () => this.add(...ingredients))
  }

  /**
   * Whether a bulk change of so many entities has nothing to do. Counting has evaluated the conditions already: once
   * is enough.
   */
  private isIdle(matched: number): boolean {
    return matched === 0 && !(this.look.consumes && this.source.remembers)
  }

  /**
   * Removes components from every matching entity in one call. Inside a loop this waits until the loop ends, and then
   * applies to what matches at that time.
   *
   * @param components one or more components or tags
   * @returns how many entities matched; inside a loop, how many match now
   * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT; LimitError. Nothing changes then, except for a
   *   page, whose earlier entities may have changed.
   */
  remove(...components: ComponentLike[]): number {
    const bundle = this.bundleOf(components, 'query.remove')
    return this.changeAll(REMOVE, bundle, undefined, () => this.remove(...components))
  }

  /**
   * Gives a bundle to all that match, or takes it: in one call of the core where that does it, with a report around where single
   * entities must be told of, or entity by entity.
   *
   * @param kind ADD or REMOVE
   * @param again the call that is made when the loop ends
   */
  private changeAll(
    kind: number,
    bundle: BundleNode,
    given: readonly Ingredient[] | undefined,
    again: () => unknown,
  ): number {
    const { state } = this.source
    const matched = this.count
    if (state.locks !== 0) {
      state.commands.later(() => void again())
      return matched
    }
    const address = bundle.addressIn(state)
    if (this.isIdle(matched)) return 0
    const call = (query: number, filters: number) =>
      kind === ADD
        ? state.core.queryAdd(query, filters, address)
        : state.core.queryRemove(query, filters, address)
    // New links are made one by one, whoever is told of them.
    const linksBegin = kind === ADD && bundle.relates
    if (!linksBegin && (state.reports || (kind === REMOVE && bundle.needsUpkeep)))
      return this.changeObserved(call, (matching) => changeAll(state, kind, matching, bundle, given))
    if (linksBegin || this.isWindow || given?.some(hasValues) === true)
      return state.together(() => this.changeEach(kind, bundle, given))
    state.reporting?.subscribers.naming(bundle, SEVERAL)
    const status = this.change(call)
    if (status < 0) throw limitError(status, bundle.describeRows())
    state.settle()
    return matched
  }

  /** Changes entity by entity. Where only values differ, the components were added in bulk before. */
  private changeEach(kind: number, bundle: BundleNode, given: readonly Ingredient[] | undefined): number {
    const { state } = this.source
    const peeking = this.narrowed(this.peek)
    const matching = peeking.list()
    if (bundle.relates) state.relations?.check(matching, bundle, given, 'query.add')
    else if (!this.isWindow) this.addBare(peeking, given as readonly Ingredient[])
    for (let i = 0; i < matching.length; i++) {
      const entity = matching[i] as Entity
      const status =
        kind === ADD
          ? perform(state, ADD, entity, bundle, undefined, given)
          : perform(state, REMOVE, entity, undefined, bundle, undefined)
      if (status < 0) throw changeError(state, status, bundle, entity, kind === ADD ? 'add' : 'remove')
    }
    this.markLooked()
    return matching.length
  }

  /** Adds the components without their values, whose texts there is room for. */
  private addBare(peeking: QueryChanges<T, Grouped>, given: readonly Ingredient[]): void {
    const { texts } = this.source.state
    const made = texts.prepareIngredients(given)
    const bare = given.map((ingredient) =>
      ingredient instanceof ComponentValue ? ingredient.component : ingredient,
    )
    try {
      peeking.add(...bare)
    } catch (error) {
      texts.takeBack(made)
      throw error
    }
  }

  /**
   * Destroys every matching entity in one call. Inside a loop this waits until the loop ends, and then applies to
   * what matches at that time.
   *
   * @returns how many entities matched; inside a loop, how many match now
   */
  destroy(): number {
    const { state } = this.source
    state.refuseDisposed()
    if (state.locks !== 0) {
      state.commands.later(() => void this.destroy())
      return this.count
    }
    if (this.isWindow || (!state.reports && state.upkeep !== undefined))
      return destroyMany(state, this.listLooked())
    const call = (query: number, filters: number) => state.core.queryDestroy(query, filters)
    if (state.reports) {
      return this.changeObserved(call, ({ list, inOneCall }) => destroyAll(state, list(), inOneCall))
    }
    if (state.watching === 0) return this.change(call)
    state.reporting?.subscribers.dying(SEVERAL)
    const destroyed = this.change(call)
    state.settle()
    return destroyed
  }

  /**
   * Switches a component on for every matching entity that has it, in one call that moves no rows. A term of the
   * query on that component asks only whether it is there, so `world.query(Burning).enable(Burning)` reaches all
   * entities with Burning; but not in a page, nor beside a target or an order: write present(Burning) there. Inside a
   * loop this waits until the loop ends.
   *
   * @returns how many matching entities have the component; inside a loop, how many entities match now
   * @throws StrataTypeError NOT_A_TOGGLE, NOT_A_COMPONENT
   */
  enable(component: ComponentLike): number {
    return this.switch(component, false, 'query.enable')
  }

  /**
   * Switches a component off for every matching entity that has it, in one call that moves no rows. A term of the
   * query on that component asks only whether it is there. Inside a loop this waits until the loop ends.
   *
   * @returns how many matching entities have the component; inside a loop, how many entities match now
   * @throws StrataTypeError NOT_A_TOGGLE, NOT_A_COMPONENT
   */
  disable(component: ComponentLike): number {
    return this.switch(component, true, 'query.disable')
  }

  private switch(component: unknown, off: boolean, operation: string): number {
    const definition = checkSwitch(component, operation)
    const { state } = this.source
    state.refuseDisposed()
    if (state.locks !== 0) {
      state.commands.later(() => void this.switch(component, off, operation))
      return this.count
    }
    if (this.isWindow) {
      const known = state.known(definition)
      const matching = this.listLooked().filter((entity) => known?.isOn(entity) === true)
      state.together(() => {
        for (const entity of matching) switchOne(state, entity, definition, off)
      })
      return matching.length
    }
    const { id } = state.register(definition)
    const inOneCall = () =>
      this.change((query, filters) => state.core.querySwitch(query, filters, id, off ? 1 : 0))
    if (state.watching === 0) return inOneCall()
    state.reporting?.subscribers.switching(definition, SEVERAL)
    const switched = state.reports ? switchAllObserved(state, definition, off, inOneCall) : inOneCall()
    state.settle()
    return switched
  }

  /**
   * Makes a bulk change with a report around: `change` gets the matching entities, and the change in one call where that is
   * possible. The list for the listeners uses up nothing of what has changed: only the change itself counts as a look.
   */
  private changeObserved(
    call: (query: number, filterCount: number) => number,
    change: (matching: Matching) => number,
  ): number {
    let isSeen = false
    const inOneCall = () => {
      isSeen = true
      return this.change(call)
    }
    const changed = change({ list: () => this.list(), inOneCall: this.isWindow ? undefined : inOneCall })
    if (!isSeen) this.markLooked()
    return changed
  }

  /** The list for a change that is made entity by entity. Taking it counts as a look. */
  private listLooked(): EntityArray {
    const matching = this.list()
    this.markLooked()
    return matching
  }

  private markLooked(): void {
    if (this.look.consumes && this.source.remembers) this.source.markSeen()
  }

  private bundleOf(ingredients: readonly unknown[], operation: string) {
    const { state } = this.source
    state.refuseDisposed()
    if (ingredients.length === 0) {
      throw new StrataTypeError('NOT_A_COMPONENT', `${operation} takes at least one component.`)
    }
    return operation === 'query.add'
      ? state.bundles.followAll(ingredients, operation)
      : state.bundles.withAll(ingredients, operation)
  }
}

function hasValues(ingredient: Ingredient): boolean {
  return ingredient instanceof ComponentValue && ingredient.values !== undefined
}
