import { expect, test } from 'vitest'
import { LIST_PATH } from '../../src/contract/endpoints.ts'
import { failure, type Answer } from '../support/fake-link-service.ts'
import {
  CREATED,
  DUPLICATE,
  errorOf,
  inTurn,
  LINK,
  startTestClient,
  testClientForAll,
} from '../support/test-client.ts'

/*
 * The response to a create is lost, so the client does not know whether the service created the link. The service
 * ignores the idempotency key. The Date header of its lists tells its time.
 */

const { client, service, create } = await testClientForAll()

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString()

/** How many creates the service received. */
const creates = (): number => service.received.filter(({ method }) => method === 'POST').length

/** A link to another destination. */
const OTHER = { ...LINK, destination_url: 'https://example.com/other' }

const LOST: [string, Answer | 'destroy'][] = [
  ['a reset', 'destroy'],
  ['a 500', { status: 500, body: '' }],
  ['a 502', { status: 502, body: '' }],
  ['a 504', { status: 504, body: '' }],
  ['a success that can’t be read', { status: 200, body: 'Done!' }],
]

test.each(LOST)('after %s, finds its own link and sends nothing again', async (_, lost) => {
  service.answers(
    inTurn(
      [lost],
      [
        { ...LINK, created_at: ago(0) },
        { ...OTHER, name: 'sl_0' },
      ],
    ),
  )
  expect(await create()).toMatchObject(LINK)
  expect(creates()).toBe(1)
  expect(service.received.at(-1)?.url).toBe(
    `/prefix${LIST_PATH}?page=1&per_page=20&sort_by=most_recent&order=desc`,
  )
})

test('after a timeout, finds its own link and sends nothing again', async () => {
  const impatient = await startTestClient({ headersTimeoutMs: 300 })
  impatient.service.answers(({ url }) =>
    url.includes(LIST_PATH) ? { status: 200, body: [{ ...LINK, created_at: ago(0) }] } : 'hang',
  )
  expect(await impatient.create()).toMatchObject(LINK)
  const methods = impatient.service.received.map(({ method }) => method)
  expect(methods).toEqual(['POST', 'GET'])
  await impatient.close()
})

test.each(LOST.filter(([what]) => ['a reset', 'a 502'].includes(what)))(
  'sends the create again after %s if the list shows that it created no link',
  async (_, lost) => {
    const older = { ...LINK, created_at: ago(60) }
    service.answers(inTurn([lost, CREATED], [older]))
    expect(await create()).toEqual(LINK)
    const keys = service.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['key-1', undefined, 'key-1'])
  },
)

test.each(LOST.filter(([what]) => !['a reset', 'a 502'].includes(what)))(
  'does not send the create again after %s, even if there is no link yet',
  async (_, lost) => {
    service.answers(inTurn([lost, CREATED]))
    expect(await errorOf(create())).toMatchObject({ mayHaveHappened: true })
    expect(creates()).toBe(1)
  },
)

test.each<[string, () => Answer]>([
  ['the key can’t list links', () => failure(403, 'PERMISSION_DENIED')],
  ['the list can’t be read', () => ({ status: 200, body: 'Links: none' })],
  ['an item of the list can’t be read', () => ({ status: 200, body: [{ destination_url: 'x' }] })],
  [
    'the newest links are not first',
    () => ({
      status: 200,
      body: [60, 30].map((seconds) => ({ ...OTHER, created_at: ago(seconds) })),
    }),
  ],
])('does not send the create again if %s', async (_, list) => {
  service.answers(({ url }) => (url.includes(LIST_PATH) ? list() : 'destroy'))
  const uncertain = { name: 'NetworkError', mayHaveHappened: true }
  expect(await errorOf(create())).toMatchObject(uncertain)
  expect(creates()).toBe(1)
})

test.each([
  ['if the service does not say when it was created', () => ({})],
  ['if it was created just before', () => ({ created_at: ago(3) })],
])('throws the link to the same destination %s', async (_, created) => {
  service.answers(inTurn(['destroy', CREATED], [{ ...LINK, ...created() }]))
  const failure = { kind: 'uncertain', link: LINK }
  expect(await errorOf(create())).toMatchObject({ failure, mayHaveHappened: true })
  expect(creates()).toBe(1)
})

test.each([
  ['has another title', { title: 'Created elsewhere' }],
  ['has no QR code', { qr_code_enabled: false }],
  ['has another back-half', { shortlink_url: 'https://go.example.com/other' }],
  ['is on another domain', { shortlink_url: 'https://other.example/spring' }],
  ['has a preview', { is_custom_preview: true }],
])('does not take a new link as its own that %s', async (_, more) => {
  const other = { ...LINK, shortlink_url: 'https://go.example.com/spring', ...more }
  service.answers(inTurn(['destroy', DUPLICATE], [{ ...other, created_at: ago(0) }]))
  const request = { back_half: 'spring', title: 'Spring', qr_code_enabled: true }
  const call = client.create(
    { destination_url: LINK.destination_url, domain: 'dom_1', ...request },
    { idempotencyKey: 'key-1', isOnDomain: ({ host }) => host === 'go.example.com' },
  )
  expect(await errorOf(call)).toMatchObject({ status: 409 })
})

test('finds a link on the second page', async () => {
  const other = { ...OTHER, created_at: ago(0) }
  const full = Array.from({ length: 20 }, () => other)
  const own = { ...LINK, created_at: ago(0) }
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return 'destroy'
    return { status: 200, body: url.includes('page=2&') ? [own, other] : full }
  })
  expect(await create()).toMatchObject(LINK)
})

test('asks for a smaller page if the service refuses the size', async () => {
  const own = { ...LINK, created_at: ago(0) }
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return 'destroy'
    return url.includes('per_page=10&') ? { status: 200, body: [own] } : failure(422, 'X')
  })
  expect(await create()).toMatchObject(LINK)
  expect(creates()).toBe(1)
})

test('gives up after three pages of links that were all created since', async () => {
  let pages = 0
  const full = Array.from({ length: 20 }, () => ({ ...OTHER, created_at: ago(0) }))
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return 'destroy'
    pages++
    return { status: 200, body: full }
  })
  expect(await errorOf(create())).toMatchObject({ name: 'NetworkError' })
  expect(creates()).toBe(1)
  expect(pages % 3).toBe(0)
})

test.each([
  ['frühling', 'https://go.example.com/fr%C3%BChling'],
  ['@us+you', 'https://go.example.com/@us+you'],
  ['100%', 'https://go.example.com/path/100%'],
])('finds the link with the requested back-half %s', async (back_half, url) => {
  const link = { ...LINK, created_at: ago(0) }
  service.answers(inTurn(['destroy'], [link, { ...link, shortlink_url: url }]))
  expect(await create({ back_half })).toMatchObject({ shortlink_url: url })
})

test('finds its own link after a 409 for the second attempt', async () => {
  let lists = 0
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return creates() === 1 ? 'destroy' : DUPLICATE
    return { status: 200, body: ++lists === 1 ? [] : [{ ...LINK, created_at: ago(0) }] }
  })
  expect(await create()).toMatchObject(LINK)
})

test('throws a 409 after a failure that certainly created no link', async () => {
  service.answers(inTurn([{ status: 503, body: '' }, DUPLICATE], [LINK]))
  expect(await errorOf(create())).toMatchObject({ status: 409 })
})
