import { expect, test } from 'vitest'
import { z } from 'zod'
import { receivedListedLink } from '../../src/port/links.ts'
import { ResponseShapeError } from '../../src/port/failures.ts'
import { isWithinLimits, parseJson, readAs } from '../../src/client/json.ts'

const LINK = {
  name: 'a',
  destination_url: 'https://a.example/',
  shortlink_url: 'https://s.example/a',
}

function read(shortlink: unknown) {
  const text = JSON.stringify({ data: { status: 'ok', shortlink } })
  const schema = z.object({ data: z.object({ shortlink: receivedListedLink }) })
  return readAs(schema, { status: 200, text, header: () => undefined }).data.shortlink
}

test.each(['name', 'destination_url', 'shortlink_url'])('rejects a link without %s', (name) => {
  expect(() => read({ ...LINK, [name]: undefined })).toThrow(
    new ResponseShapeError(200, `JSON without a readable data.shortlink.${name}`),
  )
})

test.each([
  ['objects', `[${'{},'.repeat(349_000)}{}]`],
  ['nested arrays', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ['nested objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ['numbers', `[${'1,'.repeat(500_000)}1]`],
])('does not parse a megabyte of %s', (_what, text) => {
  expect(parseJson(text)).toBeUndefined()
})

test('parses a megabyte of text, whatever it contains', () => {
  const text = '[{,}]"\\'.repeat(150_000)
  expect(parseJson(JSON.stringify({ text, more: [1] }))).toEqual({ text, more: [1] })
})

test('drops optional texts that are too long, and rejects links with a required text that is too long', () => {
  const long = 'x'.repeat(100_000)
  expect(read({ ...LINK, title: long, preview_title: long })).toEqual(LINK)
  for (const name of ['name', 'destination_url', 'shortlink_url'] as const) {
    expect(() => read({ ...LINK, [name]: LINK[name] + long })).toThrow(
      `JSON without a readable data.shortlink.${name}`,
    )
  }
})

test.each([
  ['[1,2],{"c":null},', 5],
  ['"[[[{{{,,,",', 1],
  ['["\\"[[,", "\\\\", 3],', 4],
])('counts the values of %s', (text, values) => {
  const most = Math.floor(49_998 / values)
  expect(isWithinLimits(`[${text.repeat(most)}0]`)).toBe(true)
  expect(isWithinLimits(`[${text.repeat(most + 1)}0]`)).toBe(false)
})

test('rejects a document that is nested too deep', () => {
  expect(isWithinLimits('['.repeat(60) + ']'.repeat(60))).toBe(true)
  expect(isWithinLimits('['.repeat(61) + ']'.repeat(61))).toBe(false)
})
