import { expect, test } from 'vitest'
import type { ListedLink } from '../../../src/client/link-client.ts'
import { NO_OFFERS } from '../../../src/contract/offers.ts'
import { findNamedLink } from '../../../src/slack/links/find-link.ts'
import type { StoredLink } from '../../../src/workspaces/made-links.ts'
import { NO_LINK_SERVICE } from '../../support/platform.ts'

const domains = ['go.example.com', 'x.example.com'].map((name) => ({ name, domain_name: name }))

/** A service with 250 links that can’t search, and our record of one of them. */
function setUp(record?: Partial<StoredLink>) {
  const all = Array.from({ length: 250 }, (_, number): ListedLink => ({
    name: `lnk_${number}`,
    destination_url: `https://example.com/${number}`,
    shortlink_url: `https://go.example.com/b${number}`,
    clicks: number,
  }))
  const queries: unknown[] = []
  const parts = {
    madeLinks: {
      find: async (_workspaceId: string, _shortUrl: string) => record as StoredLink | undefined,
    },
    linkService: {
      ...NO_LINK_SERVICE,
      connection: async () => ({ apiKey: 'key-1', domains, source: 'connected' as const }),
      offers: async () => NO_OFFERS,
      list: async (
        _workspace: unknown,
        { page = 1, per_page: perPage = 10 }: { page?: number; per_page?: number },
      ) => {
        queries.push([page, perPage])
        const links = all.slice((page - 1) * perPage, page * perPage)
        return { links, skipped: 0, page, perPage, hasNext: page * perPage < all.length }
      },
    },
  }
  return {
    queries,
    parts,
    find: (text: string, counts = false) =>
      findNamedLink(parts, { id: 'T1' }, { command: 'clicks', text }, { counts }),
  }
}

test('searches the pages of the list if the service can’t search', async () => {
  const { find, queries } = setUp()
  expect(await find('http://go.example.com/b203/')).toMatchObject({ name: 'lnk_203', clicks: 203 })
  expect(queries).toEqual([
    [1, 100],
    [2, 100],
    [3, 100],
  ])
})

test('finds a link by its back-half alone on any domain', async () => {
  expect(await setUp().find('b203')).toMatchObject({ name: 'lnk_203' })
  await expect(setUp().find('b999')).rejects.toThrow('Backhalf can’t find b999 among')
})

test('names the links if several have the same back-half', async () => {
  const { find, parts } = setUp()
  parts.madeLinks.find = async (_workspace, url) => ({ name: url }) as StoredLink
  await expect(find('spring')).rejects.toThrow(
    '2 short links have this back-half: https://go.example.com/spring, https://x.example.com/spring. Type one of them.',
  )
})

test.each(['', 'a b', 'https://go.example.com'])(
  'says what to type instead of “%s”',
  async (text) => {
    await expect(setUp().find(text)).rejects.toThrow('Type one short link or its back-half after')
  },
)
