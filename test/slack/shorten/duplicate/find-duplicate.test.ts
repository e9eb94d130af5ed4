import { expect, test } from 'vitest'
import type { Shortlink } from '../../../../src/contract/shortlink.ts'
import { ApiError } from '../../../../src/client/errors.ts'
import { NetworkError } from '../../../../src/client/errors.ts'
import { findDuplicate } from '../../../../src/slack/shorten/duplicate/find-duplicate.ts'
import type { LinkService } from '../../../../src/slack/links/link-service.ts'
import { NO_LINK_SERVICE } from '../../../support/platform.ts'

const WORKSPACE = { id: 'T1' }
const REQUEST = { destination_url: 'https://example.com/page#part', domain: 'dom_2' }

const link = (more: Partial<Shortlink> = {}): Shortlink => ({
  name: 'lnk_1',
  destination_url: 'https://example.com/page#part',
  shortlink_url: 'https://two.example/x',
  ...more,
})

const conflict = (details: Record<string, unknown> = {}): ApiError =>
  new ApiError({
    status: 409,
    message: 'Conflict.',
    code: 'CONFLICT',
    details,
    fieldMessages: {},
  })

/** The link service of a workspace with two domains. */
function serviceWith(list: LinkService['list']): LinkService {
  return {
    ...NO_LINK_SERVICE,
    connection: () =>
      Promise.resolve({
        apiKey: 'key',
        source: 'connected',
        domains: [
          { name: 'dom_1', domain_name: 'one.example' },
          { name: 'dom_2', domain_name: 'TWO.example' },
        ],
      }),
    list,
  }
}

/** A service whose newest links are these. */
const listing = (...links: Shortlink[]): LinkService =>
  serviceWith(async () => ({ links, skipped: 0, page: 1, perPage: 100, hasNext: false }))

test('returns one of the newest links if destination, fragment and domain match', async () => {
  const wanted = link({ name: 'wanted', destination_url: 'https://EXAMPLE.com/page#part' })
  const newest = listing(
    link({ destination_url: 'https://example.com/page' }),
    link({ shortlink_url: 'https://one.example/x' }),
    wanted,
  )
  expect(await findDuplicate(newest, conflict(), WORKSPACE, REQUEST)).toEqual(wanted)
})

test.each([
  ['another failure', new NetworkError('ECONNRESET', { reached: true })],
  ['a conflict that may be about the back-half', conflict()],
])('returns nothing for %s', async (_name, error) => {
  const request = { ...REQUEST, back_half: 'mine' }
  expect(await findDuplicate(listing(link()), error, WORKSPACE, request)).toBeUndefined()
})

test('returns nothing if the service is slow to list its links', async () => {
  const slow = serviceWith(
    (_workspace, _query, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  expect(await findDuplicate(slow, conflict(), WORKSPACE, REQUEST, { withinMs: 5 })).toBeUndefined()
})

test('accepts any domain if the deployment’s configuration names no hostname', async () => {
  const service = listing(link({ shortlink_url: 'https://anywhere.example/x' }))
  const configured: LinkService = {
    ...service,
    connection: async (workspace) => ({
      ...(await service.connection(workspace)),
      source: 'configured',
    }),
  }
  expect(await findDuplicate(service, conflict(), WORKSPACE, REQUEST)).toBeUndefined()
  expect(await findDuplicate(configured, conflict(), WORKSPACE, REQUEST)).toMatchObject({
    shortlink_url: 'https://anywhere.example/x',
  })
})
