import { expect, test } from 'vitest'
import { checkDraft } from '../../../src/slack/input/create-request.ts'

const DOMAINS = [{ name: 'dom_1', domain_name: 'go.example.com' }]
const NO_RULES = { lowerCase: false, spaces: null, sources: [], mediums: [] }

const destinationOf = (destination_url: string): string =>
  checkDraft({ destination_url, qr_code_enabled: false }, DOMAINS, NO_RULES).destination_url

test.each([
  ['without a scheme', 'example.com/page', 'https://example.com/page'],
  ['with a port and no scheme', 'example.com:8080/page', 'https://example.com:8080/page'],
  ['as pages write it', '//example.com/page', 'https://example.com/page'],
  ['in capitals', 'HTTP://EXAMPLE.COM/Page', 'HTTP://EXAMPLE.COM/Page'],
  ['after what nobody sees', '\u200b\ufeffhttps://example.com/page', 'https://example.com/page'],
  ['before what nobody sees', 'https://example.com/page\u200e \u2060', 'https://example.com/page'],
])('a link %s', (_name, typed, destination) => {
  expect(destinationOf(typed)).toBe(destination)
})

test.each(['example', 'https://', '\u200b', 'mailto:ana@example.com', 'ftp://example.com/file'])(
  '“%s” is none',
  (typed) => {
    expect(() => destinationOf(typed)).toThrow(/link/)
  },
)
