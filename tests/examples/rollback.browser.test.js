// Shows that the page of examples/rollback works in a real browser: a minute of a match over a bad network comes to the same
// digests for both players, and to those of Node; people play it with two halves of a keyboard; and its controls do what they
// say.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { botInput } from '../../examples/rollback/src/bot.ts'
import { Match } from '../../examples/rollback/src/match.ts'
import { startExample } from '../support/examplePage.js'

const MINUTE = 3600
const NETWORK = { latency: 100, jitter: 30, loss: 0.15, duplicates: 0.05, late: 3, seed: 9 }

let example

beforeAll(async () => {
  example = await startExample({
    name: 'rollback',
    port: 4291,
    begun: () => globalThis.demo?.match.ticks > 0,
    viewport: { width: 900, height: 900 },
  })
})
afterAll(() => example?.close())

const open = (options) => example.open('', options)

/** Plays a minute as fast as it can be played; it goes to the page as its text. Returns all confirmed digests. */
function playMinute(Match, botInput, network, ticks) {
  const confirmed = [[], []]
  const match = new Match({
    ...network,
    onConfirmed: (player, state, digest) => (confirmed[player][state] = digest),
  })
  for (let tick = 0; tick < ticks; tick++) match.tick([botInput(1, tick), botInput(2, tick)])
  const stats = match.players.map(({ session }) => ({ ...session.stats, mismatch: session.mismatch }))
  match.dispose()
  return { confirmed, stats }
}

it('both players confirm the same digests for a minute, and Node confirms them, too', async () => {
  const { page, complaints, close } = await open()
  const { confirmed, stats } = await page.evaluate(
    ([text, network, ticks]) => new Function(`return ${text}`)()(demo.Match, demo.botInput, network, ticks),
    [String(playMinute), NETWORK, MINUTE],
  )
  const common = Math.min(confirmed[0].length, confirmed[1].length)
  expect(common).toBeGreaterThan(3300)
  expect(confirmed[0].slice(0, common)).toEqual(confirmed[1].slice(0, common))
  for (const { mismatch, rollbacks, deepest } of stats) {
    expect(mismatch ?? null).toBeNull()
    expect(rollbacks).toBeGreaterThan(200)
    expect(deepest).toBeGreaterThan(4)
  }
  const inNode = playMinute(Match, botInput, NETWORK, MINUTE)
  expect(inNode.confirmed[0].slice(1)).toEqual(confirmed[0].slice(1))
  expect(complaints).toEqual([])
  await close()
})

it('plays by itself, and shows how deep it rolls back, what that takes, and equal digests', async () => {
  const { page, complaints, close } = await open()
  await page.waitForFunction(() => demo.match.ticks > 200)
  await page.evaluate(() => demo.play(600))
  expect(await page.textContent('#verdict')).toContain('In step')
  for (const id of ['first', 'second']) {
    const figures = await page.textContent(`#${id} .figures`)
    expect(figures).toMatch(/Last rollback[1-8] frames?/)
    expect(figures).toMatch(/Frames played again a second\d+/)
    expect(figures).toMatch(/on average\d+\.\d\d ms/)
    expect(figures).toMatch(/confirmed state[0-9a-f]{8} \(\d+\)/)
  }
  expect(complaints).toEqual([])
  await close()
})

it('two people play with two halves of a keyboard, and each sees what the other does', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => (demo.paused = true))
  await page.click('#again')
  const shipsSeenBy = (player) =>
    page.evaluate((player) => {
      const ships = []
      demo.match.players[player].game.ships.each((_, { x, y }) => ships.push([x, y]))
      return ships
    }, player)
  const [first, second] = await shipsSeenBy(0)
  await page.keyboard.down('KeyW')
  await page.keyboard.down('ArrowLeft')
  await page.evaluate(() => demo.play(30))
  await page.keyboard.up('KeyW')
  await page.keyboard.up('ArrowLeft')
  await page.evaluate(() => demo.play(60))
  expect(await page.isChecked('#first .bot')).toBe(false)
  expect(await page.isChecked('#second .bot')).toBe(false)
  for (const player of [0, 1]) {
    const ships = await shipsSeenBy(player)
    expect(ships[0][1]).toBeLessThan(first[1] - 20)
    expect(ships[1][0]).toBeLessThan(second[0] - 20)
  }
  expect(complaints).toEqual([])
  await close()
})

it('the controls change the network, and a worse one costs more', async () => {
  const { page, complaints, close } = await open()
  await page.evaluate(() => (demo.paused = true))
  const again = () =>
    page.evaluate(() => {
      const { stats } = demo.match.players[0].session
      const before = stats.resimulated
      demo.play(600)
      return stats.resimulated - before
    })
  const bad = await again()
  await page.focus('#latency')
  await page.keyboard.press('Home')
  await page.focus('#loss')
  await page.keyboard.press('Home')
  await page.focus('#jitter')
  await page.keyboard.press('Home')
  expect(await page.evaluate(() => demo.match.network)).toMatchObject({ latency: 0, jitter: 0, loss: 0 })
  expect(await page.textContent('output[for=latency]')).toBe('0 ms')
  // What is under way still arrives late.
  await again()
  expect(await again()).toBe(0)
  expect(bad).toBeGreaterThan(50)
  // Without guesses, a slow network slows the match down.
  await page.focus('#latency')
  await page.keyboard.press('End')
  await page.uncheck('#predict')
  const frames = await page.evaluate(() => {
    const { session } = demo.match.players[0]
    const before = session.frame
    demo.play(300)
    return session.frame - before
  })
  expect(frames).toBeLessThan(150)
  expect(await page.textContent('#verdict')).toContain('In step')
  expect(complaints).toEqual([])
  await close()
})

it('fits a phone, and has buttons for fingers there', async () => {
  const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }
  const { page, complaints, close } = await open(phone)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(360)
  const fire = page.locator('#second .pad button[aria-label=Fire]')
  const { height } = await fire.boundingBox()
  expect(height).toBeGreaterThanOrEqual(44)
  await fire.tap()
  expect(await page.isChecked('#second .bot')).toBe(false)
  expect(complaints).toEqual([])
  await close()
})

it('is light or dark as the system says, until the button says otherwise', async () => {
  const { page, close } = await open({ colorScheme: 'light' })
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await ground()
  await page.click('#theme')
  const dark = await ground()
  expect(dark).not.toBe(light)
  expect(await page.getAttribute('#theme', 'aria-pressed')).toBe('true')
  await page.click('#theme')
  expect(await ground()).toBe(light)
  await close()
})
