// Shows that a person can find entities, read and edit their values, follow them and jump between them in the tab of entities.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filter, handlesOf, startInspector } from '../support/page.js'

let site
beforeAll(async () => (site = await startInspector()))
afterAll(() => site?.close())

const count = (page) => page.locator('strata-inspector output[for=filter]')
const card = (page) => page.getByRole('region', { name: 'Chosen entity' })
const valuesOf = (page, name, component) =>
  page.evaluate(
    ([name, component]) => scene.world.get(scene.entities[name], scene.components[component]),
    [name, component],
  )

async function choose(page, text) {
  await page.getByRole('option', { name: text }).click()
}

async function shows(locator, text) {
  await locator.filter({ hasText: text }).first().waitFor()
}

describe('the filter', () => {
  it('lists matches, in the order that it asks for, with the values that it names', async () => {
    const { page, complaints, close } = await site.open()
    await shows(count(page), '203 entities')
    await filter(page, 'Name & Heat.value > 0.1 order by Heat.value desc')
    await shows(count(page), '2 entities')
    expect(await handlesOf(page)).toEqual(['#3', '#1'])
    const rows = await page.locator('strata-inspector .row').allTextContents()
    expect(rows[0]).toContain('Heat.value 0.75')
    expect(rows[1]).toContain('Ann')
    await filter(page, 'ChildOf(#1)')
    await shows(count(page), '1 entity')
    expect(await handlesOf(page)).toEqual(['#2'])
    await filter(page, 'Frozen & Heat')
    await page.getByText('No entity matches.').waitFor()
    await filter(page, '#2')
    await shows(count(page), '1 entity')
    expect(await handlesOf(page)).toEqual(['#2'])
    expect(complaints).toEqual([])
    await close()
  })

  it('shows the values of components in backticks', async () => {
    const { page, complaints, close } = await site.open()
    await page.evaluate(() => {
      const { world, component, f32, entities } = scene
      world.add(entities.ann, component('odd `name`', { 'a b': f32 })({ 'a b': 7 }))
    })
    await filter(page, '`odd ``name```.`a b` > 0')
    await shows(count(page), '1 entity')
    expect(await page.locator('strata-inspector .row .values').first().textContent()).toContain(' 7')
    expect(complaints).toEqual([])
    await close()
  })

  it('points at the place of a mistake, keeps the last matches, and forgets the mistake when it is fixed', async () => {
    const { page, complaints, close } = await site.open()
    await filter(page, 'Frozen')
    await shows(count(page), '1 entity')
    await filter(page, 'Frozen & Helth.hp < 3')
    const error = page.locator('strata-inspector #filter-error')
    await error.waitFor()
    expect(await error.textContent()).toContain('Helth')
    expect(await error.locator('mark').textContent()).toBe('H')
    expect(await page.getByLabel('Filter', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await handlesOf(page)).toEqual(['#2'])
    await shows(count(page), '1 entity, by the filter before')
    await filter(page, 'Frozen & Health.hp < 3')
    await error.waitFor({ state: 'hidden' })
    await page.getByText('No entity matches.').waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

describe('the card of an entity', () => {
  it('leaves the list its height until there is one, and keeps the chosen row on the screen then', async () => {
    const { page, complaints, close } = await site.open()
    await page.setViewportSize({ width: 600, height: 900 })
    const list = page.getByRole('listbox', { name: 'Entities' })
    const height = async (locator) => (await locator.boundingBox()).height
    await shows(count(page), '203 entities')
    const before = await height(list)
    expect(before).toBeGreaterThan(3 * (await height(card(page))))
    const last = list.getByRole('option').nth(Math.floor(before / 28) - 1)
    const text = await last.textContent()
    await last.click()
    await card(page).getByRole('heading').first().waitFor()
    expect(await height(list)).toBeLessThan(before)
    const chosen = list.locator('[aria-selected=true]')
    expect(await chosen.textContent()).toBe(text)
    const [box, bounds] = [await chosen.boundingBox(), await list.boundingBox()]
    expect(box.y + box.height).toBeLessThanOrEqual(bounds.y + bounds.height + 1)
    expect(complaints).toEqual([])
    await close()
  })

  it('writes typed values as world.set does: listeners are called', async () => {
    const { page, complaints, close } = await site.open()
    await choose(page, 'Bob')
    const hp = page.getByLabel('hp of Health of #2')
    expect(await hp.inputValue()).toBe('7')
    await hp.fill('12')
    await hp.press('Enter')
    await page.waitForFunction(() => scene.heard.length === 1)
    expect(await valuesOf(page, 'bob', 'Health')).toEqual({ hp: 12, immortal: false })
    await page.getByLabel('immortal of Health of #2').check()
    await page.getByLabel('m[2] of Matrix of #2').fill('30.5')
    await page.getByLabel('value of Name of #2').fill('Robert')
    await page.getByLabel('who of Target of #2').fill('#3')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Robert #2' }).waitFor()
    expect(await valuesOf(page, 'bob', 'Health')).toEqual({ hp: 12, immortal: true })
    expect(Array.from(Object.values((await valuesOf(page, 'bob', 'Matrix')).m))).toEqual([1, 2, 30.5, 4])
    expect(await valuesOf(page, 'bob', 'Target')).toEqual({ who: 3 })
    expect(complaints).toEqual([])
    await close()
  })

  it('reports what is wrong with a value, changes nothing, and undoes it on Escape', async () => {
    const { page, complaints, close } = await site.open()
    await choose(page, 'Bob')
    const hp = page.getByLabel('hp of Health of #2')
    await hp.fill('many')
    await hp.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Health' }).waitFor()
    expect(await hp.getAttribute('aria-invalid')).toBe('true')
    expect(await valuesOf(page, 'bob', 'Health')).toEqual({ hp: 7, immortal: false })
    await hp.fill('9')
    await hp.press('Escape')
    expect(await hp.inputValue()).toBe('7')
    expect(complaints).toEqual([])
    await close()
  })

  it('shows values as they change, but does not overwrite what a person types', async () => {
    const { page, complaints, close } = await site.open()
    await choose(page, 'Ann')
    const [x, y] = [page.getByLabel('x of Position of #1'), page.getByLabel('y of Position of #1')]
    await y.fill('77')
    await page.evaluate(() => scene.step(5))
    await page.waitForFunction(
      () => scene.inspector.shadowRoot.querySelector('[aria-label="x of Position of #1"]').value === '6',
    )
    expect(await x.inputValue()).toBe('6')
    expect(await y.inputValue()).toBe('77')
    expect(await valuesOf(page, 'ann', 'Position')).toEqual({ x: 6, y: 2 })
    expect(complaints).toEqual([])
    await close()
  })

  it('links to entity fields, targets and the tree of sources', async () => {
    const { page, complaints, close } = await site.open()
    await choose(page, 'Bob')
    await card(page)
      .getByRole('group', { name: 'ChildOf' })
      .getByRole('button', { name: 'Go to Ann #1' })
      .click()
    await page.getByRole('heading', { name: 'Ann #1' }).waitFor()
    await card(page).getByText('ChildOf: 1').click()
    await card(page).getByText('ChildOf: 1').nth(1).click()
    await card(page).getByRole('button', { name: 'Cid #3' }).click()
    await page.getByRole('heading', { name: 'Cid #3' }).waitFor()
    await card(page).getByRole('button', { name: 'Go to Bob #2' }).click()
    await card(page).getByRole('group', { name: 'Target' }).getByRole('button', { name: 'Go to #1' }).click()
    await page.getByRole('heading', { name: 'Ann #1' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('follows an entity through filters and clicks until it dies, then reports that with its last values', async () => {
    const { page, complaints, close } = await site.open()
    await choose(page, 'Bob')
    const followed = page.evaluate(
      () =>
        new Promise((heard) =>
          scene.inspector.addEventListener('follow', ({ detail }) => heard(detail.entity)),
        ),
    )
    await page.getByRole('button', { name: 'Follow' }).click()
    expect(await followed).toBe(2)
    await page.getByText('Following Bob #2').waitFor()
    await filter(page, 'Heat')
    await page.locator('strata-inspector .row').first().click()
    await page.getByText('Still following #2').waitFor()
    await page.getByRole('heading', { name: 'Bob #2' }).waitFor()
    await page.evaluate(() => scene.world.destroy(scene.entities.bob))
    await page.getByText('It died. These were its last values.').waitFor()
    expect(await page.getByLabel('hp of Health of #2').inputValue()).toBe('7')
    expect(await page.getByLabel('hp of Health of #2').isEditable()).toBe(false)
    expect(await page.getByLabel('immortal of Health of #2').isDisabled()).toBe(true)
    await page.getByText('Following #2: not alive').waitFor()
    await page.getByRole('button', { name: 'Following' }).click()
    await page.locator('strata-inspector .row').first().click()
    await page.getByRole('heading', { name: 'Ann #1' }).waitFor()
    expect(await page.getByLabel('x of Position of #1').isEditable()).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })
})

describe('long names', () => {
  it.each([380, 480, 900])('push nothing out of an inspector that is %i px wide', async (width) => {
    const { page, complaints, close } = await site.open('', { viewport: { width, height: 800 } })
    await page.evaluate(() => {
      const { world, entities, components } = scene
      for (const [name, entity] of Object.entries(entities))
        world.set(entity, components.Name, { value: `${name} ${'has-a-name-without-end'.repeat(20)}` })
    })
    await choose(page, 'bob')
    await page.getByRole('button', { name: 'Follow' }).click()
    await filter(page, 'Name & Position.x >= 0')
    await shows(count(page), '3 entities')
    const outside = await page.evaluate((width) => {
      const parts = scene.inspector.shadowRoot.querySelectorAll(
        '.row > span:not(:empty), .card-head button, .strip, .links button',
      )
      return [...parts]
        .filter((part) => part.getBoundingClientRect().right > width)
        .map((part) => part.className)
    }, width)
    expect(outside).toEqual([])
    const row = page.locator('strata-inspector .row').nth(1)
    expect(await row.locator('.values').textContent()).toContain('Position.x 3')
    expect(await row.locator('.called').getAttribute('title')).toMatch(/^bob has-a.*without-end$/)
    expect(complaints).toEqual([])
    await close()
  })
})

describe('the list', () => {
  it('scrolls a million rows to the very end, by mouse and by keyboard, and only creates the visible ones', async () => {
    const { page, complaints, close } = await site.open('agents=1000000')
    await shows(count(page), '1,000,203 entities')
    const list = page.getByRole('listbox', { name: 'Entities' })
    const last = await page.evaluate(() => {
      const found = scene.inspect(scene.world).find('')
      return `#${found.page(found.count - 1, 1)[0]}`
    })
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight))
    await page.getByRole('option', { name: last }).waitFor()
    const atEnd = page.locator('strata-inspector .row').last()
    expect(await atEnd.locator('.handle').textContent()).toBe(last)
    expect(await atEnd.getAttribute('aria-posinset')).toBe('1000203')
    expect(await page.locator('strata-inspector .row').count()).toBeLessThan(60)
    const box = await list.boundingBox()
    const row = await atEnd.boundingBox()
    expect(row.y + row.height).toBeLessThanOrEqual(box.y + box.height + 1)

    await list.press('Home')
    expect((await handlesOf(page))[0]).toBe('#1')
    await list.press('End')
    await page.getByRole('heading', { name: last }).waitFor()
    for (let i = 0; i < 3; i++) await list.press('ArrowUp')
    expect(await page.locator('strata-inspector .row.active').getAttribute('aria-posinset')).toBe('1000200')
    // Every place between is reached, too: a row is not skipped where the scroll is scaled.
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight / 2))
    await page.waitForTimeout(150)
    const middle = Number(await page.locator('strata-inspector .row').first().getAttribute('aria-posinset'))
    expect(Math.abs(middle - 500_000)).toBeLessThan(2_000)
    await page.locator('strata-inspector .row').nth(2).click()
    for (let i = 0; i < 40; i++) await list.press('ArrowDown')
    expect(await page.locator('strata-inspector .row.active').getAttribute('aria-posinset')).toBe(
      String(middle + 42),
    )
    expect(complaints).toEqual([])
    await close()
  })
})
