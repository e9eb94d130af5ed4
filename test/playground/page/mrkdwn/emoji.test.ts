import { expect, test } from 'vitest'
import { emoji, withEmoji } from '../../../../src/playground/page/mrkdwn/emoji.ts'

test('a known emoji is its glyph, an unknown one its name', () => {
  expect(withEmoji(':tada: done :+1: :party_parrot:')).toBe('🎉 done 👍 :party_parrot:')
})

test('a name that every object has is no emoji', () => {
  expect(emoji('constructor')).toBe(':constructor:')
})
