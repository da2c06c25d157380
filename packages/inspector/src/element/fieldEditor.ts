// Owns the field of a component or resource on the page: it shows a value, and lets a person write another one.
// It must never overwrite what a person is typing, nor write a value that was not entered.

import { NULL_ENTITY } from '../../../../bindings/index'
import type { FieldInfo } from '../inspect/inspect'
import { make, mark, say } from './dom'
import { EDITED_AS, type FieldType } from './fieldTypes'
import { floatText, handleText, numberText, shortNumber, shownName } from './format'
import { cut, messageOf, preview } from './preview'

/** A vec with more values is shown, not edited. */
const MOST_EDITED = 16
/** Characters of a name that is read aloud. */
const MOST_OF_A_LABEL = 200

type Input = HTMLInputElement | HTMLTextAreaElement

export interface FieldEditorOptions {
  /** What the field belongs to, for those who hear the label alone: 'Position of #12'. */
  readonly owner: string
  readonly field: FieldInfo
  /** The value of the whole field at this moment; undefined if the field is no longer there. */
  readonly read: () => unknown
  /** Writes the whole value of the field. What it throws is shown. */
  readonly write: (value: unknown) => void
  /** Whether the inspector is open: one that is being closed takes no values. */
  readonly isOpen: () => boolean
  /** Goes to an entity that the field names. */
  readonly jump: (entity: number) => void
}

/** One value of the field. */
interface Part {
  readonly input: Input
  /** What the field said when the page set it at last: something else was typed by a person. */
  shown: string
  /** Why what stands there was not written. */
  refusal: string | undefined
  /** Whether the field was left, and what was typed is about to be written. */
  isLeft: boolean
}

export class FieldEditor {
  readonly root: HTMLElement
  private readonly parts: Part[] = []
  private readonly text = make('span', { class: 'value' })
  private readonly error = make('p', { class: 'error', role: 'alert', hidden: true })
  private readonly go = make('button', { type: 'button', class: 'link' })
  private value: unknown
  private isClosed = false

  constructor(private readonly options: FieldEditorOptions) {
    const { field } = options
    const isLong = field.length > MOST_EDITED
    for (let i = 0; i < (isLong ? 0 : field.length); i++) this.parts.push(this.createPart(i))
    this.go.addEventListener('click', () => options.jump(this.value as number))
    this.root = make(
      'div',
      { class: 'field' },
      make('span', { class: 'name', 'aria-hidden': 'true' }, shownName(field.name)),
      make('span', { class: 'inputs' }, ...(isLong ? [this.text] : this.parts.map(({ input }) => input))),
      make(
        'span',
        { class: 'type', 'aria-hidden': 'true' },
        field.length > 1 ? `${field.type} × ${field.length}` : field.type,
      ),
      this.error,
    )
    if (this.isLink) this.parts[0]?.input.after(this.go)
  }

  /** Shows what the value is now. What a person is typing, or what was refused, stays. */
  show(value: unknown): void {
    this.value = value
    if (this.parts.length === 0) return say(this.text, preview(value))
    this.parts.forEach((part, i) => {
      const isFocused = this.isFocused(part)
      if (part.refusal !== undefined || part.isLeft || (isFocused && isEdited(part))) return
      this.put(part, this.valueOf(i), isFocused ? exactText : shortText)
    })
    if (!this.isLink) return
    this.go.hidden = value === NULL_ENTITY
    say(this.go, `Go to ${handleText(value as number)}`)
  }

  /** Makes it show only, or lets it be edited again. */
  lock(isLocked: boolean): void {
    for (const { input } of this.parts) {
      if (isBox(input)) input.disabled = isLocked
      else input.readOnly = isLocked
    }
  }

  /** Writes nothing from now on. */
  close(): void {
    this.isClosed = true
  }

  private get isLink(): boolean {
    const { type, length } = this.options.field
    return EDITED_AS[type] === 'handle' && length === 1
  }

  private isFocused({ input }: Part): boolean {
    return input === (this.root.getRootNode() as ShadowRoot).activeElement
  }

  private valueOf(i: number): unknown {
    return this.partOf(this.value, i)
  }

  private partOf(value: unknown, i: number): unknown {
    return this.options.field.length === 1 ? value : (value as ArrayLike<unknown>)[i]
  }

  private put(part: Part, value: unknown, textOf: (value: unknown, type: FieldType) => string): void {
    const { input } = part
    if (isBox(input)) input.checked = Boolean(value)
    else {
      const text = textOf(value, this.options.field.type)
      if (input.value !== text) replaceText(input, text)
      // What was set may read otherwise: fields have line breaks of their own.
      part.shown = input.value
    }
  }

  private createPart(i: number): Part {
    const { owner, field } = this.options
    const name = field.length === 1 ? field.name : `${field.name}[${i}]`
    const attributes = {
      'aria-label': `${cut(name, MOST_OF_A_LABEL)} of ${cut(owner, MOST_OF_A_LABEL)}`,
      autocomplete: 'off',
      spellcheck: 'false',
    }
    const editedAs = EDITED_AS[field.type]
    const input: Input =
      editedAs === 'lines'
        ? // A text may have line breaks, which an input would drop.
          make('textarea', { ...attributes, rows: 1 })
        : make('input', {
            ...attributes,
            type: editedAs === 'box' ? 'checkbox' : 'text',
            inputmode: editedAs === 'handle' ? undefined : 'decimal',
            placeholder: editedAs === 'handle' ? 'no entity' : undefined,
          })
    const part: Part = { input, shown: '', refusal: undefined, isLeft: false }
    input.addEventListener('change', () => this.take(part, i))
    input.addEventListener('focus', () => this.enter(part, i))
    input.addEventListener('blur', () => this.leave(part))
    input.addEventListener('keydown', (event) => this.press(event as KeyboardEvent, part, i))
    return part
  }

  /** Shows every digit of a value that may be edited now. */
  private enter(part: Part, i: number): void {
    const { input, refusal } = part
    if (refusal !== undefined || this.value === undefined) return
    const before = input.value
    this.put(part, this.valueOf(i), exactText)
    // A click sets the caret later.
    if (input.value !== before) input.select()
  }

  private leave(part: Part): void {
    if (isBox(part.input)) this.complain(part, undefined)
    if (this.value !== undefined) this.show(this.value)
  }

  private press(event: KeyboardEvent, part: Part, i: number): void {
    const { key, shiftKey, isComposing } = event
    const { input } = part
    if (isComposing || (key !== 'Escape' && key !== 'Enter')) return
    if (key === 'Escape') {
      this.complain(part, undefined)
      this.put(part, this.valueOf(i), exactText)
    } else if (input.localName === 'textarea') {
      if (shiftKey) return
      event.preventDefault()
      this.commit(part, i)
    }
    if (!isBox(input)) input.select()
  }

  /** Writes what was entered; at once by Enter, and otherwise when it is clear that the field was left. */
  private take(part: Part, i: number): void {
    if (isBox(part.input) || this.isFocused(part)) return this.commit(part, i)
    // Browsers also report a change when the page hides or removes the field that somebody is typing into.
    part.isLeft = true
    queueMicrotask(() => {
      part.isLeft = false
      this.commit(part, i)
    })
  }

  private commit(part: Part, i: number): void {
    const { input } = part
    if (this.isClosed || !this.options.isOpen()) return
    if (!isBox(input) && !isEdited(part)) return this.complain(part, undefined)
    // What the field is at this moment, and not at the last refresh: the other parts of a vec are those of now.
    const before = this.now()
    try {
      const whole = this.wholeWith(this.read(input), i, before)
      this.options.write(whole)
      this.value = whole
      part.shown = input.value
      this.complain(part, undefined)
    } catch (error) {
      const reason = cut(messageOf(error))
      const after = this.now()
      this.value = after ?? this.value
      // A listener may throw when the value is there already.
      if (after !== undefined && !Object.is(this.partOf(before, i), this.partOf(after, i)))
        return this.remark(part, `It was written, and then this failed: ${reason}`)
      this.complain(part, reason)
      // A box has no room for a value that was refused.
      if (isBox(input)) input.checked = Boolean(this.valueOf(i))
    }
  }

  /** The value of the field at this moment; undefined where it is gone, or its entity is. */
  private now(): unknown {
    try {
      return this.options.read()
    } catch {
      return undefined
    }
  }

  /** The value of the field with one part changed. */
  private wholeWith(changed: unknown, i: number, now: unknown): unknown {
    const { owner, field } = this.options
    if (now === undefined)
      throw new Error(`${field.name} of ${owner} is no longer there: nothing was written.`)
    if (field.length === 1) return changed
    return Array.from(now as ArrayLike<unknown>, (old, k) => (k === i ? changed : old))
  }

  /** What was typed, in the type of the field. What is no number goes on as text: the world says what it wants. */
  private read(input: Input): unknown {
    const editedAs = EDITED_AS[this.options.field.type]
    if (isBox(input)) return input.checked
    if (editedAs === 'lines') return withBreaksOf(this.value, input.value)
    const typed = input.value.trim()
    if (editedAs === 'handle')
      return typed === '' ? NULL_ENTITY : /^#?\d+$/.test(typed) ? Number(typed.replace('#', '')) : typed
    const number = Number(typed)
    const stored = editedAs === 'float' ? Math.fround(number) : number
    const isTyped = Number.isFinite(stored) || /^(?:NaN|[-+]?Infinity)$/.test(typed)
    return typed !== '' && isTyped ? number : typed
  }

  /** Says something about a value that was written. */
  private remark(part: Part, sentence: string): void {
    this.complain(part, undefined)
    part.shown = part.input.value
    this.error.hidden = false
    say(this.error, sentence)
  }

  private complain(part: Part, refusal: string | undefined): void {
    part.refusal = refusal
    mark(part.input, 'aria-invalid', refusal === undefined ? undefined : 'true')
    const refusals = this.parts.flatMap((one) => one.refusal ?? [])
    this.error.hidden = refusals.length === 0
    say(this.error, refusals.join(' '))
  }
}

const isBox = (input: Input): input is HTMLInputElement => input.type === 'checkbox'

const isEdited = ({ input, shown }: Part) => input.value !== shown

/** Sets a text, and leaves the caret where it was. */
function replaceText(input: Input, text: string): void {
  // To ask for a selection costs a layout of the page.
  if (input !== (input.getRootNode() as ShadowRoot).activeElement) {
    input.value = text
    return
  }
  const { selectionStart: start, selectionEnd: end, value } = input
  input.value = text
  if (start === 0 && end === value.length) input.select()
  else input.setSelectionRange(start, end)
}

function shortText(value: unknown, type: FieldType): string {
  if (EDITED_AS[type] === 'handle') return value === NULL_ENTITY ? '' : handleText(value as number)
  return typeof value === 'number' ? shortNumber(value) : textOf(value)
}

/** The text that, when it is entered, writes this value. */
function exactText(value: unknown, type: FieldType): string {
  if (EDITED_AS[type] === 'handle' || typeof value !== 'number') return shortText(value, type)
  return EDITED_AS[type] === 'float' ? floatText(value) : numberText(value)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : preview(value))

/** A typed text with the line breaks that it had: in a field all of them are \n. */
const withBreaksOf = (old: unknown, typed: string) =>
  typeof old === 'string' && old.includes('\r\n') ? typed.replaceAll('\n', '\r\n') : typed
