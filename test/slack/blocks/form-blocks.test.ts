import { expect, test } from 'vitest'
import { blockOf, fieldOf } from '../../../src/slack/blocks/form-blocks.ts'

test('a field has another block_id each time it is filled in, and is found by every one', () => {
  const ids = [0, 1, 12].map((filled) => blockOf('utm_source', filled))
  expect(ids).toEqual(['utm_source', 'utm_source~1', 'utm_source~12'])
  expect(ids.map(fieldOf)).toEqual(['utm_source', 'utm_source', 'utm_source'])
  expect(fieldOf('domains_2')).toBe('domains_2')
})
