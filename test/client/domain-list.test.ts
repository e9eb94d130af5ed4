import { expect, test } from 'vitest'
import { readDomains } from '../../src/client/domain-list.ts'
import { ResponseShapeError } from '../../src/client/errors.ts'
import type { HttpResponse } from '../../src/client/transport.ts'

const response = (json: unknown): HttpResponse => ({
  status: 200,
  header: () => undefined,
  text: JSON.stringify(json),
})
const record = (index: number) => ({ name: `dom_${index}`, domain_name: `${index}.example.com` })
const records = (count: number) => Array.from({ length: count }, (_, index) => record(index))

test('reads domain records, and ignores everything else', () => {
  const domains = [{ ...record(1), more: true }, { name: 'dom_2' }, null, record(3)]
  expect(readDomains(response({ data: { domains } })).domains).toEqual([record(1), record(3)])
})

test.each([
  '<!channel>',
  ' ',
  'go.example.com/path',
  'user@go.example.com',
  'a b',
  'x\n.example.com',
  ':',
])(
  'ignores a record whose hostname is %j, because it is shown in menus and messages',
  (domain_name) => {
    const domains = [record(1), { name: 'dom_2', domain_name }]
    expect(readDomains(response({ data: { domains } })).domains).toEqual([record(1)])
  },
)

test.each(['localhost:3001', '[::1]:3001', 'münchen.example', 'GO.example.com'])(
  'reads a record whose hostname is %j',
  (domain_name) => {
    const domains = [{ name: 'dom_1', domain_name }]
    expect(readDomains(response({ data: { domains } })).domains).toEqual(domains)
  },
)

test('reads the first of several records with one name, because a menu holds each value once', () => {
  const domains = [record(1), { ...record(1), domain_name: 'other.example.com' }, record(2)]
  expect(readDomains(response({ data: { domains } })).domains).toEqual([record(1), record(2)])
})

test.each([
  ['all of them', records(100), { total_items: 100 }, false],
  ['a part of them', records(100), { total_items: 101 }, true],
  ['too many at once', records(101), undefined, true],
  ['no totals', records(2), 'none', false],
])('says whether there are more: %s', (_name, domains, pagination, hasMore) => {
  const list = readDomains(response({ data: { domains, pagination } }))
  expect(list.domains).toEqual(domains.slice(0, 100))
  expect(list.hasMore).toBe(hasMore)
})

test.each([{}, { data: [] }, { data: { domains: {} } }, null])('rejects %j', (json) => {
  expect(() => readDomains(response(json))).toThrow(ResponseShapeError)
})
