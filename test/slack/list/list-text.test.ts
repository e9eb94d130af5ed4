import { expect, test } from 'vitest'
import { parseListText } from '../../../src/slack/list/list-text.ts'
import { issuesOf } from '../../support/issues.ts'

test('returns the page with the newest links if there is no text', () => {
  expect(parseListText('')).toEqual({ sort_by: 'most_recent', order: 'desc', page: 1 })
})

test('parses sort field, order and page in any sequence and case', () => {
  const expected = { sort_by: 'updated_at', order: 'asc', page: 12 }
  expect(parseListText('updated_at asc 12')).toEqual(expected)
  expect(parseListText('12 ASC Updated_At')).toEqual(expected)
})

test.each(['0', '-1', '1.5', 'newest', 'clicks'])('does not understand %s', (word) => {
  expect(issuesOf(() => parseListText(`asc ${word} newer`))).toEqual([
    {
      message: `Backhalf didn’t understand “${word}”, “newer”. After /shorten list you can type most_recent, created_at, updated_at, then asc or desc, then a page number.`,
    },
  ])
})
