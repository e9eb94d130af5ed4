import fc from 'fast-check'
import { expect, test } from 'vitest'
import { referringHost } from '../../../src/service/redirect/visitor.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { unicodeText } from '../../support/unicode-text.ts'

const addresses = createAddresses('https://go.example.com')

function hostOf(referer: string | undefined, hostname = 'go.example.com'): string | undefined {
  return referringHost({ headers: referer === undefined ? {} : { referer }, hostname }, addresses)
}

test.each([
  ['https://News.Example/article?reader=7#top', 'news.example'],
  ['http://user:secret@news.example.:8080/', 'news.example'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://[2001:DB8::1]/', '[2001:db8::1]'],
  ['https://0x7f.1/', '127.0.0.1'],
  [`https://${'a.'.repeat(120)}example.com/`, `${'a.'.repeat(120)}example.com`],
])('takes only the hostname of %j', (referer, host) => {
  expect(hostOf(referer)).toBe(host)
})

test.each([
  [undefined, 'go.example.com'],
  ['news.example', 'go.example.com'],
  ['android-app://com.slack/', 'go.example.com'],
  ['https://./', 'go.example.com'],
  ['https://forged*.example/', 'go.example.com'],
  ['https://go.example.com/dashboard', 'brand.example'],
  ['https://brand.example./other', 'Brand.Example'],
  [`https://${'a.'.repeat(130)}example.com/`, 'go.example.com'],
  [`https://news.example/${'x'.repeat(5_000)}`, 'go.example.com'],
])('finds no host in %j of a request to %s', (referer, hostname) => {
  expect(hostOf(referer, hostname)).toBeUndefined()
})

test('returns a short hostname in lower-case ASCII, or nothing, whatever the header is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string(), unicodeText()), (referer) => {
      const host = hostOf(referer)
      if (host === undefined) return
      expect(host).toMatch(/^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]+\])$/)
    }),
  )
})
