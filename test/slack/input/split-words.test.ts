import { expect, test } from 'vitest'
import { splitWords } from '../../../src/slack/input/split-words.ts'

test('words are split on white space of any kind', () => {
  expect(splitWords('  a\tb\u00a0c\n d ')).toEqual(['a', 'b', 'c', 'd'])
})

test('double quotes keep spaces together, also inside a word, and are taken away', () => {
  expect(splitWords('title="Spring sale" "two words" x')).toEqual([
    'title=Spring sale',
    'two words',
    'x',
  ])
})

test('the curly quotes that macOS types are quotes', () => {
  expect(splitWords('title=“Spring sale” x')).toEqual(['title=Spring sale', 'x'])
  expect(splitWords('title=„Frühling für alle“')).toEqual(['title=Frühling für alle'])
})

test('nothing else is syntax: URLs and apostrophes stay whole', () => {
  const url = "https://example.com/it's?a=1&b=2;c|d$e`f\\g#h(i)"
  expect(splitWords(`${url} title=Don’t`)).toEqual([url, 'title=Don’t'])
})

test('a quote that is never closed is said to be', () => {
  expect(() => splitWords('x title="no end here')).toThrow('never closed: title="no end here')
})

test('a link as Slack marks it up is one word, label and all', () => {
  expect(splitWords('<https://example.com/a|My page, "old"> spring')).toEqual([
    '<https://example.com/a|My page, "old">',
    'spring',
  ])
})

test('an empty text has no words', () => {
  expect(splitWords('   ')).toEqual([])
})

test('quotes inside a URL belong to the URL', () => {
  expect(splitWords('https://fr.example.org/wiki/«Foo» https://example.com/?q="one')).toEqual([
    'https://fr.example.org/wiki/«Foo»',
    'https://example.com/?q="one',
  ])
})
