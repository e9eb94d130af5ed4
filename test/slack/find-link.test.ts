import { expect, test } from 'vitest'
import { findLink } from '../../src/slack/find-link.ts'
import { linkKey } from '../../src/slack/link-key.ts'
import type { Links } from '../../src/slack/links.ts'

const LONG = `lnk_${'x'.repeat(200)}`

/** A service with these names on its pages; `asked` notes which were fetched. */
function having(pages: Record<number, string[]>) {
  const asked: (number | undefined)[] = []
  const links: Links = {
    connection: () => Promise.reject(new Error('not asked for here')),
    create: () => Promise.reject(new Error('not asked for here')),
    list: (_workspace, { page = 1 }) => {
      asked.push(page)
      return Promise.resolve({
        links: (pages[page] ?? []).map((name) => ({
          name,
          destination_url: 'https://example.com/',
          shortlink_url: 'https://go.example.com/x',
        })),
        skipped: 0,
        page,
        perPage: 10,
        hasNext: false,
      })
    },
  }
  return { links, asked }
}

const find = (links: Links, name: string, page: number) =>
  findLink(
    links,
    { id: 'T1' },
    { key: linkKey(name), position: { sort_by: 'most_recent', order: 'desc', page } },
  )

test('a link is looked for on its page, then on the next one, then on the one before', async () => {
  const { links, asked } = having({ 1: ['c'], 2: ['a'], 3: ['b'] })
  expect(await find(links, 'a', 2)).toMatchObject({ name: 'a' })
  expect(await find(links, 'b', 2)).toMatchObject({ name: 'b' })
  expect(await find(links, 'c', 2)).toMatchObject({ name: 'c' })
  expect(asked).toEqual([2, 2, 3, 2, 3, 1])
})

test('one that is on none of them is not found, and there is no page before the first', async () => {
  const { links, asked } = having({ 3: ['a'] })
  await expect(find(links, 'a', 1)).rejects.toThrow('can’t find this link')
  expect(asked).toEqual([1, 2])
})

test('a name that is too long for a menu is known by its hash', async () => {
  const { links } = having({ 1: [`${LONG}1`, `${LONG}2`] })
  expect(linkKey(LONG)).toHaveLength(64)
  expect(await find(links, `${LONG}2`, 1)).toMatchObject({ name: `${LONG}2` })
})
