import { expect, test } from 'vitest'
import type { CreateRequest } from '../../src/contract/link-requests.ts'
import { findDifferences, receivedListedLink, type ListedLink } from '../../src/port/links.ts'

const REQUEST = {
  destination_url: 'https://example.com/a?x=two%20words',
  domain: 'go.example.com',
  back_half: 'Spring-Sale',
}
const LINK = {
  name: '1',
  destination_url: 'https://example.com/a?x=two+words',
  shortlink_url: 'https://go.example.com/Spring-Sale',
}

test.each<[string, Partial<CreateRequest>, Partial<ListedLink>]>([
  ['another encoding of the destination', {}, {}],
  ['members that the response leaves out', { title: 'Sale', utm_source: 'news', tags: 'a' }, {}],
  ['tags in another case', { tags: 'Spring, b' }, { tags: ['spring', 'b'] }],
  [
    'UTM values of the destination that the service returns as fields',
    { destination_url: 'https://example.com/a?utm_source=news&x=1' },
    { destination_url: 'https://example.com/a?x=1', utm_source: 'news' },
  ],
])('finds no difference in %s', (_what, request, link) => {
  expect(findDifferences({ ...REQUEST, ...request }, { ...LINK, ...link })).toEqual([])
})

test('finds what the service created differently', () => {
  const request = { ...REQUEST, title: 'Sale', utm_campaign: 'a+b', tags: 'Big sale' }
  const link = {
    ...LINK,
    destination_url: 'https://example.org/a',
    shortlink_url: 'https://go.example.com/pringale',
    title: 'Sale!',
    utm_campaign: 'a b',
    tags: ['big-sale'],
  }
  expect(findDifferences(request, link)).toEqual([
    { field: 'destination_url', wanted: REQUEST.destination_url, found: link.destination_url },
    { field: 'back_half', wanted: 'Spring-Sale', found: 'pringale' },
    { field: 'title', wanted: 'Sale', found: 'Sale!' },
    { field: 'tags', wanted: 'big sale', found: 'big-sale' },
    { field: 'utm_campaign', wanted: 'a+b', found: 'a b' },
  ])
})

test.each([
  ['2099-01-01T12:00:00', '2099-01-01T12:00:00.000Z'],
  ['2099-01-01T12:00:00+02:00', '2099-01-01T10:00:00.000Z'],
  ['2099-02-30T12:00:00Z', undefined],
  ['tomorrow', undefined],
])('reads the expiry %s in UTC', (expires_at, expected) => {
  expect(receivedListedLink.parse({ ...LINK, expires_at }).expires_at).toBe(expected)
})
