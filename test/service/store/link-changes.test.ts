import { expect, test } from 'vitest'
import { createLinkChanges } from '../../../src/service/store/link-changes.ts'

test('a link has changed since the moments before its change, and not since later ones', () => {
  const changes = createLinkChanges()
  const before = changes.moment()
  expect(changes.hasChanged('a', before)).toBe(false)
  changes.announce(['a', 'b'])
  expect(['a', 'b', 'c'].map((id) => changes.hasChanged(id, before))).toEqual([true, true, false])
  expect(changes.hasChanged('a', changes.moment())).toBe(false)
})

test('every link may have changed if changes were missed', () => {
  const changes = createLinkChanges()
  changes.announce(['a'])
  const before = changes.moment()
  changes.announceAll()
  expect(['a', 'b'].map((id) => changes.hasChanged(id, before))).toEqual([true, true])
  expect(['a', 'b'].map((id) => changes.hasChanged(id, changes.moment()))).toEqual([false, false])
})

test('a change that is forgotten counts as a change of every link', () => {
  const changes = createLinkChanges(2)
  const before = changes.moment()
  changes.announce(['a'])
  const between = changes.moment()
  changes.announce(['b', 'c'])
  expect(changes.hasChanged('a', before)).toBe(true)
  expect(changes.hasChanged('other', before)).toBe(true)
  expect(changes.hasChanged('other', between)).toBe(false)
  expect(changes.hasChanged('b', between)).toBe(true)
})

test('a link that changes often takes the place of one change', () => {
  const changes = createLinkChanges(2)
  const before = changes.moment()
  changes.announce(['a', 'b', 'a', 'b', 'a'])
  expect(changes.hasChanged('other', before)).toBe(false)
})
