import { expect, test } from 'vitest'
import { effectiveDestination } from '../../src/contract/destination.ts'

test('adds UTM parameters after the query and before the fragment', () => {
  const utm = { utm_source: 'slack', utm_campaign: 'spring sale & more', utm_term: null }
  expect(effectiveDestination('https://example.com/a?b=c#d', utm)).toBe(
    'https://example.com/a?b=c&utm_source=slack&utm_campaign=spring+sale+%26+more#d',
  )
  expect(effectiveDestination('https://example.com#d', { utm_id: '7' })).toBe(
    'https://example.com/?utm_id=7#d',
  )
})

test('keeps a UTM parameter that the destination already has', () => {
  const url = 'https://example.com/?utm_source=mail&utm_medium='
  const utm = { utm_source: 'slack', utm_medium: 'chat', utm_id: '7' }
  expect(effectiveDestination(url, utm)).toBe(`${url}&utm_id=7`)
})

test('does not rewrite the rest of the query', () => {
  const url = 'https://example.com/?flag&a=b%20c&sig=x%2fy'
  expect(effectiveDestination(url, { utm_id: '7' })).toBe(`${url}&utm_id=7`)
})
