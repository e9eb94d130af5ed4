import { expect, test } from 'vitest'
import { createChangedLinks } from '../../../src/service/store/changed-links.ts'

test('a link has changed since any time before its change, and not since later times', () => {
  const changed = createChangedLinks()
  const before = changed.moment()
  expect(changed.hasChanged('a', before)).toBe(false)
  changed.announce(['a', 'b'])
  expect(['a', 'b', 'c'].map((id) => changed.hasChanged(id, before))).toEqual([true, true, false])
  expect(changed.hasChanged('a', changed.moment())).toBe(false)
})

test('every link can have changed if changes were missed', () => {
  const changed = createChangedLinks()
  changed.announce(['a'])
  const before = changed.moment()
  changed.announceAll()
  expect(['a', 'b'].map((id) => changed.hasChanged(id, before))).toEqual([true, true])
  expect(['a', 'b'].map((id) => changed.hasChanged(id, changed.moment()))).toEqual([false, false])
})

test('a forgotten change counts as a change of every link', () => {
  const changed = createChangedLinks(2)
  const before = changed.moment()
  changed.announce(['a'])
  const between = changed.moment()
  changed.announce(['b', 'c'])
  expect(changed.hasChanged('a', before)).toBe(true)
  expect(changed.hasChanged('other', before)).toBe(true)
  expect(changed.hasChanged('other', between)).toBe(false)
  expect(changed.hasChanged('b', between)).toBe(true)
})

test('a link that changes often is remembered only once', () => {
  const changed = createChangedLinks(2)
  const before = changed.moment()
  changed.announce(['a', 'b', 'a', 'b', 'a'])
  expect(changed.hasChanged('other', before)).toBe(false)
})
