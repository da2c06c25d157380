// The start of the page, and its clock: an hour of the crew is a second of ours.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { WorldProvider } from 'strata-ecs/react'
import { Panel, renders } from './Panel.tsx'
import { Clock, createCrew } from './crew.ts'

const crew = createCrew()
const page = document.getElementById('page')
if (page === null) throw new Error('The page has no element to render into.')

createRoot(page).render(
  <StrictMode>
    <WorldProvider world={crew.world}>
      <Panel crew={crew} />
    </WorldProvider>
  </StrictMode>,
)

if (location.hash !== '#still') {
  setInterval(() => {
    if (crew.world.resource(Clock).running === 1) crew.pass()
  }, 1000)
}

/** For the tests of the page, and for the console. */
Object.assign(globalThis, { demo: { crew, renders } })
