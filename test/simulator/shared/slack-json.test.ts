import { expect, test } from 'vitest'
import { sameJson, slackFileId } from '../../../src/simulator/shared/slack-json.ts'

const OPTION = { text: { type: 'plain_text', text: 'a', emoji: true }, value: 'a' }

test.each<[one: unknown, other: unknown, same: boolean]>([
  [OPTION, { value: 'a', text: { emoji: true, text: 'a', type: 'plain_text' } }, true],
  [OPTION, { ...OPTION, description: OPTION.text }, false],
  [OPTION, { ...OPTION, text: { ...OPTION.text, text: 'b' } }, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  ['a', 'a', true],
])('compares %j and %j: %s', (one, other, same) => {
  expect(sameJson(one, other)).toBe(same)
  expect(sameJson(other, one)).toBe(same)
})

test.each<[file: { id?: unknown; url?: unknown }, id: string | undefined]>([
  [{ id: 'F0123456789' }, 'F0123456789'],
  [{ url: 'https://files.slack.com/files-pri/T0PLAY-F0123456789/qr.png' }, 'F0123456789'],
  [{ url: 'https://playground.slack.com/files/U1/F0123456789/qr.png' }, 'F0123456789'],
  [{ url: 'https://example.com/qr.png' }, undefined],
  [{}, undefined],
])('finds the file of %j: %s', (file, id) => {
  expect(slackFileId(file)).toBe(id)
})
