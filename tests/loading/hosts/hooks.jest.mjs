// Runs hooks in an environment of Jest: rendered to a text where there is no page, and in a page where there is one.
import { act, createElement } from 'react'
import { component, createWorld, u8 } from 'strata-ecs'
import { WorldProvider, useComponent, useCount, useWorld } from 'strata-ecs/react'

const Health = component('Health', { hp: u8 })

function Panel({ ship }) {
  const world = useWorld()
  const { hp } = useComponent(world, ship, Health)
  return createElement('p', null, `${hp} of ${useCount(world.query(Health))}`)
}

test('Hooks show a world', async () => {
  const world = createWorld()
  const ship = world.spawn(Health({ hp: 9 }))
  const tree = createElement(WorldProvider, { world }, createElement(Panel, { ship }))
  if (typeof document === 'undefined') {
    const { renderToString } = await import('react-dom/server')
    expect(renderToString(tree)).toBe('<p>9 of 1</p>')
    return
  }
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  const { createRoot } = await import('react-dom/client')
  const root = createRoot(document.body)
  await act(() => root.render(tree))
  expect(document.body.textContent).toBe('9 of 1')
  await act(() => {
    world.set(ship, Health, { hp: 5 })
    world.spawn(Health)
  })
  expect(document.body.textContent).toBe('5 of 2')
  await act(() => root.unmount())
  world.dispose()
})
