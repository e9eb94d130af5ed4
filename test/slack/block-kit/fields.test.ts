import { expect, test } from 'vitest'
import { blockIdOf, fieldOf } from '../../../src/slack/block-kit/fields.ts'

test('gives a field a new block_id for each fill, and finds the field by all of them', () => {
  const ids = [0, 1, 12].map((fillCount) => blockIdOf('utm_source', fillCount))
  expect(ids).toEqual(['utm_source', 'utm_source~1', 'utm_source~12'])
  expect(ids.map(fieldOf)).toEqual(['utm_source', 'utm_source', 'utm_source'])
})
