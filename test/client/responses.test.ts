import { expect, test } from 'vitest'
import { ResponseShapeError } from '../../src/client/errors.ts'
import { parseJson, readCreatedLink, readJson } from '../../src/client/responses.ts'
import type { HttpResponse } from '../../src/client/transport.ts'

const LINK = {
  name: 'a',
  destination_url: 'https://a.example/',
  shortlink_url: 'https://s.example/a',
}

function response(text: string, contentType = 'application/json'): HttpResponse {
  return {
    status: 200,
    text,
    header: (name) => (name === 'content-type' ? contentType : undefined),
  }
}

const created = (shortlink: unknown): HttpResponse =>
  response(JSON.stringify({ data: { status: 'ok', shortlink } }))

test('reads a link whose optional members are null or of another type', () => {
  expect(readCreatedLink(created({ ...LINK, title: null, qr_code_enabled: 'yes' }))).toEqual(LINK)
  expect(readCreatedLink(created({ ...LINK, title: 'A', owner: 'x' }))).toEqual({
    ...LINK,
    title: 'A',
  })
})

test.each(['name', 'destination_url', 'shortlink_url'])('rejects a link without %s', (name) => {
  expect(() => readCreatedLink(created({ ...LINK, [name]: undefined }))).toThrow(
    new ResponseShapeError(200, 'JSON without a shortlink'),
  )
})

test('says whether a response is HTML or invalid JSON', () => {
  expect(() => readJson(response('<h1>', 'text/html; charset=utf-8'))).toThrow(
    'HTML instead of JSON',
  )
  expect(() => readJson(response('{"data":'))).toThrow('invalid JSON')
})

test('removes a secret from every string', () => {
  expect(parseJson('{"a":"key hunter2!","b":["hunter2"],"c":2}', 'hunter2')).toEqual({
    a: 'key [API key]!',
    b: ['[API key]'],
    c: 2,
  })
})
