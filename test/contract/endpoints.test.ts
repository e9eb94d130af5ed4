import { expect, test } from 'vitest'
import { parseBaseUrl } from '../../src/client/base-url.ts'

test.each([
  ['https://links.example.com', 'https://links.example.com'],
  ['https://links.example.com/', 'https://links.example.com'],
  ['http://localhost:3001/', 'http://localhost:3001'],
  ['https://example.com/links/v2//', 'https://example.com/links/v2'],
])('%s is ready for a path to be appended', (text, base) => {
  expect(parseBaseUrl(text)).toBe(base)
})

test.each([
  ['links.example.com', /http/],
  ['ftp://links.example.com', /http/],
  ['', /http/],
  ['https://user:hunter2@example.com', /password/],
  ['https://example.com/?key=hunter2', /\?/],
  ['https://example.com/#hunter2', /#/],
])('%s is refused with a reason, and not repeated', (text, reason) => {
  expect(() => parseBaseUrl(text)).toThrow(reason)
  expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/)
})
