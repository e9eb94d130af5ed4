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

test('splits words at white space of any kind', () => {
  expect(wordsIn('  a\tb\u00a0c\n d ')).toEqual(['a', 'b', 'c', 'd'])
})

test('keeps words in double quotes together, also after an option’s name, and drops the quotes', () => {
  expect(wordsIn('title="Spring sale" "two words" x')).toEqual([
    'title=Spring sale',
    'two words',
    'x',
  ])
})

test('accepts the curly quotes that macOS types', () => {
  expect(wordsIn('title=“Spring sale” x')).toEqual(['title=Spring sale', 'x'])
  expect(wordsIn('title=„Frühling für alle“')).toEqual(['title=Frühling für alle'])
})

test('refuses a quote that is never closed, and shows where it starts', () => {
  expect(() => wordsIn('x title="no end here')).toThrow(
    'A quote is never closed. Add one at the end of: title="no end here',
  )
})

test('reads a link in Slack’s markup as one word, with its label', () => {
  expect(wordsIn('<https://example.com/a|My page, "old"> spring')).toEqual([
    '<https://example.com/a|My page, "old">',
    'spring',
  ])
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
