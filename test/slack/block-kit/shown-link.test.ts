import { expect, test } from 'vitest'
import {
  decodeLinkRef,
  encodeLinkRef,
  headline,
  linkRefOf,
  shownLinkOf,
  type LinkRef,
} from '../../../src/slack/block-kit/shown-link.ts'

const ref: LinkRef = {
  shortUrl: 'https://go.example.com/spring',
  destination: 'https://example.com/some/long/page',
  title: 'Spring <!channel>',
  qrColor: '#1F4F46',
}
const VALUE =
  '["https://go.example.com/spring","https://example.com/some/long/page","Spring <!channel>","#1F4F46"]'

test('a link comes back from a button’s value as it was', () => {
  expect(encodeLinkRef(ref)).toBe(VALUE)
  expect(decodeLinkRef(VALUE)).toEqual(ref)
  expect(linkRefOf(shownLinkOf(ref))).toEqual(ref)
})

test('a value that this app did not encode is refused', () => {
  expect(() => decodeLinkRef('["javascript:alert(1)","","",""]')).toThrow()
  expect(() => decodeLinkRef(undefined)).toThrow()
})

test('a cut destination still shows its host, not the user name before it', () => {
  const long = { ...ref, destination: `https://bank.com${'x'.repeat(2000)}@evil.example/` }
  expect(headline(decodeLinkRef(encodeLinkRef(long)))).toContain('|evil.example>')
})

test('long texts are shortened to fit in a button, and a short URL never is', () => {
  const long = { ...ref, destination: `https://example.com/${'x'.repeat(2000)}` }
  const decoded = decodeLinkRef(encodeLinkRef(long))
  expect(decoded).toEqual({ ...ref, destination: `${long.destination.slice(0, 299)}…` })
  expect(headline(decoded)).toContain('\nleads to example.com/xxx')
  expect(encodeLinkRef({ ...ref, shortUrl: long.destination })).toBeUndefined()
})
