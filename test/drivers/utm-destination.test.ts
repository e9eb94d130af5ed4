import { expect, test } from 'vitest'
import { splitUtm, withoutUtm } from '../../src/drivers/utm-destination.ts'

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
