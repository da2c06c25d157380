// Owns the editor of a program: CodeMirror with the colours of the page. The page loads it when somebody wants to edit.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, drawSelection, highlightActiveLine, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--live-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--live-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--live-number)' },
  { tag: [tags.comment], color: 'var(--live-comment)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: 'var(--live-function)',
  },
  { tag: [tags.typeName, tags.className], color: 'var(--live-function)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--vp-c-text-1)', fontSize: 'var(--vp-code-font-size)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--vp-font-family-mono)', lineHeight: 'var(--vp-code-line-height)' },
  '.cm-content': { padding: '20px 0', caretColor: 'var(--vp-c-text-1)' },
  '.cm-line': { padding: '0 24px' },
  '.cm-activeLine': { backgroundColor: 'var(--live-active-line)' },
  '.cm-cursor': { borderLeftColor: 'var(--vp-c-text-1)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--live-selection)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--live-selection)' },
})

/**
 * Puts an editor into a place. Tab leaves it, as any other field.
 *
 * @param place an empty element
 * @param text what to edit
 * @param label its name for those who do not see it
 * @param onRun called for Ctrl+Enter or Cmd+Enter
 * @param onLeave called for Escape
 * @returns CodeMirror's view: `view.state.doc.toString()` is the text
 */
export function createEditor({ place, text, label, onRun, onLeave }) {
  const command = (action) => () => {
    action()
    return true
  }
  const extensions = [
    history(),
    drawSelection(),
    highlightActiveLine(),
    indentOnInput(),
    bracketMatching(),
    javascript({ typescript: true }),
    syntaxHighlighting(colours),
    look,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    keymap.of([
      { key: 'Mod-Enter', run: command(onRun) },
      { key: 'Escape', run: command(onLeave) },
      ...defaultKeymap,
      ...historyKeymap,
    ]),
  ]
  return new EditorView({ parent: place, state: EditorState.create({ doc: text, extensions }) })
}
