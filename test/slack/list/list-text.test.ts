import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIRST_PAGE } from '../../../src/slack/block-kit/list-position.ts'
import { parseListText } from '../../../src/slack/list/list-text.ts'
import { issuesOf } from '../../support/issues.ts'

test('returns the page with the newest links if there is no text', () => {
  expect(parseListText('')).toEqual({ sort_by: 'most_recent', order: 'desc', page: 1 })
})

test('parses the sort field, order, page and filter in any sequence and case', () => {
  const expected = { sort_by: 'updated_at', order: 'asc', page: 12, mine: true }
  expect(parseListText('mine updated_at asc 12')).toEqual(expected)
  expect(parseListText('12 ASC Mine Updated_At')).toEqual(expected)
})

test('sorts by clicks, unless the word is in quotes', () => {
  expect(parseListText('spring Clicks')).toEqual({ ...FIRST_PAGE, sort_by: 'clicks', q: 'spring' })
  expect(parseListText('“clicks”')).toEqual({ ...FIRST_PAGE, q: 'clicks' })
})

test('reads “page 2” as a page, unless a part of it is in quotes', () => {
  expect(parseListText('landing page 2 asc')).toMatchObject({ page: 2, q: 'landing' })
  expect(parseListText('page "2026"')).toMatchObject({ page: 1, q: 'page 2026' })
  expect(parseListText('"landing page" 2')).toMatchObject({ page: 2, q: 'landing page' })
  expect(parseListText('landing page')).toMatchObject({ page: 1, q: 'landing page' })
})

test('searches for all other words', () => {
  expect(parseListText('spring')).toEqual({ ...FIRST_PAGE, q: 'spring' })
  expect(parseListText('mine Spring 2 sale asc')).toEqual({
    sort_by: 'most_recent',
    order: 'asc',
    page: 2,
    mine: true,
    q: 'Spring sale',
  })
  expect(parseListText('<https://go.example.com/x|go.example.com/x>').q).toBe(
    'https://go.example.com/x',
  )
})

test.each(['"mine"', '“mine”', '"2026"', '"most_recent"', '"asc"', '"spring  sale 2"'])(
  'searches for %s, because it is in quotes',
  (text) => {
    expect(parseListText(text)).toEqual({ ...FIRST_PAGE, q: text.slice(1, -1) })
  },
)

test('searches for the words that are in quotes and for those that are not', () => {
  expect(parseListText('mine "mine" title="mine" 3')).toEqual({
    ...FIRST_PAGE,
    page: 3,
    mine: true,
    q: 'mine title=mine',
  })
})

test.each([
  ['tag:spring', { tag: ['spring'] }],
  ['Tag:"big  sale" tag:Print mine', { tag: ['big sale', 'Print'], mine: true }],
  ['tags=print,spring tag:“Print” card 2', { tag: ['print', 'spring'], q: 'card', page: 2 }],
  ['#print #spring', { tag: ['print', 'spring'] }],
  ['"#print"', { q: '#print' }],
  ['"tag:spring"', { q: 'tag:spring' }],
])('filters by the tags in %s', (text, filter) => {
  expect(parseListText(text)).toEqual({ ...FIRST_PAGE, ...filter })
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
