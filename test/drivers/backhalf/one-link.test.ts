import { expect, test } from 'vitest'
import {
  failure,
  oneLink,
  success,
  WHOLE_LINK,
  type Answer,
} from '../../support/fake-link-service.ts'
import { API_KEY, errorOf, LINK, testClientForAll } from '../../support/test-client.ts'

const { service, client } = await testClientForAll()

const PATH = '/prefix/api/v1/shortlinks/sl_1'
const NOT_FOUND = failure(404, 'NOT_FOUND')
const STALE = failure(412, 'PRECONDITION_FAILED')

const SHOWN = { ...WHOLE_LINK, ...LINK, back_half: 'Ab3dE9x' }

/** The response of a service that shows the link with its revision. */
const shown = (more: object = {}, etag?: string): Answer => oneLink({ ...SHOWN, ...more }, etag)

/** Responds to each request with the next of these. */
function answers(edits: (Answer | 'destroy')[]): void {
  service.answers(() => edits.shift() ?? { status: 418, body: 'unexpected' })
}

const methods = (): string[] => service.received.map(({ method }) => method)

test('reads a link with everything that the service shows about it', async () => {
  const more = { expires_at: '2027-01-01T00:00:00.000Z', utm_source: 'poster', enabled: false }
  service.answers(() => shown({ ...more, owner: 'dropped' }))
  expect(await client.get('sl_1')).toEqual({
    link: { ...SHOWN, ...more },
    etag: '"2"',
  })
  expect(service.received).toMatchObject([
    { method: 'GET', url: PATH, headers: { 'x-api-key': API_KEY } },
  ])
})

test.each([
  ['W/"2"', '"2"'],
  ['two', undefined],
  [`"${'2'.repeat(500)}"`, undefined],
])('reads the tag %s as %s', async (etag, read) => {
  service.answers(() => shown({}, etag))
  expect((await client.get('sl_1')).etag).toBe(read)
})

test.each([404, 410])('throws the failure “gone” after a %i', async (status) => {
  service.answers(() => failure(status, 'NOT_FOUND', { message: 'No such link.' }))
  const gone = { failure: { kind: 'gone' }, status, message: 'No such link.' }
  expect(await errorOf(client.get('sl_1'))).toMatchObject(gone)
  service.answers(() => ({ status, body: '<h1>A page of a proxy</h1>' }))
  expect(await errorOf(client.get('sl_1'))).not.toMatchObject({ failure: { kind: 'gone' } })
})

test.each(['', '.', '..'])('asks for no link with the name “%s”', async (name) => {
  expect(await errorOf(client.remove(name))).toMatchObject({ failure: { kind: 'gone' } })
  expect(service.received).toEqual([])
})

test('escapes a name in the path', async () => {
  service.answers(() => shown())
  await client.get('a/../b?c#d é\ud800')
  expect(service.received[0]?.url).toBe(
    '/prefix/api/v1/shortlinks/a%2F..%2Fb%3Fc%23d%20%C3%A9%EF%BF%BD',
  )
})

test('sends a change as a form, with the tag of the link as it was read', async () => {
  answers([shown({ title: 'New' }, '"3"')])
  const changes = { title: 'New', utm_source: '', enabled: false, preview_image: '' as const }
  expect(await client.update('sl_1', changes, { etag: '"2"' })).toEqual({
    link: { ...SHOWN, title: 'New' },
    etag: '"3"',
  })
  const [received] = service.received
  expect(received).toMatchObject({
    method: 'PATCH',
    url: PATH,
    headers: {
      'if-match': '"2"',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
    },
  })
  expect(received?.body.match(/name="[^"]+"\r\n\r\n.*/g)).toEqual([
    'name="utm_source"\r\n\r\n',
    'name="title"\r\n\r\nNew',
    'name="preview_image"\r\n\r\n',
    'name="enabled"\r\n\r\nfalse',
  ])
})

test.each([{ destination_url: '' }, { domain: '' }, { back_half: '' }])(
  'does not send %j, which can’t be cleared',
  async (changes) => {
    await expect(client.update('sl_1', changes)).rejects.toThrow(/too_small/)
    expect(service.received).toEqual([])
  },
)

test('throws the failure “changed” if the link has changed since it was read', async () => {
  answers([STALE])
  const call = client.update('sl_1', { title: 'New' }, { etag: '"1"' })
  expect(await errorOf(call)).toMatchObject({ failure: { kind: 'changed' } })
  expect(methods()).toEqual(['PATCH'])
})

const LOST: [string, Answer | 'destroy'][] = [
  ['a reset', 'destroy'],
  ['a 502', { status: 502, body: '' }],
  ['a 504', { status: 504, body: '' }],
]

test.each(LOST)('sends a change again after %s', async (_, lost) => {
  answers([lost, shown({ title: 'New' })])
  expect(await client.update('sl_1', { title: 'New' }, { etag: '"1"' })).toMatchObject({
    link: { title: 'New' },
  })
  expect(service.received.map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"1"'])
})

test.each([...LOST, ['a success that can’t be read', { status: 200, body: 'Done!' }] as const])(
  'says that a change might have been made after %s',
  async (name, lost) => {
    answers([lost, STALE])
    const call = client.update('sl_1', { title: 'New' }, { etag: '"1"' })
    expect(await errorOf(call)).toMatchObject({ mayHaveHappened: true, call: 'update' })
    expect(methods()).toEqual(name.startsWith('a success') ? ['PATCH'] : ['PATCH', 'PATCH'])
  },
)

test('says that a change might have been made if every response gets lost', async () => {
  service.answers(() => 'destroy')
  const lost = { name: 'NetworkError', mayHaveHappened: true }
  expect(await errorOf(client.update('sl_1', { title: 'New' }))).toMatchObject(lost)
  // The operation allows three retries.
  expect(methods()).toEqual(['PATCH', 'PATCH', 'PATCH', 'PATCH'])
})

test('deletes a link', async () => {
  answers([success({})])
  await client.remove('sl_1', { etag: '"2"' })
  expect(service.received).toMatchObject([
    { method: 'DELETE', url: PATH, headers: { 'if-match': '"2"' } },
  ])
})

test('does not take the page of a proxy as a deletion', async () => {
  answers([{ status: 200, body: '<h1>Sign in</h1>' }])
  const unreadable = { name: 'ResponseShapeError', mayHaveHappened: true }
  expect(await errorOf(client.remove('sl_1'))).toMatchObject(unreadable)
})

test('throws the failure “gone” if the link was gone before', async () => {
  answers([{ status: 503, body: '' }, NOT_FOUND])
  expect(await errorOf(client.remove('sl_1'))).toMatchObject({ failure: { kind: 'gone' } })
})

test.each(LOST)('takes a 404 after %s as its own deletion', async (_, lost) => {
  answers([lost, NOT_FOUND])
  await client.remove('sl_1', { etag: '"2"' })
  expect(methods()).toEqual(['DELETE', 'DELETE'])
})

test('says that a link might have been deleted if the second deletion returns 412', async () => {
  answers(['destroy', STALE])
  const call = client.remove('sl_1', { etag: '"2"' })
  expect(await errorOf(call)).toMatchObject({ name: 'NetworkError', mayHaveHappened: true })
})

test('says that a link might have been deleted if that is unknown', async () => {
  answers([{ status: 500, body: '' }])
  const failed = { status: 500, mayHaveHappened: true, call: 'remove' }
  expect(await errorOf(client.remove('sl_1', { etag: '"2"' }))).toMatchObject(failed)
  expect(methods()).toEqual(['DELETE'])
})

const CLICKS = {
  from: '2026-03-01',
  to: '2026-03-02',
  total_people: 5,
  total_bots: 1,
  all_time_people: 50,
  days: [
    { date: '2026-03-01', people: 5, bots: 1 },
    { date: '2026-03-02', people: 0, bots: 0 },
  ],
  referrers: [{ host: 'news.example', people: 3 }],
}

test('asks for the clicks of a link, and for the tags of all links', async () => {
  const tags = [{ name: 'Spring sale', links: 3 }]
  service.answers(() => success({ clicks: CLICKS, tags }))
  expect(await client.clicks('sl_1')).toEqual(CLICKS)
  expect(await client.tags()).toEqual(tags)
  expect(service.received.map(({ method, url }) => [method, url])).toEqual([
    ['GET', `${PATH}/clicks`],
    ['GET', '/prefix/api/v1/tags'],
  ])
})

const REPORT = {
  from: '2026-03-01',
  to: '2026-03-02',
  previous_from: '2026-02-27',
  previous_to: '2026-02-28',
  group_by: 'utm_source',
  total_people: 5,
  previous_people: 4,
  days: CLICKS.days.map(({ date, people }) => ({ date, people })),
  groups: [{ name: '', label: '', people: 5, previous_people: 4, days: [5, 0] }],
  has_more: false,
}

test('asks for a report; several tags are one text, and an empty text asks for links without a value', async () => {
  service.answers(() => success({ report: { ...REPORT, note: 'dropped' } }))
  expect(await client.report()).toEqual(REPORT)
  await client.report({ from: REPORT.from, utm_campaign: '', tag: ['Spring sale', 'print'] })
  await client.report({ group_by: 'link', limit: 5, tag: [], creator: undefined })
  expect(service.received.map(({ method, url }) => [method, url])).toEqual([
    ['GET', '/prefix/api/v1/reports'],
    ['GET', '/prefix/api/v1/reports?from=2026-03-01&utm_campaign=&tag=Spring+sale%2Cprint'],
    ['GET', '/prefix/api/v1/reports?group_by=link&limit=5&tag='],
  ])
})

test('reads the largest report', async () => {
  const days = Array.from({ length: 366 }, () => ({ date: '2026-03-01', people: 123_456_789 }))
  const text = 'ü'.repeat(1_000)
  const group = { ...REPORT.groups[0], name: text, label: text, days: days.map(() => 123_456) }
  const largest = { ...REPORT, days, groups: Array<object>(100).fill(group) }
  service.answers(() => success({ report: largest }))
  expect(await client.report({ group_by: 'link', limit: 100 })).toEqual(largest)
})

const record = (index: number) => ({ name: `dom_${index}`, domain_name: `${index}.example.com` })

test.each([
  ['all of them', 2, false],
  ['a part of them', 101, true],
])('lists domain records, and says whether there are more: %s', async (_, total, hasMore) => {
  const domains = [record(1), record(2)]
  const pagination = { page: 1, per_page: 100, total_items: total, total_pages: 2 }
  service.answers(() => success({ domains, pagination }))
  expect(await client.listDomains()).toEqual({ domains, hasMore })
  expect(service.received[0]?.url).toBe('/prefix/api/v1/domains?per_page=100')
})

const [DAY] = CLICKS.days
const [HOST] = CLICKS.referrers
const [GROUP] = REPORT.groups
const LONG = 'x'.repeat(1_001)

test.each<[string, string, unknown]>([
  ['no link', 'shortlink', undefined],
  ['a link without its revision’s time', 'shortlink.updated_at', { ...SHOWN, updated_at: null }],
  ['an invalid color', 'shortlink.qr_code_color', { ...SHOWN, qr_code_color: '#1234567' }],
  ['negative clicks', 'clicks.total_people', { ...CLICKS, total_people: -1 }],
  ['too many days', 'clicks.days', { ...CLICKS, days: Array(367).fill(DAY) }],
  ['too many hosts', 'clicks.referrers', { ...CLICKS, referrers: Array(11).fill(HOST) }],
  ['a group without a name', 'report.groups.0.name', { ...REPORT, groups: [{}] }],
  ['too many groups', 'report.groups', { ...REPORT, groups: Array(101).fill(GROUP) }],
  ['an endless title', 'report.groups.0.title', { ...REPORT, groups: [{ ...GROUP, title: LONG }] }],
  ['too many tags', 'tags', Array(101).fill({ name: 'a', links: 1 })],
  ['an endless tag', 'tags.0.name', [{ name: LONG, links: 1 }]],
  ['no list of domain records', 'domains', {}],
])('throws a readable error if the response has %s', async (_, member, data) => {
  const [call = ''] = member.split('.')
  service.answers(() => success({ [call]: data }))
  const calls: Record<string, () => Promise<unknown>> = {
    shortlink: () => client.get('sl_1'),
    clicks: () => client.clicks('sl_1'),
    report: () => client.report(),
    tags: () => client.tags(),
    domains: () => client.listDomains(),
  }
  expect(await errorOf(Promise.resolve(calls[call]?.()))).toMatchObject({
    name: 'ResponseShapeError',
    message: `The link service responded with 200 and JSON without a readable data.${member}.`,
  })
})

/** Hostnames are shown in menus and messages. */
function listDomain(domain_name: string) {
  const pagination = { page: 1, per_page: 100, total_items: 1, total_pages: 1 }
  service.answers(() => success({ domains: [{ name: 'dom_1', domain_name }], pagination }))
  return client.listDomains()
}

test.each(['localhost:3001', '[::1]:3001', 'münchen.example', 'GO.example.com'])(
  'reads the hostname %s',
  async (host) =>
    expect(await listDomain(host)).toMatchObject({ domains: [{ domain_name: host }] }),
)

test.each([
  ...['<!channel>', ' ', 'go.example.com/path', 'user@go.example.com', 'a b'],
  ...['x\n.example.com', ':'],
])('does not read the hostname %j', async (host) => {
  expect(await errorOf(listDomain(host))).toMatchObject({ name: 'ResponseShapeError' })
})
