// Owns the field of a component or resource on the page: it shows a value, and lets a person write another one.
// It must never overwrite what a person is typing, nor write what nobody changed.

import type { FieldInfo } from '../bindings/inspect/inspect'
import { make, mark, say } from './dom'
import { handleText, short } from './format'

/** A vec with more values is shown, not edited. */
const MOST_EDITED = 16

export interface FieldEditorOptions {
  /** What the field belongs to, for those who hear the label alone: 'Position of #12'. */
  readonly owner: string
  readonly field: FieldInfo
  /** Writes the whole value of the field. What it throws is shown. */
  readonly write: (value: unknown) => void
  /** Goes to an entity that the field names. */
  readonly jump: (entity: number) => void
}

export class FieldEditor {
  readonly root: HTMLElement
  private readonly inputs: HTMLInputElement[] = []
  private readonly text = make('span', { class: 'value' })
  private readonly error = make('p', { class: 'error', role: 'alert', hidden: true })
  private readonly go = make('button', { type: 'button', class: 'link' })
  private value: unknown

  constructor(private readonly options: FieldEditorOptions) {
    const { field } = options
    const isLong = field.length > MOST_EDITED
    for (let i = 0; i < (isLong ? 0 : field.length); i++) this.inputs.push(this.createInput(i))
    this.go.addEventListener('click', () => options.jump(this.value as number))
    this.root = make(
      'div',
      { class: 'field' },
      make('span', { class: 'name', 'aria-hidden': 'true' }, field.name),
      make('span', { class: 'inputs' }, ...(isLong ? [this.text] : this.inputs)),
      make(
        'span',
        { class: 'type', 'aria-hidden': 'true' },
        field.length > 1 ? `${field.type} × ${field.length}` : field.type,
      ),
      this.error,
    )
    if (field.type === 'entity' && field.length === 1) this.inputs[0]?.after(this.go)
  }

  /** Shows what the value is now. */
  show(value: unknown): void {
    this.value = value
    if (this.inputs.length === 0) return say(this.text, short(value))
    this.inputs.forEach((input, i) => {
      if (input === (this.root.getRootNode() as ShadowRoot).activeElement && input.type !== 'checkbox') return
      const part = this.partOf(value, i)
      if (input.type === 'checkbox') input.checked = Boolean(part)
      else if (input.value !== this.textOf(part)) input.value = this.textOf(part)
    })
    if (this.options.field.type === 'entity' && this.options.field.length === 1) {
      this.go.hidden = !value
      say(this.go, `Go to ${handleText(value as number)}`)
    }
  }

  private partOf(value: unknown, i: number): unknown {
    return this.options.field.length === 1 ? value : (value as ArrayLike<unknown>)[i]
  }

  private textOf(part: unknown): string {
    if (this.options.field.type === 'entity') return part ? handleText(part as number) : ''
    return short(part)
  }

  private createInput(i: number): HTMLInputElement {
    const { owner, field } = this.options
    const part = field.length === 1 ? field.name : `${field.name}[${i}]`
    const isText = field.type === 'text'
    const input = make('input', {
      type: field.type === 'bool' ? 'checkbox' : 'text',
      'aria-label': `${part} of ${owner}`,
      inputmode: isText || field.type === 'entity' ? undefined : 'decimal',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: field.type === 'entity' ? 'no entity' : undefined,
      onchange: () => this.commit(input, i),
      onblur: () => this.show(this.value),
    })
    input.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') input.value = this.textOf(this.partOf(this.value, i))
      if (key === 'Enter' || key === 'Escape') input.select()
    })
    return input
  }

  private commit(input: HTMLInputElement, i: number): void {
    try {
      const part = this.read(input)
      const { length } = this.options.field
      const whole =
        length === 1 ? part : Array.from(this.value as ArrayLike<unknown>, (old, k) => (k === i ? part : old))
      this.options.write(whole)
      this.value = whole
      this.complain(input, undefined)
    } catch (error) {
      this.complain(input, error instanceof Error ? error.message : String(error))
    }
  }

  /** What was typed, in the type of the field. A number that is none goes on as text: the world says what it wants. */
  private read(input: HTMLInputElement): unknown {
    const { type } = this.options.field
    const typed = input.value.trim()
    if (type === 'bool') return input.checked
    if (type === 'text') return input.value
    if (type === 'entity' && typed === '') return 0
    const number = Number(typed.replace(/^#/, ''))
    return typed === '' || Number.isNaN(number) ? typed : number
  }

  private complain(input: HTMLInputElement, sentence: string | undefined): void {
    mark(input, 'aria-invalid', sentence === undefined ? undefined : 'true')
    this.error.hidden = sentence === undefined
    say(this.error, sentence ?? '')
  }
}
