import { expect, test } from 'vitest'
import { sameJson } from '../../../src/simulator/shared/slack-json.ts'

const OPTION = { text: { type: 'plain_text', text: 'a', emoji: true }, value: 'a' }

test.each<[one: unknown, other: unknown, same: boolean]>([
  [OPTION, structuredClone(OPTION), true],
  [OPTION, { ...OPTION, description: OPTION.text }, false],
  [OPTION, { ...OPTION, text: { ...OPTION.text, text: 'b' } }, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ['a', 'a', true],
])('compares %j and %j: %s', (one, other, same) => {
  expect(sameJson(one, other)).toBe(same)
  expect(sameJson(other, one)).toBe(same)
})
