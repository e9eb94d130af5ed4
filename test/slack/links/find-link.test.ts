import { expect, test } from 'vitest'
import { failedCall } from '../../support/failed-call.ts'
import type { ListedLink } from '../../../src/port/links.ts'
import { createOperation } from '../../../src/port/operation.ts'
import { linkKey } from '../../../src/slack/block-kit/link-menu.ts'
import { findChosenLink, findNamedLink } from '../../../src/slack/links/find-link.ts'
import type { WorkspaceLinkService } from '../../../src/slack/links/links.ts'
import type { RecordedLink } from '../../../src/workspaces/created-links.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

const domains = ['go.example.com', 'x.example.com'].map((name) => ({ name, domain_name: name }))

/** The newest link first. */
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `l${index}`)

/**
 * A service that can’t search, with links of these names, and the pages that were asked for. The back-half of a link is
 * its name.
 *
 * @param most the largest page that it allows; it refuses others, or answers with pages of that size
 */
function serviceWith(
  all: readonly string[],
  { most = Infinity, refuses = true }: { most?: number; refuses?: boolean } = {},
) {
  const asked: string[] = []
  const linkService: WorkspaceLinkService = {
    ...NO_LINK_SERVICE,
    connection: async () => ({ apiKey: 'key-1', domains, source: 'connected' }),
    async list(_workspace, { page = 1, per_page = 10 }) {
      asked.push(`${page} of ${per_page}`)
      if (per_page > most && refuses) {
        throw failedCall({ status: 422, message: 'per_page is too large' })
      }
      const perPage = Math.min(per_page, most)
      const end = page * perPage
      const links = all.slice(end - perPage, end).map((name): ListedLink => ({
        name,
        destination_url: 'https://example.com/page',
        shortlink_url: `https://go.example.com/${name}`,
      }))
      return { links, skipped: 0, page, perPage, hasNext: end < all.length }
    },
  }
  const platform = fakePlatform({ linkService })
  return {
    asked,
    platform,
    /** Finds the link that was chosen on a page. */
    find: async (name: string, page: number) => {
      const chosen = { key: linkKey(name), position: `most_recent:desc:${page}` }
      const operation = createOperation(platform)
      return (await findChosenLink(platform, { workspace: { id: 'T1' } }, chosen, operation)).link
    },
    /** Finds the link that a command names. */
    findNamed: (text: string) =>
      findNamedLink(platform, { id: 'T1' }, { command: 'clicks', text }, {}),
  }
}

test('asks for one page if the link is still there', async () => {
  const { find, asked } = serviceWith(names(200))
  expect(await find('l15', 2)).toMatchObject({ name: 'l15' })
  expect(asked).toEqual(['2 of 10'])
})

test('finds a link after hundreds of new links, and on an earlier page after links were deleted', async () => {
  const { find, asked } = serviceWith(names(900))
  expect(await find('l512', 3)).toMatchObject({ name: 'l512' })
  expect(asked).toEqual(['3 of 10', ...[1, 2, 3, 4, 5, 6].map((page) => `${page} of 100`)])
  expect(await find('l20', 80)).toMatchObject({ name: 'l20' })
})

test.each([
  ['refuses', { most: 50 }],
  ['shortens', { most: 50, refuses: false }],
  ['refuses', { most: 10 }],
])('finds a link at a service that %s large pages: %j', async (_how, options) => {
  const { find } = serviceWith(names(200), options)
  expect(await find('l64', 1)).toMatchObject({ name: 'l64' })
  expect(await find('l99', 4)).toMatchObject({ name: 'l99' })
})

test('finds a name that is too long for a menu by its hash', async () => {
  const long = `lnk_${'x'.repeat(200)}`
  const { find } = serviceWith([`${long}1`, `${long}2`])
  expect(await find(`${long}2`, 1)).toMatchObject({ name: `${long}2` })
})

test('throws if the link is gone, after a limited number of pages', async () => {
  const gone =
    'This link can’t be found anymore. It was deleted, or the list has changed a lot since you opened it. Open the list again to see the current links.'
  const { find, asked } = serviceWith(names(100_000))
  await expect(find('gone', 500)).rejects.toThrow(gone)
  expect(asked).toHaveLength(21)
  const few = serviceWith(names(5))
  await expect(few.find('gone', 1)).rejects.toThrow(gone)
  expect(few.asked).toEqual(['1 of 10', '1 of 100'])
})

test('finds a link by its short URL, or by its back-half on any domain, on the pages of the list', async () => {
  const { findNamed, asked } = serviceWith(names(250))
  expect(await findNamed('http://go.example.com/l203/')).toMatchObject({ name: 'l203' })
  expect(asked).toEqual(['1 of 100', '2 of 100', '3 of 100'])
  expect(await findNamed('l203')).toMatchObject({ name: 'l203' })
  await expect(findNamed('l999')).rejects.toThrow('Backhalf can’t find l999 among')
})

test('names the links if several have the same back-half', async () => {
  const { findNamed, platform } = serviceWith([])
  platform.createdLinks.find = async (_workspace, url) => ({ name: url }) as RecordedLink
  await expect(findNamed('spring')).rejects.toThrow(
    '2 short links have this back-half: https://go.example.com/spring, https://x.example.com/spring. Type one of them.',
  )
})

test('says what to type instead of a domain without a back-half', async () => {
  await expect(serviceWith([]).findNamed('https://go.example.com')).rejects.toThrow(
    'Type one short link or its back-half after',
  )
})
