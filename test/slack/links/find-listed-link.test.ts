import { expect, test } from 'vitest'
import { ApiError } from '../../../src/client/errors.ts'
import { linkKey } from '../../../src/slack/block-kit/link-menu.ts'
import { findListedLink } from '../../../src/slack/links/find-link.ts'
import type { LinkService } from '../../../src/slack/links/link-service.ts'
import { fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'

/** The newest link first. */
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `l${index}`)

/**
 * A service with links of these names, and the pages that were asked for.
 *
 * @param most the largest page that it allows; it refuses others, or answers with pages of that size
 */
function serviceWith(
  all: readonly string[],
  { most = Infinity, refuses = true }: { most?: number; refuses?: boolean } = {},
) {
  const asked: string[] = []
  const linkService: LinkService = {
    ...NO_LINK_SERVICE,
    async list(_workspace, { page = 1, per_page = 10 }) {
      asked.push(`${page} of ${per_page}`)
      if (per_page > most && refuses) {
        throw new ApiError({ status: 422, message: 'per_page is too large' })
      }
      const perPage = Math.min(per_page, most)
      const end = page * perPage
      const links = all.slice(end - perPage, end).map((name) => ({
        name,
        destination_url: 'https://example.com/page',
        shortlink_url: 'https://go.example.com/x',
      }))
      return { links, skipped: 0, page, perPage, hasNext: end < all.length }
    },
  }
  const find = (name: string, page: number) =>
    findListedLink(
      fakePlatform({ linkService }),
      { workspace: { id: 'T1' } },
      { key: linkKey(name), position: `most_recent:desc:${page}` },
    )
  return { find, asked }
}

test('asks for one page if the link is still there', async () => {
  const { find, asked } = serviceWith(names(200))
  expect(await find('l15', 2)).toMatchObject({ name: 'l15' })
  expect(asked).toEqual(['2 of 10'])
})

test('finds a link after hundreds of new links', async () => {
  const { find, asked } = serviceWith(names(600))
  expect(await find('l512', 3)).toMatchObject({ name: 'l512' })
  expect(asked).toEqual(['3 of 10', ...[1, 2, 3, 4, 5, 6].map((page) => `${page} of 100`)])
})

test('finds a link on an earlier page after links were deleted', async () => {
  const { find } = serviceWith(names(900))
  expect(await find('l20', 80)).toMatchObject({ name: 'l20' })
})

test.each([
  ['refuses', { most: 50 }],
  ['shortens', { most: 50, refuses: false }],
  ['refuses', { most: 10 }],
  ['shortens', { most: 20, refuses: false }],
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
