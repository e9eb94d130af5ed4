import { expect, test } from 'vitest'
import { parseBaseUrl } from '../../src/contract/endpoints.ts'

test.each([
  ['https://links.example.com', 'https://links.example.com'],
  ['https://links.example.com/', 'https://links.example.com'],
  ['http://localhost:3001/', 'http://localhost:3001'],
  ['https://example.com/links/v2//', 'https://example.com/links/v2'],
])('removes the trailing slashes of %s', (text, base) => {
  expect(parseBaseUrl(text)).toBe(base)
})

test.each([
  ['links.example.com', /http/],
  ['ftp://links.example.com', /http/],
  ['', /http/],
  ['https://user:hunter2@example.com', /password/],
  ['https://example.com/?key=hunter2', /\?/],
  ['https://example.com/#hunter2', /#/],
])('rejects “%s” with a reason that does not repeat it', (text, reason) => {
  expect(() => parseBaseUrl(text)).toThrow(reason)
  expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/)
})
