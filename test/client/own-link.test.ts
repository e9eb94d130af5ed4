import { afterEach, beforeEach, expect, test } from 'vitest'
import { LIST_PATH } from '../../src/contract/endpoints.ts'
import {
  answersInTurn,
  DUPLICATE,
  failureOf,
  LINK,
  refusal,
  startClientElsewhere,
  type ClientElsewhere,
} from '../support/client-elsewhere.ts'
import type { Answer, ForeignService } from '../support/fake-link-service.ts'

let elsewhere: ClientElsewhere
let service: ForeignService

beforeEach(async () => {
  elsewhere = await startClientElsewhere()
  service = elsewhere.service
})
afterEach(() => elsewhere.close())

const LOST: [string, Answer | 'destroy'][] = [
  ['a reset', 'destroy'],
  ['a 502', { status: 502, body: '' }],
  ['a 504', { status: 504, body: '' }],
]

test.each(LOST)(
  'after %s, a 409 is our own first try: the newest links have it',
  async (_, lost) => {
    const older = { ...LINK, name: 'sl_0', destination_url: 'https://example.com/other' }
    service.answers(answersInTurn([lost, DUPLICATE], [older, LINK]))
    expect(await elsewhere.create()).toEqual(LINK)
    expect(service.received.at(-1)?.url).toBe(
      `/prefix${LIST_PATH}?page=1&per_page=20&sort_by=most_recent&order=desc`,
    )
  },
)

test('after a time-out as well', async () => {
  let creates = 0
  service.answers(async ({ url }) => {
    if (url.includes(LIST_PATH)) return { status: 200, body: [LINK] }
    if (++creates === 1) await new Promise(() => undefined)
    return DUPLICATE
  })
  expect(await elsewhere.create()).toEqual(LINK)
})

test('the 409 itself may show our own link', async () => {
  const shown = refusal(409, { message: 'Conflict.', code: 'X', details: { shortlink: LINK } })
  service.answers(answersInTurn(['destroy', shown]))
  expect(await elsewhere.create()).toEqual(LINK)
  expect(service.received.length).toBe(2)
})

test('a link further down is found, but the search ends', async () => {
  const other = { ...LINK, destination_url: 'https://example.com/other' }
  const full = Array.from({ length: 20 }, () => other)
  let pages = 0
  service.answers(({ url }) => {
    if (!url.includes(LIST_PATH)) return service.received.length === 1 ? 'destroy' : DUPLICATE
    pages++
    return { status: 200, body: full }
  })
  expect(await failureOf(elsewhere.create())).toMatchObject({ status: 409 })
  expect(pages).toBe(3)
})

test.each([
  ['frühling', 'https://go.example.com/fr%C3%BChling'],
  ['@us+you', 'https://go.example.com/@us+you'],
  ['100%', 'https://go.example.com/path/100%'],
])('where the back-half %s was sent, ours is the link that has it', async (back_half, url) => {
  const conflict = refusal(409, { message: 'Taken.', code: 'BACK_HALF_CONFLICT' })
  const ours = { ...LINK, shortlink_url: url }
  service.answers(answersInTurn(['destroy', conflict], [LINK, ours]))
  expect(await elsewhere.create({ back_half })).toEqual(ours)
})

test('where a back-half was sent, a link with another one is not ours', async () => {
  const shown = refusal(409, { message: 'Conflict.', code: 'X', details: { shortlink: LINK } })
  service.answers(answersInTurn(['destroy', shown], [LINK]))
  expect(await failureOf(elsewhere.create({ back_half: 'spring' }))).toMatchObject({ status: 409 })
})

test('a 409 at the first try is never taken for our own link', async () => {
  service.answers(answersInTurn([DUPLICATE], [LINK]))
  expect(await failureOf(elsewhere.create())).toMatchObject({ status: 409 })
  expect(service.received.length).toBe(1)
})

test('a 409 after a failure that made no link is not ours either', async () => {
  service.answers(answersInTurn([{ status: 503, body: '' }, DUPLICATE], [LINK]))
  expect(await failureOf(elsewhere.create())).toMatchObject({ status: 409 })
})

test('where the key may not list, the 409 is the answer', async () => {
  let creates = 0
  service.answers(({ url }) => {
    if (url.includes(LIST_PATH)) return refusal(403, { message: 'No.', code: 'X' })
    return ++creates === 1 ? 'destroy' : DUPLICATE
  })
  expect(await failureOf(elsewhere.create())).toMatchObject({ status: 409 })
})
