import { expect, test } from 'vitest'
import {
  closestWord,
  parseCommand,
  splitWords,
  SUBCOMMANDS,
} from '../../../src/slack/platform/commands.ts'

test.each([
  ['', { name: 'form', text: '' }],
  ['  ', { name: 'form', text: '' }],
  ['HELP me', { name: 'help', text: 'me' }],
  ['list created_at asc 3', { name: 'list', text: 'created_at asc 3' }],
  ['example.com/page promo', { name: 'shorten', text: 'example.com/page promo' }],
  ['localhost:3000/x', { name: 'shorten', text: 'localhost:3000/x' }],
  ['title=x https://example.com', { name: 'shorten', text: 'title=x https://example.com' }],
  ['nonsense here', { name: 'unknown', text: 'nonsense' }],
  ['listen', { name: 'unknown', text: 'listen' }],
])('parses the command %j as %j', (text, expected) => {
  expect(parseCommand(text)).toEqual(expected)
})

test.each([
  ['lsit', 'list'],
  ['LIS', 'list'],
  ['lost', 'list'],
  ['ist', 'list'],
  ['hlep', 'help'],
  ['discconnect', 'disconnect'],
])('recognizes %j as a typo of %j', (typed, meant) => {
  expect(closestWord(typed, SUBCOMMANDS)).toBe(meant)
})

test.each(['', 'li', 'tsil', 'listen', 'lits of links', 'spring', 'x'.repeat(3_000)])(
  'finds no similar subcommand for %j',
  (typed) => {
    expect(closestWord(typed, SUBCOMMANDS)).toBeUndefined()
  },
)

const wordsIn = (text: string): string[] => splitWords(text).map(({ word }) => word)

test.each([
  ['at white space of any kind', '  a\tb\u00a0c\n d ', ['a', 'b', 'c', 'd']],
  [
    'outside of quotes',
    'title="Spring sale" "two words" x',
    ['title=Spring sale', 'two words', 'x'],
  ],
  ['outside of the quotes that macOS types', 'title=“Spring sale” x', ['title=Spring sale', 'x']],
  ['outside of German quotes', 'title=„Frühling für alle“', ['title=Frühling für alle']],
  [
    'outside of a link in Slack’s markup',
    '<https://example.com/a|My page, "old"> spring',
    ['<https://example.com/a|My page, "old">', 'spring'],
  ],
])('splits words %s', (_where, text, words) => {
  expect(wordsIn(text)).toEqual(words)
})

test('reads nothing else as syntax, so that URLs and apostrophes stay whole', () => {
  const words = [
    "https://example.com/it's?a=1&b=2;c|d$e`f\\g#h(i)",
    'title=Don’t',
    'https://fr.example.org/wiki/«Foo»',
    'https://example.com/?q="one',
  ]
  expect(wordsIn(words.join(' '))).toEqual(words)
})
