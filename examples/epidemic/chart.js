// Owns: how every chart looks and becomes a picture: fonts, axes, titles, SVG.
// Must never: know what a chart shows.

import * as vega from 'vega'
import { compile } from 'vega-lite'
import { BACKGROUND, FAINT_LINE, FONT, QUIET_TEXT, TEXT } from './palette.js'

export const PANEL_WIDTH = 900

export const PEOPLE_AXIS = {
  title: null,
  tickCount: 5,
  tickMinStep: 1,
  labelExpr: "datum.value === 0 ? '0' : format(datum.value, '~s')",
}

/**
 * @param {string} title
 * @param {string} subtitle
 * @param {object[]} panels one below the other, in Vega-Lite's words
 * @returns {Promise<string>} an SVG document
 */
export async function drawChart(title, subtitle, panels) {
  const specification = compile({
    background: BACKGROUND,
    padding: 32,
    title: {
      text: title,
      subtitle,
      anchor: 'start',
      fontSize: 24,
      subtitleFontSize: 14,
      color: TEXT,
      subtitleColor: QUIET_TEXT,
      subtitlePadding: 6,
      offset: 24,
    },
    vconcat: panels,
    spacing: 34,
    resolve: { scale: { color: 'independent' } },
    config: LOOK,
  }).spec
  const view = new vega.View(vega.parse(specification), { renderer: 'none' })
  const picture = await view.toSVG()
  view.finalize()
  return withShortNumbers(picture)
}

/** Vega writes coordinates with fifteen digits; a tenth of a pixel is all one can see. */
function withShortNumbers(picture) {
  return picture.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
}

const LOOK = {
  font: FONT,
  view: { stroke: null },
  axis: {
    labelColor: QUIET_TEXT,
    titleColor: QUIET_TEXT,
    gridColor: FAINT_LINE,
    domainColor: FAINT_LINE,
    tickColor: FAINT_LINE,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
  },
  legend: {
    labelColor: TEXT,
    labelFontSize: 13,
    titleColor: QUIET_TEXT,
    symbolType: 'square',
    orient: 'right',
  },
}

export function panelTitle(text) {
  return {
    text,
    anchor: 'start',
    color: TEXT,
    fontSize: 15,
    fontWeight: 'normal',
    offset: 10,
    frame: 'group',
  }
}

/** @param {number} lastDay */
export function dayAxis(lastDay, title) {
  return {
    field: 'day',
    type: 'quantitative',
    scale: { domain: [1, Math.max(2, lastDay)], nice: false },
    axis: { title, grid: false, tickCount: 12, tickMinStep: 1 },
  }
}
