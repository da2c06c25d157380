// Gives a test of hooks a world and a page: React renders into it, and both are gone after each test.

import { act, createElement, type FunctionComponent, memo, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach } from 'vitest'
import { createWorld, type World } from '../../../../bindings/index'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

export interface ReactPage {
  world: World
  root: Root
  /** Renders in place of what is shown. */
  show: (node: ReactNode) => void
  texts: (selector: string) => (string | null)[]
  /** How often a counted component was rendered since it was asked last. */
  rendered: (name: string) => number
  /** A component that shows what a function makes of its props, and counts its renders. */
  counted: <P extends object>(name: string, content: (props: P) => ReactNode) => FunctionComponent<P>
  /** Whether anything listens to entities or queries of a world. */
  watching: (world: World) => number
}

export function reactPage(): ReactPage {
  let renders: Record<string, number> = {}
  let page: HTMLElement
  const staged = {
    show: (node: ReactNode) => act(() => staged.root.render(node)),
    texts: (selector: string) => [...page.querySelectorAll(selector)].map(({ textContent }) => textContent),
    rendered(name: string) {
      const count = renders[name] ?? 0
      renders[name] = 0
      return count
    },
    counted: <P extends object>(name: string, content: (props: P) => ReactNode) =>
      memo((props: P) => {
        renders[name] = (renders[name] ?? 0) + 1
        return createElement('p', { className: name }, content(props))
      }) as unknown as FunctionComponent<P>,
    watching: (world: World) => (world as unknown as { state: { watching: number } }).state.watching,
  } as ReactPage
  beforeEach(() => {
    globalThis.IS_REACT_ACT_ENVIRONMENT = true
    staged.world = createWorld({ memory: { initial: 2 ** 20 } })
    page = document.body.appendChild(document.createElement('div'))
    staged.root = createRoot(page)
    renders = {}
  })
  afterEach(() => {
    act(() => staged.root.unmount())
    page.remove()
    staged.world.dispose()
  })
  return staged
}
