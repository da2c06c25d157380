// Bodies of compiled loops about a component that some entities lack, and what they are run over: each is to be taken as it is
// written, and as the tools of a build write it.

import { type World, bool, component, f32, f64, i32, optional, u8, vec } from '../../../../bindings/index'

export const Thing = component('Thing', { x: f64, y: f64, n: i32, u: u8, on: bool, m: vec(f32, 4) })
export const Coat = component('Coat', { factor: f64, wet: bool, m: vec(i32, 3) })
export const PARTS = [Thing, optional(Coat)] as const
export const VALUES = {
  dt: f64,
  most: 24,
  clamp: (x: number, least: number, most: number): number => (x < least ? least : x > most ? most : x),
  factorOf: (coat: { factor: number } | undefined): number => coat?.factor ?? 1,
}
export const GIVEN = { dt: 0.25 }

/** Rows with and without the component, with numbers on all sides of those in the bodies. */
export function fill(world: World): World {
  for (let k = 0; k < 24; k++) {
    const thing = Thing({
      x: k / 2 - 4,
      y: (k % 7) - 3,
      n: (k % 5) - 1,
      u: k * 11,
      on: k % 2 === 0,
      m: [k - 9, (k % 3) - 1, -k, 0],
    })
    if (k % 3 === 0) world.spawn(thing)
    else world.spawn(thing, Coat({ factor: k - 12, wet: k % 4 < 2, m: [k, 2, 3] }))
  }
  return world
}

/** Bodies over PARTS without values. */
export const BODIES: readonly string[] = [
  // Nothing, or a field.
  '(p, coat) => { p.x = coat?.factor ?? 1; p.y = (coat?.wet ?? false) ? 3 : 4 }',
  '(p, coat) => { let f; f = coat?.factor; p.x = f ?? 1 }',
  '(p, coat) => { let f = coat?.factor; f ??= 1; p.x = f }',
  '(p, coat) => { let f = coat?.factor; f ||= 5; p.x = f; f &&= 2; p.y = f }',
  '(p, coat) => { if (coat?.factor > 1) p.x = 2; else if (coat?.factor <= -3) p.x = 3; else p.x = 4 }',
  '(p, coat) => { p.on = !(coat?.factor < 1); p.n = null < 1 ? 1 : 2 }',
  '(p, coat) => { p.x = coat?.m[1] ?? 3; p.n = coat?.m?.[0] ?? -1; const last = coat?.m; p.y = last ? last[2] : 0 }',
  '(p, coat) => { for (let k = 0; k < 3; k++) p.m[k] += coat?.m[k] ?? 0.5 }',
  '(p, coat) => { const f = coat === undefined ? undefined : coat.factor; if (f !== undefined) p.x = f }',
  '(p, coat) => { const f = coat?.factor; if (f == null) { p.x = 9; return } p.x += f }',
  // Conditions about a component.
  '(p, coat) => { if (p.x > 0) { if (coat) p.y = coat.factor } }',
  '(p, coat) => { if (p.x > 0) { if (coat) p.y = coat.factor; else p.y = 3 } }',
  '(p, coat) => { if (p.x > 0 && coat) p.y = coat.factor }',
  '(p, coat) => { if (coat && p.x > 0) p.y = coat.factor }',
  '(p, coat) => { if (p.x > 0 || !coat) p.y = 1 }',
  '(p, coat) => { if (p.x > 0 || coat) p.y = 1; else p.y = 2 }',
  '(p, coat) => { if (!(p.x > 0 && coat)) { p.y = 1; return } coat.factor = p.x }',
  '(p, coat) => { if (p.x < 0) return; if (!coat) return; p.y = coat.factor }',
  '(p, coat) => { if (p.x > 0) { if (!coat) return; p.y = coat.factor } else p.n = 7 }',
  '(p, coat) => { const k = p.x > 0 ? (coat ? coat.factor : 1) : 2; p.y = k }',
  '(p, coat) => { for (let k = 0; k < 2; k++) { if (p.x > k) { if (coat) p.y += coat.factor } } }',
  '(p, coat) => { for (let k = 0; k < 3; k++) { if (!coat) break; if (p.m[k] > 0) continue; coat.m[k]++ } }',
  '(p, coat) => { if (coat) { if (p.x > 0) p.y = coat.factor } else if (p.x < 0) p.y = 5 }',
  '(p, coat) => { const has = p.x > 0 && coat !== undefined; if (has) p.y = 1 }',
  '(p, coat) => { const has = !!coat; if (p.x > 0 && has) p.y = 1; p.on = has || p.on }',
  '(p, coat) => { if (p.x > 0 ? coat : p.y > 1) p.n = 5 }',
  '(p, coat) => { if (coat?.m && p.m) p.n = 6; if (!coat?.m) p.n = 4 }',
  '(p, coat) => { if (coat !== undefined && coat.factor > 2 && p.on) coat.wet = !coat.wet; else if (coat === undefined) p.u++ }',
  '(p, coat) => { if (coat === undefined) p.x = 1; else if (coat !== null) p.x = coat.factor }',
  '(p, coat) => { if (!coat) return; p.x = coat.factor; for (let i = 0; i < 3; i++) p.m[i] += coat.m[i] }',
  // Components and vecs in variables.
  '(p, coat) => { const m = p.m; for (let k = 0; k < m.length; k++) { m[k] = m[k] * 2 + k } if (p.on) { const m = p.m; m[0]++ } }',
  '(p, coat) => { let m = p.m; m[0] = 4; m[1] += m[0]; m = coat?.m; if (m) m[2] = 7; m = 3; p.x = m }',
  '(p, coat) => { const { x, y, m } = p; p.x = x + y; m[2] = x }',
  '({ x, y, m }, coat) => { m[0] = x + y }',
  '({ x, m: { length }, m }, coat) => { m[0] = length }',
  '(p, coat) => { const { m } = p; const a = m[0], b = m[1]; m[0] = b; m[1] = a; if (a > b) { const c = m; c[2] = 1 } }',
  '(p, coat) => { const source = coat ?? p; const m = source.m; p.y = m[0] + m[1] }',
  '(p, coat) => { let other = p; if (coat) other = coat; other.m[1] = 8 }',
  // Assignments that ask first.
  '(p, coat) => { p.m[0] ||= 1; p.m[1] &&= p.x; p.x ||= 3; p.y &&= 4; p.x ??= 9 }',
  '(p, coat) => { if (p.on) { p.m[0] ||= 1; p.m[3] ||= p.x } p.n &&= p.m[0] }',
  '(p, coat) => { if (coat) { coat.factor ||= 5; coat.m[0] &&= 6 } }',
  '(p, coat) => { for (let k = 0; k < 4; k++) p.m[k] ||= k + 1 }',
  '(p, coat) => { p.on ||= p.x > 1; p.on &&= p.y < 2 }',
  // What minifiers join, or write in fewer letters.
  '(p, coat) => { p.x = 1 + Number.EPSILON; p.y = Number.MAX_SAFE_INTEGER; p.m[0] = 1000000; p.m[1] = -0.5 }',
  '(p, coat) => { if (p.x > 0) { p.y = 1; return } if (p.x < -1) { p.y = 2; return } p.y = 3 }',
  '(p, coat) => { for (let k = 0; k < 4; k++) { if (p.m[k] > 2) { p.n = k; break } else if (p.m[k] < -2) continue; p.n += 1 } }',
  '(p, coat) => { let s = 0; for (let i = 0; i < 2; i++) for (let j = 0; j < 2; j++) s += p.m[i * 2 + j]; p.y = s }',
  '(p, coat) => { p.x = p.on ? p.x > 1 ? 5 : p.y < 3 ? 6 : 7 : p.n & 1 ? 8 : 9; p.on = p.x > 6 ? true : false }',
  '(p, coat) => { switch (p.n & 3) { case 0: p.x = 1; break; case 1: { const t = p.y; p.y = t * 2 } case 2: p.u = 200; break; default: p.on = !p.on } }',
  '(p, coat) => { switch (p.n) { case 0: p.y = 1; return; case 1: p.y = 2; break; default: p.y = 3 } p.x = 9 }',
  '(p, coat) => { const debug = false; if (debug) p.x = 1; else p.x = 2; p.y = 1 }',
  '(p, coat) => { let best = -1/0; for (let k = 0; k < 4; k++) { const v = p.m[k]; if (v > best) { best = v } } p.x = best; p.on = best > 1 && p.n !== 3 || p.u == 7 }',
  '(p, coat) => { let k = 0; p.m[k++] = 1; p.m[k++] = 2; p.m[k++] += 3; p.n = k }',
  '(p, coat) => { let total = 0; for (let k = 0, n = p.m.length; k < n; k += 1) total += p.m[k] * (k % 2 === 0 ? 1 : -1); p.y = total }',
  '(p, coat) => { let s; if (p.x > 1) { s = 1 } else if (p.x > 0) { s = 2 } else { s = 3 } p.y = s }',
  '(p, coat) => { if (p.x > 0) { p.y = p.x; if (p.y > 2) { p.n = 2; return } p.n = 3 } else p.y = Infinity }',
  '(p, coat) => { const a = p.x, b = p.y; const c = a * a + b * b; if (c > 4) { const r = 1 / Math.sqrt(c); p.x = a * r; p.y = b * r } }',
  '(p, coat) => { const hot = p.x > 1; p.on = hot === true; p.y = hot ? Math.min(Math.max(p.x, 0), 1) : undefined === undefined ? 7 : 8 }',
]

/** Bodies over PARTS with VALUES. */
export const BODIES_WITH_VALUES: readonly string[] = [
  '(p, coat, { dt, clamp }) => { p.x = clamp(p.x + (coat?.factor ?? 1) * dt, -2, 2) }',
  '(p, coat, { factorOf, dt }) => { p.x += factorOf(coat) * dt }',
  '(p, coat, values) => { const { dt, most } = values; if (coat) coat.factor = most * dt; p.y = values.clamp(p.y, -1, values.most) }',
  '(p, coat, { most }) => { const cx = p.x; const cy = p.y; let a = 0; let b = 0; let k = 0; for (; k < most && a * a + b * b < 4; k++) { const next = a * a - b * b + cx; b = 2 * a * b + cy; a = next } if (k === most) p.x = -1; else { p.x = k; p.n = k } }',
  'function step(p, coat, { dt }) { var half = dt / 2; if (half > 1) { half = 1 } p.x += half; if (coat) coat.wet = half < 1 }',
]

/** Bodies over PARTS, and the result that they are for. */
export const BODIES_WITH_RESULTS: readonly (readonly ['sum' | 'min' | 'max' | 'count', string])[] = [
  ['sum', '(p, coat) => { if (p.x < 0) return; return coat ? coat.factor : p.y }'],
  ['sum', '(p, coat) => { if (p.x > 0) return p.y }'],
  ['sum', '(p, coat) => coat?.factor ?? 0.1'],
  ['min', '(p, coat) => { if (!coat) return; p.n++; return coat.factor * p.x }'],
  ['max', '(p, coat) => { p.n = 3; if (p.on) { if (coat) return coat.factor; return } return p.x }'],
  ['count', '(p, coat) => p.x > 0 && coat?.wet === true'],
  ['count', '(p, coat) => { if (p.on && coat) return true; p.u = 1; return p.x > 3 }'],
]
