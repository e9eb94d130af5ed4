import { expect, test } from 'vitest'
import { editedDestination, splitUtm, withoutUtm } from '../../src/drivers/utm-destination.ts'

test('takes UTM values out of a destination, and leaves the rest as it is', () => {
  expect(
    withoutUtm('https://example.com/a?x=two%20words&utm_source=news+letter&utm_term=&sig=%2F#b'),
  ).toEqual({
    destination_url: 'https://example.com/a?x=two%20words&utm_term=&sig=%2F#b',
    utm_source: 'news letter',
  })
  const plain = 'https://example.com?a=%20'
  expect(withoutUtm(plain)).toEqual({ destination_url: plain })
})

test('prefers values that were typed as fields', () => {
  const destination_url = 'https://example.com/?utm_source=a&utm_medium=b'
  expect(splitUtm({ destination_url, utm_source: 'c', title: 'T' })).toEqual({
    destination_url: 'https://example.com/',
    utm_source: 'c',
    utm_medium: 'b',
    title: 'T',
  })
})

const LINK = {
  name: '1',
  shortlink_url: 'https://go.example.com/a',
  destination_url: 'https://example.com/?x=1',
  utm_source: 'news',
  utm_medium: 'email',
}

test.each([
  [{ title: 'T' }, 'https://example.com/?x=1&utm_source=news&utm_medium=email'],
  [{ utm_source: '' }, 'https://example.com/?x=1&utm_medium=email'],
  [
    { destination_url: 'https://example.org/' },
    'https://example.org/?utm_source=news&utm_medium=email',
  ],
  [{ utm_analytics_enabled: false }, 'https://example.com/?x=1'],
])('after the change %j, the destination is %s', (changes, destination) => {
  expect(editedDestination(LINK, changes)).toBe(destination)
})
