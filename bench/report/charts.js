// Owns the charts and the filters of the report's page, in the browser. It must never compute a figure: it shows those
// that page.js put there.
/* global document, window, echarts, IntersectionObserver, matchMedia, getComputedStyle */
{
  const { libraries, groups, isolates, ratioForLogarithm } = JSON.parse(
    document.querySelector('#data').textContent,
  )
  const form = document.querySelector('#filters')
  const overview = document.querySelector('#overview')
  const sections = [...document.querySelectorAll('.group')]

  const NARROW = 480
  const FONT = '12px system-ui, sans-serif'
  const colourOf = (name) => libraries.find(({ library }) => library === name).colour

  const chosen = (name) =>
    new Set([...form.querySelectorAll(`[name=${name}]:checked`)].map(({ value }) => value))

  /** Groups with the rows of the chosen libraries only. */
  function selection() {
    const [names, sizes] = [chosen('library'), chosen('size')]
    const name = form.elements.case.value
    return groups.map((group) => ({
      ...group,
      shown: (name === '' || group.name === name) && sizes.has(String(group.size)),
      rows: group.rows.filter(({ library }) => names.has(library)),
    }))
  }

  function colours() {
    const style = getComputedStyle(document.documentElement)
    const of = (name) => style.getPropertyValue(name).trim()
    return { ink: of('--ink'), faint: of('--faint'), line: of('--line'), card: of('--card') }
  }

  const number = (value) => Number(value.toPrecision(3)).toLocaleString('en')

  /** What all charts share: a horizontal scale of values, a line for each name. */
  function frame(names, { logarithm, least, most, title, width }) {
    const { ink, faint, line, card } = colours()
    const narrow = width < NARROW
    // Measured here: the library's own fitting cuts long names off.
    const widest = Math.max(...names.map((name) => echarts.format.getTextRect(name, FONT).width))
    const beside = Math.ceil(Math.min(widest, width * 0.52))
    return {
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif' },
      grid: { left: narrow ? 12 : beside + 14, right: 56, top: 8, bottom: 46, outerBoundsMode: 'none' },
      tooltip: {
        confine: true,
        backgroundColor: card,
        borderColor: line,
        textStyle: { color: ink, fontSize: 13 },
      },
      xAxis: {
        type: logarithm ? 'log' : 'value',
        min: logarithm ? 10 ** Math.floor(Math.log10(least)) : 0,
        max: logarithm ? 10 ** Math.ceil(Math.log10(most)) : undefined,
        name: title,
        nameLocation: 'middle',
        nameGap: 24,
        nameTextStyle: { color: faint },
        splitNumber: narrow ? 3 : 5,
        axisLabel: { color: faint, formatter: number, hideOverlap: true },
        axisLine: { lineStyle: { color: line } },
        splitLine: { lineStyle: { color: line } },
      },
      yAxis: {
        type: 'category',
        inverse: true,
        data: names,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: line } },
        // A phone has no room beside the bars: names stand above them.
        axisLabel: narrow
          ? {
              color: ink,
              inside: true,
              verticalAlign: 'bottom',
              padding: [0, 0, 12, -4],
              fontSize: 12,
              z: 10,
            }
          : { color: ink, fontSize: 12, width: beside + 4, overflow: 'truncate' },
        z: 10,
      },
    }
  }

  const heightOf = (lines, width) => lines * (width < NARROW ? 42 : 25) + 56

  /** The thin lines: from the least to the most of the repeats. */
  const spreadOf = (rows) => ({
    type: 'custom',
    silent: true,
    z: 5,
    data: rows.map(({ least, most }, index) => [least, most, index]),
    encode: { x: [0, 1], y: 2 },
    renderItem(_, api) {
      const [left, y] = api.coord([api.value(0), api.value(2)])
      const [right] = api.coord([api.value(1), api.value(2)])
      const style = { stroke: colours().ink, lineWidth: 1.2, opacity: 0.75 }
      const stroke = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style })
      return {
        type: 'group',
        children: [
          stroke(left, y, right, y),
          stroke(left, y - 4, left, y + 4),
          stroke(right, y - 4, right, y + 4),
        ],
      }
    },
  })

  function groupOption({ rows, scale }, width) {
    const least = Math.min(...rows.map((row) => row.least))
    const most = Math.max(...rows.map((row) => row.most))
    const logarithm = least > 0 && most / least > ratioForLogarithm
    const names = rows.map(({ label, way }) => `${label}: ${way}`)
    const title = `${scale}${logarithm ? ', logarithmic' : ''}`
    const option = frame(names, { logarithm, least, most, title, width })
    const { faint } = colours()
    option.tooltip.formatter = ({ dataIndex }) => tooltipOf(rows[dataIndex], scale)
    option.series = [
      {
        type: logarithm ? 'scatter' : 'bar',
        symbolSize: 11,
        barWidth: width < NARROW ? 12 : 14,
        data: rows.map((row, index) => ({
          value: logarithm ? [row.median, index] : row.median,
          itemStyle: { color: colourOf(row.library), opacity: 1 },
        })),
      },
      spreadOf(rows),
      // The figures stand behind the lines.
      {
        type: 'scatter',
        silent: true,
        symbolSize: 0.01,
        data: rows.map((row, index) => [row.most, index]),
        label: {
          show: true,
          position: 'right',
          distance: 8,
          color: faint,
          fontSize: 12,
          formatter: ({ dataIndex }) => rows[dataIndex].text,
        },
      },
    ]
    return option
  }

  function tooltipOf(row, scale) {
    const { encodeHTML } = echarts.format
    return (
      `<b>${encodeHTML(row.label)}</b>: ${encodeHTML(row.way)}<br>median ${row.text} ${scale}<br>` +
      `${number(row.least)} to ${number(row.most)} in ${row.repeats} ${isolates}`
    )
  }

  function overviewOption(shown, width) {
    const points = shown.flatMap(({ rows }, index) => {
      const fastest = new Map()
      for (const row of rows) if (!fastest.has(row.library)) fastest.set(row.library, row)
      const slowest = rows.findLast(({ library }) => library === 'strata')
      const slow = slowest && slowest !== fastest.get('strata') ? [{ ...slowest, hollow: true }] : []
      return [...slow, ...fastest.values()].map((row) => ({
        ...row,
        index,
        times: row.median / rows[0].median,
      }))
    })
    const names = shown.map(({ name, size }) => `${name} ${size.toLocaleString('en')}`)
    const most = Math.max(10, ...points.map(({ times }) => times))
    const title = 'times as much as the least'
    const option = frame(names, { logarithm: true, least: 1, most, title, width })
    option.tooltip.formatter = ({ dataIndex }) => {
      const { label, way, times, text, index } = points[dataIndex]
      const { encodeHTML } = echarts.format
      return `<b>${encodeHTML(label)}</b>: ${encodeHTML(way)}<br>${number(times)} x the least, ${text} ${shown[index].scale}`
    }
    option.series = [
      {
        type: 'scatter',
        symbolSize: 11,
        data: points.map(({ library, times, index, hollow }) => ({
          value: [times, index],
          itemStyle: hollow
            ? { color: 'transparent', borderColor: colourOf(library), borderWidth: 2 }
            : { color: colourOf(library), opacity: 1 },
        })),
      },
    ]
    return option
  }

  /** Charts are drawn when they come near to sight: there may be a hundred. */
  const waiting = new Map()
  const NEAR = 300
  const observer = new IntersectionObserver(drawNear, { rootMargin: `${NEAR}px` })

  function prepare(section, lines, optionFor) {
    const place = section.querySelector('.chart')
    place.style.height = `${heightOf(lines, place.clientWidth)}px`
    waiting.set(place, optionFor)
    observer.observe(place)
  }

  function drawNear() {
    for (const place of [...waiting.keys()]) {
      const { top, bottom } = place.getBoundingClientRect()
      if (bottom > -NEAR && top < window.innerHeight + NEAR) draw(place)
    }
  }

  function draw(place) {
    const optionFor = waiting.get(place)
    waiting.delete(place)
    observer.unobserve(place)
    const chart = echarts.getInstanceByDom(place) ?? echarts.init(place, undefined, { renderer: 'svg' })
    chart.resize()
    chart.setOption(optionFor(place.clientWidth), true)
    // Now: a hidden tab and a printer have no next frame.
    chart.getZr().flush()
  }

  function update() {
    waiting.clear()
    const names = chosen('library')
    const selected = selection()
    const shown = selected.filter((group) => group.shown && group.rows.length > 0)
    document.querySelector('#nothing').hidden = shown.length > 0
    // Nothing is so many times as much as nothing.
    const compared = shown.filter(({ rows }) => rows[0].median > 0)
    overview.hidden = compared.length < 2
    if (!overview.hidden) prepare(overview, compared.length, (width) => overviewOption(compared, width))
    for (const section of sections) {
      const group = selected[section.dataset.index]
      section.hidden = !shown.includes(group)
      if (section.hidden) continue
      for (const row of section.querySelectorAll('tbody tr')) row.hidden = !names.has(row.dataset.library)
      prepare(section, group.rows.length, (width) => groupOption(group, width))
    }
    drawNear()
  }

  for (const label of form.querySelectorAll('.box[data-library]')) {
    const spot = document.createElement('i')
    spot.style.background = colourOf(label.dataset.library)
    label.append(spot)
  }
  form.addEventListener('change', update)
  window.addEventListener('beforeprint', () => [...waiting.keys()].forEach(draw))
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update)
  // A phone fires this when its address bar comes and goes.
  let width = window.innerWidth
  window.addEventListener('resize', () => {
    if (width !== window.innerWidth) update()
    width = window.innerWidth
  })
  update()
}
