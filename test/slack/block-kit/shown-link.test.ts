import { expect, test } from 'vitest'
import {
  decodeLink,
  encodeLink,
  headline,
  type ShownLink,
} from '../../../src/slack/block-kit/shown-link.ts'

const ref: ShownLink = {
  name: 'lnk_1',
  shortlink_url: 'https://go.example.com/spring',
  destination_url: 'https://example.com/some/long/page',
  title: 'Spring <!channel>',
  qrColor: '#1F4F46',
}
const VALUE =
  '["https://go.example.com/spring","https://example.com/some/long/page","Spring <!channel>","#1F4F46","lnk_1"]'

test('a link comes back from a button’s value as it was', () => {
  expect(encodeLink(ref)).toBe(VALUE)
  expect(decodeLink(VALUE)).toEqual(ref)
  // A button of an earlier version.
  expect(decodeLink(VALUE.replace(',"lnk_1"', ''))).toEqual({ ...ref, name: undefined })
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

test.each([
  [undefined, '\nleads to <https'],
  ['off', '\n:no_entry_sign: is *turned off*. When it is on, it leads to <https'],
  ['expired', '\n:hourglass: has *expired*. It led to <https'],
] as const)('says where a link leads that is %s', (state, text) => {
  expect(headline({ ...ref, state })).toContain(text)
})
