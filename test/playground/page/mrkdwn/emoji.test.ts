import { expect, test } from 'vitest'
import { emoji, withEmoji } from '../../../../src/playground/page/mrkdwn/emoji.ts'

test('replaces known emoji, and keeps the names of others', () => {
  expect(withEmoji(':tada: done :+1: :party_parrot:')).toBe('🎉 done 👍 :party_parrot:')
})

test('does not confuse an object’s own members with emoji', () => {
  expect(emoji('constructor')).toBe(':constructor:')
})
