import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIRST_PAGE } from '../../../src/slack/block-kit/list-position.ts'
import { parseListText } from '../../../src/slack/list/list-text.ts'
import { issuesOf } from '../../support/issues.ts'

test.each([
  ['', {}],
  ['mine updated_at asc 12', { mine: true, sort_by: 'updated_at', order: 'asc', page: 12 }],
  ['12 ASC Mine Updated_At', { mine: true, sort_by: 'updated_at', order: 'asc', page: 12 }],
  ['spring Clicks', { sort_by: 'clicks', q: 'spring' }],
  ['landing page 2 asc', { page: 2, order: 'asc', q: 'landing' }],
  ['landing page', { q: 'landing page' }],
  ['mine Spring 2 sale asc', { mine: true, order: 'asc', page: 2, q: 'Spring sale' }],
  ['<https://go.example.com/x|go.example.com/x>', { q: 'https://go.example.com/x' }],
  ['tag:spring', { tag: ['spring'] }],
  ['Tag:"big  sale" tag:Print mine', { tag: ['big sale', 'Print'], mine: true }],
  ['tags=print,spring tag:“Print” card 2', { tag: ['print', 'spring'], q: 'card', page: 2 }],
  ['#print #spring', { tag: ['print', 'spring'] }],
])('reads %j as %j', (text, position) => {
  expect(parseListText(text)).toEqual({ ...FIRST_PAGE, ...position })
})

test.each([
  ...['mine', '2026', 'most_recent', 'asc', 'clicks', 'spring  sale 2', '#print', 'tag:spring'].map(
    (text) => [`"${text}"`, { q: text }] as const,
  ),
  ['“mine”', { q: 'mine' }],
  ['page "2026"', { q: 'page 2026' }],
  ['"landing page" 2', { q: 'landing page', page: 2 }],
  ['mine "mine" title="mine" 3', { q: 'mine title=mine', page: 3, mine: true }],
] as const)('searches for the words in quotes in %s', (text, position) => {
  expect(parseListText(text)).toEqual({ ...FIRST_PAGE, ...position })
})

test('reads every text as a filter, a sort, an order, a page and the words in quotes', () => {
  // Slack puts links in angle brackets, and sends others as entities.
  const word = fc.stringMatching(/^[^"“”„‟«»<>\s\p{Cc}]{3,20}$/u)
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.shuffledSubarray(['mine', 'updated_at', 'asc', '7']),
      (words, others) => {
        const q = words.join(' ')
        expect(parseListText([...others, `"${q}"`].join(' '))).toEqual({
          sort_by: others.includes('updated_at') ? 'updated_at' : 'most_recent',
          order: others.includes('asc') ? 'asc' : 'desc',
          page: others.includes('7') ? 7 : 1,
          ...(others.includes('mine') && { mine: true }),
          q,
        })
      },
    ),
  )
})

test.each([
  ['ab', '“ab” is too short to search for. A search needs at least 3 characters.'],
  ['🌱🌱', '“🌱🌱” is too short to search for. A search needs at least 3 characters.'],
  ['"24"', '“24” is too short to search for. A search needs at least 3 characters.'],
  ['""', 'Type what to search for: at least 3 characters.'],
  ...['0', '-1', '00'].map((word) => [word, `“${word}” isn’t a page. Pages are numbered from 1.`]),
  ['x'.repeat(1_201), 'Use 200 characters or fewer.'],
  ['tag: spring', 'Type a tag right after “tag:”, like tag:spring or tag:"Spring sale".'],
  [
    'tag:a/b',
    '“a/b” can’t be a tag. Use letters, digits, spaces, - and _, and separate tags with commas.',
  ],
  ['"spring', 'A quote is never closed. Add one at the end of: "spring'],
])('explains what is wrong with %s', (text, message) => {
  expect(issuesOf(() => parseListText(text))).toEqual([{ message }])
})
