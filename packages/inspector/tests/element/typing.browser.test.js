// Shows that the inspector writes exactly what a person entered by a real keyboard into every kind of field, while components,
// entities and the inspector itself come and go.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshes, startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const NULL_ENTITY = 4294967295

/** A page with an entity that has a field of every kind, chosen; what is written is noted. */
async function open() {
  const opened = await site.open()
  await opened.page.evaluate(() => {
    const { ecs, world, inspector } = scene
    const { component, tag, bool, entity, f32, f64, i8, i16, i32, text, u8, u16, u32, vec } = ecs
    const kinds = { u8, i8, u16, i16, u32, i32, f32, f64, bool, entity, text }
    const All = component('All', { ...kinds, three: vec(f32, 3), pair: vec(entity, 2) })
    const Other = component('Other', { n: ecs.f64 })
    const one = world.spawn(All, Other({ n: 1.23456789012345 }))
    const written = []
    scene.ecs.onSet(world, All, () => written.push('All'))
    scene.ecs.onSet(world, Other, () => written.push('Other'))
    Object.assign(scene, { All, Other, Extra: tag('Extra'), one, written })
    inspector.session.choose(one)
  })
  return opened
}

const field = (page, name, owner = 'All') =>
  page.locator(`strata-inspector [aria-label^="${name} of ${owner} of #"]`)

/** What a field shows, why it refused, and what the world has. */
const stateOf = (page, name) =>
  page.evaluate((name) => {
    const { world, one, All, inspector } = scene
    const input = inspector.shadowRoot.querySelector(`[aria-label^="${name} of All of #"]`)
    const error = input.closest('.field').querySelector('.error')
    const value = world.get(one, All)[name]
    return {
      shown: input.value,
      refused: input.getAttribute('aria-invalid') === 'true',
      reason: error.hidden ? '' : error.textContent,
      value: Object.is(value, -0) ? '-0' : String(value),
    }
  }, name)

const written = (page) => page.evaluate(() => scene.written.splice(0))
const focused = (page) =>
  page.evaluate(() => scene.inspector.shadowRoot.activeElement?.getAttribute('aria-label'))

const RANGES = {
  u8: [0, 255],
  i8: [-128, 127],
  u16: [0, 65535],
  i16: [-32768, 32767],
  u32: [0, NULL_ENTITY],
  i32: [-2147483648, 2147483647],
}

/** What the world has after a text was entered; undefined where it is refused. */
function entered(kind, text) {
  if (kind === 'text') return text
  const typed = text.trim()
  if (kind === 'entity') {
    if (typed === '') return NULL_ENTITY
    return /^#?\d+$/.test(typed) && Number(typed.replace('#', '')) <= NULL_ENTITY
      ? Number(typed.replace('#', ''))
      : undefined
  }
  const number = typed === '' ? undefined : Number(typed)
  if (RANGES[kind] !== undefined) {
    const [least, most] = RANGES[kind]
    return Number.isInteger(number) && number >= least && number <= most ? number + 0 : undefined
  }
  const stored = kind === 'f32' ? Math.fround(number) : number
  return /^(NaN|[-+]?Infinity)$/.test(typed) || Number.isFinite(stored) ? stored : undefined
}

const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-0',
    '1',
    ' 7 ',
    '-1',
    '255',
    '256',
    '-128',
    '-129',
    '65536',
    '4294967295',
    '4294967296',
  ],
  ...['0x10', '0b11', '1e2', '1.5', '.5', '5.', '0.1', '1,5', '1e', '1e39', '1e400', '-1e400', '1e-50'],
  ...['NaN', 'nan', 'Infinity', '-Infinity', '9007199254740993', '1.2345678901234567', '1_000', '5n', '٣'],
  ...[
    '#0',
    '#1',
    '#5',
    '# 5',
    '#99999999',
    '#4294967296',
    'null',
    'true',
    'abc',
    '<b>',
    '😀',
    'x'.repeat(300),
  ],
]
const KINDS = [...Object.keys(RANGES), 'f32', 'f64', 'entity', 'text']

describe('text typed into a field', () => {
  it('is written as intended, or refused with a reason that stays, for every kind of field and 48 texts', async () => {
    const { page, complaints, close } = await open()
    // Seeded: which of the keys ends each of them.
    let state = 7
    const pick = (list) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return list[(state >>> 16) % list.length]
    }
    let cases = 0
    for (const kind of KINDS) {
      for (const text of TEXTS) {
        const before = await stateOf(page, kind)
        const input = field(page, kind)
        await input.fill(text)
        const key = pick(['Enter', 'Tab', 'Escape'])
        await page.keyboard.press(key)
        const after = await stateOf(page, kind)
        const wanted = entered(kind, text)
        const what = `${JSON.stringify(text)} into ${kind}, then ${key}`
        cases++
        if (key === 'Escape') {
          expect([after.value, after.reason], what).toEqual([before.value, ''])
        } else if (wanted === undefined) {
          expect(after, what).toEqual({
            shown: text,
            refused: true,
            reason: expect.stringContaining(`All.${kind} takes`),
            value: before.value,
          })
          // The reason goes with what was typed, and both go by Escape.
          await input.press('Escape')
          expect(await stateOf(page, kind), what).toMatchObject({ refused: false, reason: '' })
        } else {
          const value = Object.is(wanted, -0) ? '-0' : String(wanted)
          expect([after.value, after.reason], what).toEqual([value, ''])
        }
      }
    }
    console.info(`typed: ${cases} cases`)
    expect(cases).toBe(KINDS.length * TEXTS.length)
    expect(complaints).toEqual([])
    await close()
  })

  it('is not written unless it is entered: Escape, an equal value, a letter and its removal, focus and blur', async () => {
    const { page, complaints, close } = await open()
    const n = field(page, 'n', 'Other')
    const value = () => page.evaluate(() => scene.world.get(scene.one, scene.Other).n)
    expect(await n.inputValue()).toBe('1.23457')
    for (const keys of [
      ['Tab'],
      ['9', 'Escape', 'Tab'],
      ['End', '9', 'Backspace', 'Tab'],
      ['End', '9', 'Backspace', 'Enter'],
      ['Enter'],
    ]) {
      await n.click()
      // Who may edit a value sees all of it.
      expect(await n.inputValue()).toBe('1.23456789012345')
      for (const key of keys) await page.keyboard.press(key)
      expect([await value(), await written(page)]).toEqual([1.23456789012345, []])
      await page.getByRole('tab', { name: 'Entities' }).focus()
    }
    await refreshes(page)
    expect(await n.inputValue()).toBe('1.23457')
    expect(complaints).toEqual([])
    await close()
  })

  it('stays, with the focus, while other components are added to the entity and removed', async () => {
    const { page, complaints, close } = await open()
    const n = field(page, 'n', 'Other')
    await n.click()
    await page.keyboard.press('Control+A')
    for (const letter of '12345') {
      await page.keyboard.type(letter)
      await page.evaluate(() => {
        const { world, one, Extra, All } = scene
        for (const component of [Extra, All])
          if (world.has(one, component)) world.remove(one, component)
          else world.add(one, component)
      })
      await refreshes(page)
    }
    expect([await n.inputValue(), await focused(page), await written(page)]).toEqual([
      '12345',
      expect.stringContaining('n of Other'),
      [],
    ])
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => scene.world.get(scene.one, scene.Other).n)).toBe(12345)
    expect(complaints).toEqual([])
    await close()
  })

  it.each([
    ['its component leaves the entity', () => scene.world.remove(scene.one, scene.Other)],
    ['the entity dies', () => scene.world.destroy(scene.one)],
    ['another entity is chosen', () => scene.inspector.session.choose(scene.entities.ann)],
    ['the inspector is hidden', () => void (scene.inspector.hidden = true)],
    ['the inspector is detached', () => scene.inspector.detach()],
    ['the inspector leaves the page', () => scene.inspector.remove()],
    ['the world starts over', () => scene.ecs.resetWorld(scene.world)],
  ])('is not written when %s', async (_, happen) => {
    const { page, complaints, close } = await open()
    await field(page, 'n', 'Other').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('77')
    await page.evaluate(`(${happen})()`)
    await page.evaluate(async () => {
      for (let i = 0; i < 30; i++) await new Promise(requestAnimationFrame)
    })
    await page.evaluate(() => scene.inspector.shadowRoot.activeElement?.blur())
    const value = await page.evaluate(() =>
      scene.world.isAlive(scene.one) ? scene.world.get(scene.one, scene.Other)?.n : undefined,
    )
    expect([undefined, 1.23456789012345]).toContain(value)
    expect(await written(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('into one part of a vec leaves the current values of the other parts', async () => {
    const { page, complaints, close } = await open()
    await field(page, 'three[1]').fill('5')
    await page.evaluate(() => {
      const { world, one, All, inspector } = scene
      world.set(one, All, { three: [1.5, 2.5, 3.5] })
      // Before the next refresh. The field has the focus, as when Enter is pressed.
      inspector.shadowRoot.querySelector('[aria-label^="three[1] of All"]').dispatchEvent(new Event('change'))
    })
    expect(await page.evaluate(() => [...scene.world.get(scene.one, scene.All).three])).toEqual([1.5, 5, 3.5])
    expect(complaints).toEqual([])
    await close()
  })
})

describe('a refused value', () => {
  it('stays with its reason when the field is left and when the world writes, until Escape or another value', async () => {
    const { page, complaints, close } = await open()
    const input = field(page, 'u8')
    await input.fill('300')
    await page.keyboard.press('Tab')
    await page.evaluate(() => scene.world.set(scene.one, scene.All, { u8: 42 }))
    await refreshes(page)
    expect(await stateOf(page, 'u8')).toMatchObject({ shown: '300', refused: true, value: '42' })
    await input.press('Escape')
    expect(await stateOf(page, 'u8')).toMatchObject({ shown: '42', refused: false, reason: '' })
    await input.fill('-1')
    await page.keyboard.press('Enter')
    expect(await stateOf(page, 'u8')).toMatchObject({ shown: '-1', refused: true })
    await input.fill('9')
    await page.keyboard.press('Enter')
    expect(await stateOf(page, 'u8')).toMatchObject({ shown: '9', refused: false, reason: '', value: '9' })
    expect(complaints).toEqual([])
    await close()
  })

  it('of a checkbox is undone at once, with the reason below it until it loses focus', async () => {
    const { page, complaints, close } = await open()
    await page.evaluate(() => {
      scene.inspector.session.options.write = () => {
        throw new Error('read only')
      }
    })
    // Not check(): it would complain that the box is not checked then.
    const box = field(page, 'bool')
    await box.click()
    expect([await box.isChecked(), (await stateOf(page, 'bool')).reason]).toEqual([false, 'read only'])
    await page.keyboard.press('Tab')
    expect((await stateOf(page, 'bool')).reason).toBe('')
    expect(complaints).toEqual([])
    await close()
  })
})

it('a value that was written before a listener threw is shown as written, with the error', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => {
    scene.ecs.onSet(scene.world, scene.All, () => {
      throw new Error('a listener of the game')
    })
  })
  await field(page, 'u8').fill('5')
  await page.keyboard.press('Enter')
  expect(await stateOf(page, 'u8')).toEqual({
    shown: '5',
    refused: false,
    reason: 'It was written, and then this failed: a listener of the game',
    value: '5',
  })
  // What is refused is not written, whatever the game did since the last refresh.
  await field(page, 'u16').fill('-1')
  await page.evaluate(() => {
    try {
      scene.world.set(scene.one, scene.All, { u16: 77 })
    } catch {
      // The listener.
    }
    scene.inspector.shadowRoot.querySelector('[aria-label^="u16 of All"]').dispatchEvent(new Event('change'))
  })
  expect(await stateOf(page, 'u16')).toMatchObject({ shown: '-1', refused: true, value: '77' })
  expect(complaints).toEqual([])
  await close()
})

describe('a field of an entity', () => {
  it('is empty while it names none, links to the one it names, and is null again when it is emptied', async () => {
    const { page, complaints, close } = await open()
    const input = field(page, 'entity')
    const go = page.locator('strata-inspector .field', { has: input }).getByRole('button')
    const isNull = () => page.evaluate(() => scene.ecs.isNull(scene.world.get(scene.one, scene.All).entity))
    expect([await input.inputValue(), await input.getAttribute('placeholder')]).toEqual(['', 'no entity'])
    expect([await go.isVisible(), await isNull()]).toEqual([false, true])
    await input.fill('#2')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Go to #2', exact: true }).waitFor()
    await input.fill('')
    await page.keyboard.press('Enter')
    await go.waitFor({ state: 'hidden' })
    expect(await isNull()).toBe(true)
    // 0 is a handle like others.
    await input.fill('#0')
    await page.keyboard.press('Tab')
    await refreshes(page)
    expect([await input.inputValue(), await isNull()]).toEqual(['#0', false])
    const pair = field(page, 'pair[0]')
    expect(await pair.inputValue()).toBe('')
    await pair.fill('3')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => [...scene.world.get(scene.one, scene.All).pair])).toEqual([
      3,
      NULL_ENTITY,
    ])
    expect(complaints).toEqual([])
    await close()
  })

  it('that names an entity that never lived says so, and not that it died', async () => {
    const { page, complaints, close } = await open()
    await page.evaluate(() => scene.inspector.session.choose(123456))
    await page.getByText('No living entity has this handle.').waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

it('a text keeps its line breaks when another part of it is edited', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => scene.world.set(scene.one, scene.All, { text: 'one\r\ntwo' }))
  const input = field(page, 'text')
  await refreshes(page)
  await input.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('!')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('three')
  await page.keyboard.press('Enter')
  expect((await stateOf(page, 'text')).value).toBe('one\r\ntwo!\r\nthree')
  expect(complaints).toEqual([])
  await close()
})

it('a field of a resource takes NaN and -0, and shows them', async () => {
  const { page, complaints, close } = await open()
  await page.getByRole('tab', { name: 'Resources' }).click()
  const elapsed = page.getByLabel('elapsed of Time')
  for (const text of ['NaN', '-0', '-Infinity']) {
    await elapsed.fill(text)
    await page.keyboard.press('Tab')
    await refreshes(page)
    const value = await page.evaluate(() => {
      const { elapsed } = scene.world.resource(scene.components.Time)
      return Object.is(elapsed, -0) ? '-0' : String(elapsed)
    })
    expect([value, await elapsed.inputValue()]).toEqual([text, text])
  }
  expect(complaints).toEqual([])
  await close()
})
