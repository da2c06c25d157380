// Gives the worlds of a run the workers that it is about, before each file. It is no part of world.ts, which pages load, too.

import { absentWorkers, lastingWorkers } from './dividing'
import { giveWorkers, isDivided } from '../../../../tests/support/world'

giveWorkers(isDivided ? lastingWorkers(2) : absentWorkers())
