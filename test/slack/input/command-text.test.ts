import { expect, test } from 'vitest'
import { parseCommandText } from '../../../src/slack/input/command-text.ts'

test.each([
  ['', { name: 'form' }],
  ['   ', { name: 'form' }],
  ['help', { name: 'help' }],
  ['HELP me', { name: 'help' }],
  ['connect', { name: 'connect' }],
  ['Settings', { name: 'settings' }],
  ['disconnect please', { name: 'disconnect' }],
  ['list', { name: 'list', rest: '' }],
  ['list created_at asc 3', { name: 'list', rest: 'created_at asc 3' }],
  ['https://example.com/list', { name: 'shorten', rest: 'https://example.com/list' }],
  ['example.com/page promo', { name: 'shorten', rest: 'example.com/page promo' }],
  ['localhost:3000/x', { name: 'shorten', rest: 'localhost:3000/x' }],
  ['title=x https://example.com', { name: 'shorten', rest: 'title=x https://example.com' }],
  ['nonsense here', { name: 'unknown', word: 'nonsense' }],
  ['listen', { name: 'unknown', word: 'listen' }],
])('%j is read as %j', (text, expected) => {
  expect(parseCommandText(text)).toEqual(expected)
})
