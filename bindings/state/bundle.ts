// Owns bundles as the bindings see them: what a change needs to know of the components it adds or removes, and the tree in which
// the components of a call, in the order given, lead to the bundle in the core. Finding one is a walk of array reads.

import {
  SCRATCH_ADDRESS_WORD,
  SCRATCH_BYTES,
  STATUS_OUT_OF_MEMORY,
  STATUS_SIGNATURE_TOO_LONG,
} from '../../build/layout'
import { type Definition, definitionOf, FAR_SERIALS, needsUpkeep } from '../components/definition'
import { ComponentValue, type ValuesByComponent } from '../components/componentValues'
import type { DeclarationNames } from '../components/declarationNames'
import { notAComponent } from '../components/notAComponent'
import { StrataTypeError, limitError } from '../memory/errors'
import type { Registration } from './registration'
import type { Relating } from './relationHooks'
import type { Registry } from './registry'
import { describeRow } from './rowLimits'

/** Their ids take half of scratch, like those of the largest archetype. */
const MAX_COMPONENTS_A_CALL = SCRATCH_BYTES >> 3
/** What no argument of a call is. */
const NOTHING = /* @__PURE__ */ Symbol('nothing')

/** Components that a change adds, or removes. */
export abstract class Bundle {
  /** The core's address of the bundle; 0 until it is used. */
  address = 0
  /** What the world knows of each component, in their order; filled when the bundle is first used. */
  registrations: Registration[] = []
  /** What these components concern when they come or go: kept here by the listeners, who know what it is. */
  watch: object | undefined
  /** What Session.listening was when nothing that was listened for had to do with it. */
  ignoredAt = -1
  /** Whether a component has text fields. */
  hasTexts = false
  /** Whether one of the components is an object component: its values are not copied, merged or shared. */
  holdsObjects = false
  /** Whether one of the components is a tag in the order of insertion. */
  keepsInsertionOrder = false
  /** Whether one of the components is a relation. */
  relates = false
  /** Whether what an entity has of one of the components is more than a row: of objects and relations. */
  needsUpkeep = false
  /** Whether all of them are kept in pools, so that to lose them needs no memory; known once it is used. */
  isPooled = false

  /** The components in the order of the call. */
  abstract get definitions(): readonly Definition[]

  /** Whether the component is in it. */
  abstract contains(definition: Definition): boolean

  /** The core's bundle; registers the components at the first use. Must not run inside a loop. */
  abstract addressIn(state: Registry): number

  /** Notes what sets a component apart from others. */
  protected note(definition: Definition): void {
    this.hasTexts ||= definition.hasTexts
    this.holdsObjects ||= definition.kind === 'object'
    this.keepsInsertionOrder ||= definition.order === 'insertion'
    this.relates ||= definition.details.relating !== undefined
    this.needsUpkeep ||= needsUpkeep(definition)
  }

  /** Makes the components known to the world, and leaves their ids in scratch. */
  protected leaveIds(state: Registry): void {
    const { definitions, registrations } = this
    // All of them first: that needs scratch, too.
    for (let i = 0; i < definitions.length; i++)
      registrations[i] = state.register(definitions[i] as Definition)
    registrations.length = definitions.length
    this.isPooled = registrations.every(({ pooled }) => pooled)
    const first = SCRATCH_ADDRESS_WORD
    for (let i = 0; i < registrations.length; i++) {
      state.heap.u32[first + i] = (registrations[i] as Registration).id
    }
  }

  /** The sizes of the components, and of those an entity has already, for the error of a row that is too large. */
  describeRows(present?: readonly Definition[]): string {
    return describeRow(this.definitions, present)
  }
}

export class BundleNode extends Bundle {
  /** The address if a change is a single call into the core: no text has to be interned, and nothing needs upkeep. */
  directAddress = 0
  private readonly children: (BundleNode | undefined)[] = []
  private farChildren: Map<number, BundleNode> | undefined
  /** The component asked for last and where it led: most calls in a row name the same. */
  private recent: unknown = NOTHING
  recentChild: BundleNode = this
  private path: readonly Definition[] | undefined
  /** The names of the world's components. */
  names: DeclarationNames | undefined

  constructor(
    private readonly parent: BundleNode | undefined,
    /** The component that leads here from the parent. */
    private readonly last: Definition | undefined,
    private readonly length: number,
  ) {
    super()
    if (parent === undefined || last === undefined) return
    this.hasTexts = parent.hasTexts
    this.holdsObjects = parent.holdsObjects
    this.keepsInsertionOrder = parent.keepsInsertionOrder
    this.relates = parent.relates
    this.needsUpkeep = parent.needsUpkeep
    this.note(last)
  }

  /** Made at first sight: nodes on the way to longer bundles need none. */
  get definitions(): readonly Definition[] {
    this.path ??= this.walkUp()
    return this.path
  }

  private walkUp(): Definition[] {
    const path: Definition[] = []
    for (let node = this as BundleNode; node.last !== undefined; node = node.parent as BundleNode)
      path.push(node.last)
    return path.reverse()
  }

  /** The node with what one more argument of a call names, with values or without. */
  follow(ingredient: unknown, operation: string): BundleNode {
    // Components are functions: asking for that first keeps the common case free of a prototype walk.
    const valued = typeof ingredient === 'object' && ingredient instanceof ComponentValue
    return this.with((valued ? ingredient.component : ingredient) as Definition, operation, valued)
  }

  /**
   * The node with one more component. `component` may be anything: what is none is refused.
   *
   * @param valued whether it comes with values: this very node for one more link of a relation with many targets
   */
  with(component: Definition, operation: string, valued = false): BundleNode {
    if (this.recent === component) return this.recentChild
    const known = this.children[component?.serial]
    if (known !== undefined && known.last === component) {
      this.recent = component
      this.recentChild = known
      return known
    }
    return this.findChild(component, operation, valued)
  }

  /** The directAddress of the node to which a component leads, if it is the one asked for last; else 0. */
  recentAddress(component: unknown): number {
    return this.recent === component ? this.recentChild.directAddress : 0
  }

  /** Forgets the core's bundles of this node and of all that lead on from it: they are asked for again. */
  forgetAddresses(): void {
    const open: BundleNode[] = [this]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      node.address = node.directAddress = 0
      for (const child of node.children) if (child !== undefined) open.push(child)
      if (node.farChildren !== undefined) open.push(...node.farChildren.values())
    }
  }

  /**
   * The node with the components of a list, with values or without. Several links of one relation become one entry of the list,
   * which must be the caller's own.
   */
  followAll(ingredients: readonly unknown[], operation: string): BundleNode {
    let node = this as BundleNode
    for (let i = 0; i < ingredients.length; i++) {
      const next = node.follow(ingredients[i], operation)
      if (next === node) {
        const relation = (ingredients[i] as ComponentValue).component as unknown as Definition
        ;(relation.details.relating as Relating).join(ingredients as unknown[], i--, operation)
      }
      node = next
    }
    return node
  }

  /** This node, or where the list that led to it one by one names several links of a relation, followAll of that list. */
  joined(root: BundleNode, given: ValuesByComponent, operation: string): BundleNode {
    return given !== undefined && given.length > this.length ? root.followAll(given, operation) : this
  }

  /** The node with the components of a list, without values: for removing them. */
  withAll(components: readonly unknown[], operation: string): BundleNode {
    let node = this as BundleNode
    for (let i = 0; i < components.length; i++) node = node.with(components[i] as Definition, operation)
    return node
  }

  private findChild(component: unknown, operation: string, valued: boolean): BundleNode {
    const definition = definitionOf(component)
    if (definition === undefined) throw notAComponent(component, operation)
    const far = this.farChildren?.get(definition.serial)
    if (far !== undefined) return far
    if (this.contains(definition)) {
      if (valued && (definition.details.relating as Relating | undefined)?.isExclusive === false) return this
      throw namedTwice(definition, operation)
    }
    if (this.length === MAX_COMPONENTS_A_CALL) throw limitError(STATUS_SIGNATURE_TOO_LONG, '')
    this.names?.claim(definition.componentName, definition)
    const child = new BundleNode(this, definition, this.length + 1)
    child.names = this.names
    if (definition.serial >= FAR_SERIALS) {
      this.farChildren ??= new Map()
      this.farChildren.set(definition.serial, child)
    } else {
      while (this.children.length <= definition.serial) this.children.push(undefined)
      this.children[definition.serial] = child
    }
    return child
  }

  contains(definition: Definition): boolean {
    for (let node = this as BundleNode | undefined; node !== undefined; node = node.parent) {
      if (node.last === definition) return true
    }
    return false
  }

  addressIn(state: Registry): number {
    return this.address !== 0 ? this.address : this.open(state)
  }

  /** What the world knows of each component, undefined for those that it has not met. Makes nothing known. */
  knownIn(state: Registry): readonly (Registration | undefined)[] {
    return this.address !== 0 ? this.registrations : this.definitions.map((each) => state.known(each))
  }

  private open(state: Registry): number {
    this.leaveIds(state)
    const address = state.core.bundleOf(this.length)
    state.heap.check()
    if (address === 0) throw limitError(STATUS_OUT_OF_MEMORY, this.describeRows())
    this.address = address
    if (!this.hasTexts && !this.needsUpkeep) this.directAddress = address
    return address
  }
}

/** The error for a component that a call names twice. */
export function namedTwice({ componentName: name }: Definition, operation: string): StrataTypeError {
  return new StrataTypeError(
    'DUPLICATE_COMPONENT',
    `${operation} names ${name} twice: an entity has a component once.`,
  )
}
