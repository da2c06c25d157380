// Owns whom the observer follows: a few foragers with a name and a spot of paint, and a new one when one is gone.
// It must never change what an ant does.

import { not } from 'strata-ecs'
import { Diary, Forager, Marked, Name } from '../components.js'
import { AntDiary } from '../diary.js'
import { antName } from '../names.js'
import { below, bitsOf, momentKey } from '../random.js'
import { Chronicle, Settings, Time, Totals } from '../resources.js'
import { MARKED_ANTS } from '../settings.js'

export function createObserve(world) {
  const marked = world.query(Marked)
  const unknown = world.query(Forager, not(Marked))

  return function observe() {
    const { seed } = world.resource(Settings)
    const { frame, day } = world.resource(Time)
    const totals = world.resource(Totals)
    while (marked.count < MARKED_ANTS && unknown.count > 0) {
      const place = below(bitsOf(momentKey(seed, frame), totals.marked), unknown.count)
      const name = antName(totals.marked++)
      const diary = new AntDiary(name, day)
      world.add(unknown.at(place), Marked, Name({ value: name }), Diary(diary))
      world.resource(Chronicle).diaries.push(diary)
    }
  }
}
