// Owns what the inspector looks like, light and dark, wide and narrow.

const CSS = `
:host {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #15181d);
  --raised: light-dark(#f4f6f8, #1d2128);
  --line: light-dark(#d5dae1, #343b46);
  --ink: light-dark(#1a1f27, #e6e9ee);
  --quiet: light-dark(#566070, #9ea8b7);
  --accent: light-dark(#1257b8, #8ab8ff);
  --chosen: light-dark(#dfebfc, #22344f);
  --bad: light-dark(#b3261e, #ff9c92);
  --bad-paper: light-dark(#fdecea, #3b1d1b);
  --warm: light-dark(#8a5300, #f2bd6b);
  display: block;
  box-sizing: border-box;
  height: 100%;
  color: var(--ink);
  background: var(--paper);
  font: 13px/1.45 system-ui, sans-serif;
  container: inspector / size;
}
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([hidden]), [hidden] { display: none !important; }
:host([docked]) {
  position: fixed; inset: 0 0 0 auto; z-index: 2147483000;
  width: min(480px, 100vw); height: auto;
  border-left: 1px solid var(--line);
  box-shadow: 0 0 24px rgb(0 0 0 / 0.25);
}
:host([docked='left']) { inset: 0 auto 0 0; border-left: 0; border-right: 1px solid var(--line); }
@media (max-width: 719px) {
  :host([docked]) {
    inset: auto 0 0 0; width: 100%; height: 72dvh;
    border-left: 0; border-right: 0; border-top: 1px solid var(--line);
  }
}
*, *::before, *::after { box-sizing: border-box; }
.frame { display: flex; flex-direction: column; height: 100%; min-height: 0; }
.main, .body { display: flex; flex-direction: column; flex: 1; min-height: 0; }
.top { display: flex; align-items: center; gap: 10px; padding: 8px 12px; border-bottom: 1px solid var(--line); }
.top h1 { font-size: 14px; margin: 0; }
.figures { margin: 0; flex: 1; text-align: right; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.quiet { color: var(--quiet); font-variant-numeric: tabular-nums; }
h2 { font-size: 15px; margin: 0; font-variant-numeric: tabular-nums; }
h3, h2.small { font-size: 13px; margin: 0 0 4px; }
h2.small .quiet, h3 .quiet { font-weight: 400; font-size: 12px; margin-left: 4px; }
p { margin: 0; }
button {
  font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 10px; min-height: 28px; cursor: pointer;
}
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--quiet); cursor: default; opacity: 0.75; }
button[aria-pressed='true'] { background: var(--chosen); border-color: var(--accent); color: var(--accent); }
button.link { text-align: left; overflow-wrap: anywhere; border: 0; background: none; color: var(--accent); padding: 2px 0; text-decoration: underline; min-height: 24px; }
button.close { border: 0; background: none; min-width: 32px; padding: 4px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
input[type='text'], input[type='search'], textarea {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 8px; min-height: 28px; width: 100%; min-width: 0; font-variant-numeric: tabular-nums;
}
textarea { display: block; resize: vertical; field-sizing: content; max-height: 12lh; overflow-wrap: anywhere; }
input::placeholder, textarea::placeholder { color: var(--quiet); opacity: 1; }
input[aria-invalid='true'], textarea[aria-invalid='true'] { border-color: var(--bad); }
input[type='range'] { flex: 1; min-width: 60px; accent-color: var(--accent); height: 28px; }
input[type='checkbox'] { width: 18px; height: 18px; accent-color: var(--accent); margin: 4px 0; }
.tabs { display: flex; gap: 2px; padding: 0 8px; border-bottom: 1px solid var(--line); overflow-x: auto; flex: none; scrollbar-width: none; }
.tabs button { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; padding: 8px; color: var(--quiet); flex: none; }
.tabs button[aria-selected='true'] { color: var(--ink); border-bottom-color: var(--accent); font-weight: 600; }
.tabs button:focus-visible { outline-offset: -2px; }
.panel { flex: 1; min-height: 0; overflow: auto; }
.panel > div { padding: 10px 12px; display: flex; flex-direction: column; gap: 10px; }
.panel > .entities { padding: 0; gap: 0; height: 100%; min-height: 300px; }
.finder { display: flex; flex-direction: column; gap: 6px; padding: 10px 12px 0; flex: 1 1 50%; min-height: 160px; }
.line { display: flex; justify-content: space-between; align-items: baseline; gap: 8px; }
label { font-weight: 600; }
.help { font-size: 12px; }
.error { color: var(--bad); font-size: 12px; }
.error .pointer { display: block; margin-top: 2px; padding: 4px 8px; background: var(--bad-paper); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.error mark { background: var(--bad); color: var(--paper); border-radius: 2px; }
code, pre, .handle { font-family: ui-monospace, monospace; font-size: 12px; }
.virtual { flex: 1; min-height: 84px; overflow-y: auto; overflow-x: hidden; position: relative; border-top: 1px solid var(--line); margin: 0 -12px; overflow-anchor: none; }
.virtual .rows { position: absolute; inset: 0 0 auto 0; }
.row { height: 28px; display: flex; align-items: center; gap: 8px; padding: 0 12px; white-space: nowrap; cursor: pointer; border-bottom: 1px solid var(--raised); }
.row:hover { background: var(--raised); }
.row.active { box-shadow: inset 2px 0 var(--accent); }
.row[aria-selected='true'] { background: var(--chosen); }
.row .handle { min-width: 5ch; }
.row span:empty { display: none; }
.row .handle { flex: none; }
.row .called { font-weight: 600; flex: 0 1 auto; min-width: 0; max-width: 60%; overflow: hidden; text-overflow: ellipsis; }
.row .values { font-variant-numeric: tabular-nums; flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.row .parts { color: var(--quiet); overflow: hidden; text-overflow: ellipsis; flex: 1; min-width: 0; }
.row[aria-selected='true'] .parts { color: var(--ink); }
.row.dead .handle { text-decoration: line-through; }
.hint { color: var(--quiet); padding: 12px; text-align: center; }
.card { flex: 1 1 50%; min-height: 120px; overflow: auto; border-top: 1px solid var(--line); background: var(--raised); padding: 10px 12px; }
.card-head { display: flex; justify-content: space-between; align-items: flex-start; gap: 8px; margin-bottom: 8px; }
.card-head div { min-width: 0; }
.card-head button { flex: none; }
.card-head h2 { overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.fate:not(:empty) { color: var(--bad); background: var(--bad-paper); border-radius: 6px; padding: 6px 8px; margin-bottom: 8px; }
.dead .sections { filter: grayscale(1); }
input[type='text']:read-only, textarea:read-only { background: none; border-color: transparent; color: var(--quiet); padding-left: 0; }
.sections { display: grid; gap: 8px; }
.component, .tree { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; }
.component.tag h3 { margin: 0; }
.tree { margin-top: 8px; }
.field { display: grid; grid-template-columns: minmax(60px, 0.6fr) minmax(0, 2fr) auto; gap: 2px 8px; align-items: center; margin-top: 4px; }
.field .name { overflow-wrap: anywhere; }
.field .type { color: var(--quiet); font-size: 12px; }
.field .error { grid-column: 2 / -1; }
.inputs { display: grid; grid-template-columns: repeat(auto-fit, minmax(56px, 1fr)); gap: 4px; }
.value { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
ul.links, .tree ul { margin: 0; padding-left: 18px; }
.links span { color: var(--quiet); margin-left: 6px; }
summary { cursor: pointer; min-height: 24px; }
.time { display: flex; align-items: center; gap: 8px; padding: 8px 12px; border-bottom: 1px solid var(--line); flex-wrap: wrap; flex: none; }
.slider { display: flex; align-items: center; gap: 6px; flex: 1; min-width: 240px; }
.slider output { min-width: 64px; text-align: right; white-space: nowrap; }
.pause { min-width: 62px; }
bdi, h2, h3, .name, .called, .parts, td, .strip { unicode-bidi: isolate; }
.strip { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 6px 12px; background: var(--chosen); border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; flex: none; }
.banner { max-height: 30cqh; overflow: auto; overflow-wrap: anywhere; flex: none; padding: 10px 12px; background: var(--bad-paper); color: var(--bad); white-space: pre-wrap; }
.status { padding: 0 12px; color: var(--quiet); border-top: 1px solid var(--line); min-height: 24px; line-height: 24px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: none; }
.table { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 4px; }
th, td { text-align: left; padding: 4px 8px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 500; }
.number { text-align: right; white-space: nowrap; }
canvas { width: 100%; display: block; border: 1px solid var(--line); border-radius: 6px; }
.systems label { grid-row: 2; }
.swatch { outline: 1px solid var(--line); display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 5px; vertical-align: -1px; }
.warn { color: var(--warm); font-size: 12px; }
.virtual.short { flex: none; height: var(--height, 232px); border-bottom: 1px solid var(--line); }
.row .meter { width: 72px; height: 8px; border-radius: 4px; background: var(--line); overflow: hidden; flex: none; }
.row .meter i { display: block; height: 100%; background: var(--accent); }
.row .handle.number { min-width: 9ch; }
.check { font-weight: 400; display: flex; align-items: center; gap: 6px; }
.detail { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; }
.cells { display: flex; flex-wrap: wrap; gap: 2px; margin: 6px 0; max-height: 96px; overflow: hidden; }
.cells i { width: 10px; height: 14px; border-radius: 2px; background: linear-gradient(to top, var(--accent) var(--fill, 0%), var(--line) var(--fill, 0%)); }
.systems { list-style: none; margin: 0; padding: 0; display: grid; gap: 2px; }
.systems li { display: grid; grid-template-columns: minmax(124px, 1fr) auto; gap: 0 8px; align-items: center; border-bottom: 1px solid var(--line); padding: 2px 0; }
.systems label { display: flex; align-items: center; gap: 6px; font-weight: 400; min-width: 0; }
.systems .phase { grid-column: 1 / -1; font-size: 12px; margin-top: 6px; }
.systems span:empty:not(.swatch) { display: none; }
.systems .why, .systems .warn, .systems button { grid-column: 1 / -1; font-size: 12px; overflow-wrap: anywhere; }
.systems .why { grid-row: 3; }
.systems .warn { grid-row: 4; }
.systems button { grid-row: 5; justify-self: start; }
.systems .took { color: var(--quiet); font-variant-numeric: tabular-nums; text-align: right; grid-row: 2; grid-column: 2; }
.systems .name { overflow-wrap: anywhere; }
.systems input, .systems .swatch { flex: none; }
.systems .swatch { margin-right: 0; }
.systems .off .name { text-decoration: line-through; }
.ordering { min-width: 0; }
.ordering summary { font-weight: 600; padding: 2px 0; }
.ordering summary .quiet { font-weight: 400; margin-left: 4px; }
@container inspector (max-width: 719px) {
  .card.idle { flex: none; min-height: 0; }
}
@container inspector (min-width: 720px) {
  .panel > .entities { flex-direction: row; }
  .card { border-top: 0; border-left: 1px solid var(--line); }
}
@container inspector (min-width: 960px) {
  .systems li { grid-template-columns: minmax(200px, 1fr) minmax(0, 2fr) minmax(240px, 1fr); column-gap: 16px; }
  .systems .took { grid-column: 3; }
  .systems .why, .systems .warn, .systems button { grid-column: 2; }
  .systems .why, .systems .why:empty + .warn { grid-row: 2; }
}
@container inspector (max-width: 560px) {
  .slider { display: contents; }
  .slider input[type='range'] { order: 1; flex: 1 0 100%; margin: 0; }
  .slider output { flex: 1; }
}
@container inspector (max-width: 400px) {
  .top .figures { font-size: 12px; }
  .help { display: none; }
  .slider output { min-width: 0; }
}
/* A page at 400 %: all of it scrolls, and the tabs stay, so that a panel has the whole height but theirs. */
@media (max-width: 719px) and (max-height: 479px) {
  :host([docked]) { height: 100dvh; }
}
@container inspector (max-height: 400px) {
  .frame { overflow-y: auto; position: relative; }
  .main { flex: none; }
  .body { flex: none; height: 100cqh; }
  .top, .time { padding-block: 2px; }
  .top { min-height: 32px; }
  .tabs { position: sticky; top: 0; background: var(--paper); z-index: 1; }
  .tabs button { padding-block: 4px; }
  .status { border-top: 0; }
  .status:empty { display: none; }
  .banner { max-height: 50cqh; overflow: auto; flex: none; }
  .finder, .card { flex: none; }
  .panel > .entities { height: auto; min-height: 0; }
  .finder .virtual { min-height: 140px; flex: none; height: 140px; }
}
@media (pointer: coarse) {
  button, input[type='text'], input[type='search'], textarea { min-height: 36px; }
}
`

const sheets = new WeakMap<Document, CSSStyleSheet>()

/** The one sheet for all inspectors of a document. A page's content security policy has nothing to say about it. */
export function sheetOf(page: Document): CSSStyleSheet {
  let sheet = sheets.get(page)
  if (sheet === undefined) {
    // A document takes only sheets that were made in its window.
    const view = page.defaultView ?? globalThis
    sheet = new view.CSSStyleSheet()
    sheet.replaceSync(CSS)
    sheets.set(page, sheet)
  }
  return sheet
}
