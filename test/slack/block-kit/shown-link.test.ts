import { expect, test } from 'vitest'
import {
  decodeLink,
  encodeLink,
  headline,
  toShownLink,
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
  '["https://go.example.com/spring","example.com","Spring <!channel>","#1F4F46","lnk_1"]'

test('a link comes back from a button’s value, with only the host of its destination', () => {
  const { destination_url: _destination, ...kept } = ref
  expect(encodeLink(ref)).toBe(VALUE)
  expect(decodeLink(VALUE)).toEqual({ ...kept, lastKnownDestination: 'example.com' })
  const earlier = VALUE.replace('"example.com"', '"https://example.com/page"').replace(
    ',"lnk_1"',
    '',
  )
  expect(decodeLink(earlier)).toEqual({
    ...kept,
    name: undefined,
    lastKnownDestination: 'https://example.com/page',
  })
})

test('a value that this app did not encode is refused', () => {
  expect(() => decodeLink('["javascript:alert(1)","","",""]')).toThrow()
  expect(() => decodeLink(undefined)).toThrow()
})

test('a long title is shortened to fit in a button, and a short URL never is', () => {
  const { title } = decodeLink(encodeLink({ ...ref, title: 'x'.repeat(5_000) }))
  expect(title).toBe(`${'x'.repeat(299)}…`)
  const shortlink_url = `https://go.example.com/${'x'.repeat(2_000)}`
  expect(encodeLink({ ...ref, shortlink_url })).toBeUndefined()
})

test.each([
  [{ qr_code_enabled: true }, '#000000'],
  [{ qr_code_enabled: true, qr_code_color: '#102030' }, '#102030'],
  [{ qr_code_enabled: false, qr_code_color: '#102030' }, undefined],
])('a link with %j is shown with the QR color %s', (qr, color) => {
  const link = {
    name: 'lnk_1',
    shortlink_url: ref.shortlink_url,
    destination_url: 'https://a.test',
  }
  expect(toShownLink({ ...link, ...qr }, 0).qrColor).toBe(color)
})

test('a long destination is shown without a link, with its host instead of a user name', () => {
  const destination_url = `https://bank.com${'x'.repeat(3_000)}@evil.example/`
  expect(headline({ ...ref, destination_url })).toContain('\nleads to evil.example')
})

test.each([
  [undefined, '\nleads to <https'],
  ['off', '\n:no_entry_sign: is *turned off*. When it is on, it leads to <https'],
  ['expired', '\n:hourglass: has *expired*. It led to <https'],
] as const)('says where a link leads that is %s', (state, text) => {
  expect(headline({ ...ref, state })).toContain(text)
})
