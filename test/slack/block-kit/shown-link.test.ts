import { expect, test } from 'vitest'
import {
  decodeLink,
  encodeLink,
  headline,
  type ShownLink,
} from '../../../src/slack/block-kit/shown-link.ts'

const ref: ShownLink = {
  shortlink_url: 'https://go.example.com/spring',
  destination_url: 'https://example.com/some/long/page',
  title: 'Spring <!channel>',
  qrColor: '#1F4F46',
}
const VALUE =
  '["https://go.example.com/spring","https://example.com/some/long/page","Spring <!channel>","#1F4F46"]'

test('a link comes back from a button’s value as it was', () => {
  expect(encodeLink(ref)).toBe(VALUE)
  expect(decodeLink(VALUE)).toEqual(ref)
})

test('a value that this app did not encode is refused', () => {
  expect(() => decodeLink('["javascript:alert(1)","","",""]')).toThrow()
  expect(() => decodeLink(undefined)).toThrow()
})

test('a cut destination still shows its host, not the user name before it', () => {
  const long = { ...ref, destination_url: `https://bank.com${'x'.repeat(2000)}@evil.example/` }
  expect(headline(decodeLink(encodeLink(long)))).toContain('|evil.example>')
})

test('long texts are shortened to fit in a button, and a short URL never is', () => {
  const long = { ...ref, destination_url: `https://example.com/${'x'.repeat(2000)}` }
  const decoded = decodeLink(encodeLink(long))
  expect(decoded).toEqual({ ...ref, destination_url: `${long.destination_url.slice(0, 299)}…` })
  expect(headline(decoded)).toContain('\nleads to example.com/xxx')
  expect(encodeLink({ ...ref, shortlink_url: long.destination_url })).toBeUndefined()
})
