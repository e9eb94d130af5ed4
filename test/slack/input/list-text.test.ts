import { expect, test } from 'vitest'
import {
  decodeListPosition,
  encodeListPosition,
  parseListText,
} from '../../../src/slack/input/list-text.ts'

test('nothing typed is the newest page', () => {
  expect(parseListText('')).toEqual({ sort_by: 'most_recent', order: 'desc', page: 1 })
})

test('sort, order and page, in any order and case', () => {
  const expected = { sort_by: 'updated_at', order: 'asc', page: 12 }
  expect(parseListText('updated_at asc 12')).toEqual(expected)
  expect(parseListText('12 ASC Updated_At')).toEqual(expected)
})

test.each(['0', '-1', '1.5', 'newest', 'clicks'])('%s is not understood', (word) => {
  expect(() => parseListText(`asc ${word}`)).toThrow(`“${word}”`)
})

test('a position survives a block_id; anything else is the first page', () => {
  const position = { sort_by: 'created_at', order: 'asc', page: 7 } as const
  expect(decodeListPosition(encodeListPosition(position))).toEqual(position)
  expect(decodeListPosition('garbage')).toEqual(parseListText(''))
})
