// Owns what is said of the visitor's machine. It must never send it anywhere: it stands in the page and in the file that
// the visitor saves.

const BROWSERS = [
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chromium', /Chrome\/(\d+)/],
  ['Safari', /Version\/(\d+).* Safari/],
]

/**
 * What results.js writes of a machine, as far as a page can know it.
 *
 * @param resolution the smallest step of the clock, in milliseconds
 */
export function thisMachine(resolution) {
  const { userAgent, hardwareConcurrency, deviceMemory } = navigator
  return {
    browser: browserOf(userAgent),
    platform: platformOf(userAgent),
    cores: hardwareConcurrency,
    // In GiB, rounded so that it tells little; not told by every browser.
    memory: deviceMemory && deviceMemory * 2 ** 30,
    isolated: crossOriginIsolated,
    resolution,
    userAgent,
  }
}

function browserOf(userAgent) {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1]
    if (version) return `${name} ${version}`
  }
  return 'a browser'
}

const platformOf = (userAgent) =>
  ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'CrOS', 'Linux'].find((name) => userAgent.includes(name)) ??
  'an unknown system'
