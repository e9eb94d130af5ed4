import { expect, test } from 'vitest'
import type { Shortlink } from '../../src/contract/shortlink.ts'
import { ApiError } from '../../src/client/errors/api-error.ts'
import { NetworkError } from '../../src/client/errors/network-error.ts'
import { createExistingLinks } from '../../src/slack/existing-links.ts'
import type { Links } from '../../src/slack/links.ts'

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

/** A workspace with two domains, whose newest links are these. */
function links(list: Links['list']): Links {
  return {
    connection: () =>
      Promise.resolve({
        apiKey: 'key',
        source: 'connected',
        domains: [
          { name: 'dom_1', domain_name: 'one.example' },
          { name: 'dom_2', domain_name: 'TWO.example' },
        ],
      }),
    create: () => Promise.reject(new Error('not asked for')),
    list,
  }
}

const listing = (...listed: Shortlink[]): Links =>
  links(() => Promise.resolve({ links: listed, skipped: 0, page: 1, perPage: 100, hasNext: false }))

test('what the service shows counts, and nothing is looked for', async () => {
  const silent = links(() => Promise.reject(new Error('not asked for')))
  const shortlink = link()
  expect(
    await createExistingLinks({ links: silent }).behind(
      conflict({ shortlink }),
      WORKSPACE,
      REQUEST,
    ),
  ).toEqual(shortlink)
})

test('among the newest links, destination, fragment and domain all count', async () => {
  const wanted = link({ name: 'wanted', destination_url: 'https://EXAMPLE.com/page#part' })
  const newest = listing(
    link({ destination_url: 'https://example.com/page' }),
    link({ shortlink_url: 'https://one.example/x' }),
    wanted,
  )
  const found = await createExistingLinks({ links: newest }).behind(conflict(), WORKSPACE, REQUEST)
  expect(found).toEqual(wanted)
})

test.each([
  ['another failure', new NetworkError('ECONNRESET', { reached: true })],
  ['a conflict that may be about the back-half', conflict()],
])('%s is not about the destination', async (_name, error) => {
  const request = { ...REQUEST, back_half: 'mine' }
  const shown = await createExistingLinks({ links: listing(link()) }).behind(
    error,
    WORKSPACE,
    request,
  )
  expect(shown).toBeUndefined()
})

test('a service that is slow to list is not waited for', async () => {
  const slow = links(
    (_workspace, _query, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  const existing = createExistingLinks({ links: slow, withinMs: 5 })
  expect(await existing.behind(conflict(), WORKSPACE, REQUEST)).toBeUndefined()
})
