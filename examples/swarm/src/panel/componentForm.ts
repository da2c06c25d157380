// Owns the fields of one component of one entity as form fields: they show what is in linear memory, and write to it.
// It knows components by their declarations only, and writes by the swarm's own way, which notes what is done.

import { NULL_ENTITY, StrataTypeError, type Component, type Entity, type Field, type World } from 'strata-ecs'
import type { Swarm } from '../simulation/swarm.ts'
import { make } from './element.ts'

/** The numbers that may be typed, where what the kind of a field can hold would lead out of the simulation. */
export type Bounds = readonly [least: number, most: number]

export interface ComponentForm {
  readonly element: HTMLElement
  /** Shows the values of a living entity; hides itself when that one lacks the component. */
  show(entity: Entity): void
}

interface FormField {
  readonly row: HTMLElement
  show(value: unknown): void
}

/** What all fields of a form need. */
interface Target {
  readonly world: World
  readonly act: Swarm['act']
  readonly component: Component
  readonly bounds: Bounds | undefined
  /** The entity whose values are shown. */
  entity: Entity
  /** Wants to see another entity. */
  readonly follow: (entity: Entity) => void
}

/** The form of a component, with a switch where it can be switched off. */
export function createComponentForm(
  { world, act }: Pick<Swarm, 'world' | 'act'>,
  component: Component,
  bounds: Bounds | undefined,
  follow: (entity: Entity) => void,
): ComponentForm {
  const target: Target = { world, act, component, bounds, follow, entity: NULL_ENTITY }
  const { componentName } = component
  const title = make('div', { class: 'title' }, make('h3', {}, componentName))
  const form = make('div', { class: 'component', role: 'group', 'aria-label': componentName }, title)
  const toggle = canToggle(world, component) ? createSwitch(target) : undefined
  if (toggle) title.append(toggle.row)
  const fields = Object.entries(component.schema).map(
    ([name, field]) => [name, createField(target, name, field)] as const,
  )
  form.append(...fields.map(([, { row }]) => row))

  return {
    element: form,
    show(entity) {
      target.entity = entity
      const values = world.get(entity, component) as Record<string, unknown> | undefined
      form.hidden = values === undefined
      if (values === undefined) return
      toggle?.show(world.isEnabled(entity, component))
      for (const [name, field] of fields) field.show(values[name])
    },
  }
}

/** A declaration does not tell, a world does: it refuses to switch what cannot be switched. */
function canToggle(world: World, component: Component): boolean {
  try {
    world.enable(NULL_ENTITY, component)
    return true
  } catch (error) {
    if (error instanceof StrataTypeError && error.code === 'NOT_A_TOGGLE') return false
    throw error
  }
}

function createSwitch(target: Target): FormField {
  const { act, component } = target
  const input = make('input', { type: 'checkbox', role: 'switch' })
  input.addEventListener('change', () =>
    act({ kind: 'enable', entity: target.entity, component: component.componentName, on: input.checked }),
  )
  return {
    row: make('label', { class: 'switch' }, input, make('span', {}, `${component.componentName} enabled`)),
    show: (on) => (input.checked = on === true),
  }
}

function createField(target: Target, name: string, field: Field): FormField {
  if (field.kind === 'bool') return createCheckbox(target, name)
  if (field.length > 1) return createList(name)
  return createInput(target, name, field)
}

function createCheckbox(target: Target, name: string): FormField {
  const input = make('input', { type: 'checkbox' })
  input.addEventListener('change', () => write(target, input, name, input.checked))
  return {
    row: make('label', { class: 'field' }, make('span', {}, name), input),
    show: (value) => (input.checked = value === true),
  }
}

/** Several values: to be looked at. */
function createList(name: string): FormField {
  const output = make('output')
  return {
    row: make('div', { class: 'field whole' }, make('span', {}, name), output),
    show: (values) => (output.textContent = Array.from(values as ArrayLike<number>, shown).join(', ')),
  }
}

function createInput(target: Target, name: string, field: Field): FormField {
  const isText = field.kind === 'text'
  const isFloat = field.kind === 'f32' || field.kind === 'f64'
  const input = make('input', {
    type: isText ? 'text' : 'number',
    step: isFloat ? 'any' : '1',
    autocomplete: 'off',
    'aria-label': `${target.component.componentName} ${name}`,
  })
  if (target.bounds && isFloat) [input.min, input.max] = target.bounds.map(String) as [string, string]
  const row = make('label', { class: 'field' }, make('span', {}, name), input)
  row.classList.toggle('whole', isText || field.kind === 'entity')
  const reference = field.kind === 'entity' ? createReference(target) : undefined
  if (reference) {
    input.placeholder = 'nobody'
    row.append(reference.row)
  }

  input.addEventListener('input', () => {
    if (isText) write(target, input, name, input.value)
    else if (reference && input.value === '' && !input.validity.badInput)
      write(target, input, name, NULL_ENTITY)
    // An empty field and one that holds no number both read as ''; what is out of bounds says so by itself.
    else if (input.value === '' || !input.validity.valid) refuse(input, input.validationMessage || 'A number')
    else write(target, input, name, Number(input.value))
  })
  // Who leaves the field sees again what is stored.
  input.addEventListener('blur', () => accept(input))

  return {
    row,
    show(value) {
      reference?.show(value)
      // Nobody wants to be overwritten while typing.
      if (document.activeElement === input) return
      const text = isFloat ? shown(value as number) : value === NULL_ENTITY && reference ? '' : String(value)
      if (input.value !== text) input.value = text
    },
  }
}

/** A button that goes to the entity that a field names, while that one lives. */
function createReference(target: Target): FormField {
  const button = make('button', { type: 'button', class: 'plain' }, 'pick it')
  let named = NULL_ENTITY
  button.addEventListener('click', () => target.follow(named))
  return {
    row: button,
    show(entity) {
      named = entity as Entity
      button.hidden = !target.world.isAlive(named)
    },
  }
}

/** Writes one value at once; one that the library refuses changes nothing. */
function write(
  { world, act, component, entity }: Target,
  input: HTMLInputElement,
  name: string,
  value: unknown,
) {
  if (!world.has(entity, component)) return
  try {
    act({ kind: 'set', entity, component: component.componentName, values: { [name]: value } })
    accept(input)
  } catch (error) {
    if (!(error instanceof StrataTypeError)) throw error
    refuse(input, error.message)
  }
}

function accept(input: HTMLInputElement) {
  input.removeAttribute('aria-invalid')
  input.title = ''
}

function refuse(input: HTMLInputElement, why: string) {
  input.setAttribute('aria-invalid', 'true')
  input.title = why
}

/** Two decimals are as many as one can follow. */
function shown(value: number): string {
  return value.toFixed(2)
}
