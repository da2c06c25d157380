// Owns the tables of the page: one for each case and size, which fills in while rivals are measured. It must never compute
// a figure that report/figures.js has, nor show a time for a row that was refused.
import { scaleOf } from '../quantities.js'
import { colourOf } from '../report/colours.js'
import { RATIO_FOR_LOGARITHM, figuresOf } from '../report/figures.js'
import { element } from './element.js'

/** The section of a group (results.js), with its rows as far as they are known; the fastest first. */
export function sectionOf(group) {
  const { work, size, refused } = group
  const figures = figuresOf(group)
  const axis = axisOf(figures)
  const rows = [...figures.map((one) => rowOf(one, axis)), ...refused.map(refusalOf)]
  return element(
    'section',
    { class: 'group', 'data-case': work.name, 'data-size': size },
    element('h2', {}, work.title),
    element('p', {}, `${size.toLocaleString('en')} ${work.units}`),
    element(
      'table',
      { style: `--parts: ${axis.parts}` },
      headOf(axis, scaleOf(work)),
      element('tbody', {}, ...rows),
    ),
  )
}

/** Where a value stands between the ends of the scale, in percent; its ends, and how many powers of ten lie between. */
function axisOf(figures) {
  const least = Math.min(...figures.map((one) => one.least))
  const most = Math.max(...figures.map((one) => one.most))
  if (!(most / least > RATIO_FOR_LOGARITHM)) {
    return { logarithmic: false, parts: 1, ends: [0, most], place: (value) => (value / most) * 100 }
  }
  const [low, high] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  return {
    logarithmic: true,
    parts: high - low,
    ends: [10 ** low, 10 ** high],
    place: (value) => ((Math.log10(value) - low) / (high - low)) * 100,
  }
}

function headOf({ logarithmic, ends }, scale) {
  const texts = Number.isFinite(ends[1]) ? ends.map((value) => Number(value.toPrecision(3)).toLocaleString('en')) : [] // prettier-ignore
  const spans = texts.map((text) => element('span', {}, text))
  if (logarithmic) spans.splice(1, 0, element('span', {}, 'logarithmic'))
  const number = { class: 'number' }
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      element('th', {}, 'library: way'),
      element('th', { class: 'axis' }, element('div', {}, ...spans)),
      element('th', number, scale),
      element('th', { class: 'number spread' }, 'spread'),
      element('th', number, 'x raw'),
    ),
  )
}

function rowOf(one, axis) {
  return element(
    'tr',
    { 'data-library': one.library, 'data-way': one.way },
    nameOf(one.name, one.way),
    element('td', { class: 'axis' }, barOf(one, axis)),
    element('td', { class: 'number time' }, one.main),
    element('td', { class: 'number spread' }, one.repeats > 1 ? one.spread : ''),
    element('td', { class: 'number' }, one.ofRaw),
  )
}

function refusalOf({ library, label, way, error }) {
  return element(
    'tr',
    { class: 'refused', 'data-library': library, 'data-way': way },
    nameOf(label, way),
    element('td', { colspan: 4 }, `No time. ${error}`),
  )
}

const nameOf = (name, way) =>
  element('td', { class: 'name' }, element('b', {}, name), ' ', element('span', {}, way))

/** A bar from 0, or a point where the scale is logarithmic; over it a line from the least to the most. */
function barOf({ library, median, least, most }, { logarithmic, place }) {
  const colour = `background: ${colourOf(library)}`
  const mark = logarithmic
    ? element('i', { class: 'point', style: `${colour}; left: ${place(median)}%` })
    : element('i', { class: 'bar', style: `${colour}; width: ${place(median)}%` })
  const track = element('div', { class: 'track', 'aria-hidden': 'true' }, mark)
  if (most > least) {
    const style = `left: ${place(least)}%; width: ${place(most) - place(least)}%`
    track.append(element('i', { class: 'line', style }))
  }
  return track
}

/** What an empty table would leave unsaid: that its rows are still to come. */
export const waitingSectionOf = (work, size, rows) =>
  element(
    'section',
    { class: 'group', 'data-case': work.name, 'data-size': size },
    element('h2', {}, work.title),
    element('p', {}, `${size.toLocaleString('en')} ${work.units ?? 'entities'}, ${rows} rows to come`),
  )

/** What was used of each library, as in the report. */
export function usesOf(offers) {
  const cells = (tag, texts) => texts.map((text) => element(tag, {}, text ?? ''))
  const rows = offers.map(({ label, version, uses }) => element('tr', {}, ...cells('td', [label, version, uses]))) // prettier-ignore
  const head = element('tr', {}, ...cells('th', ['library', 'version', 'used']))
  return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows))
}
