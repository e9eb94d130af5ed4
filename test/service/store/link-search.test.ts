import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { selectLinks } from '../../../src/service/store/link-list.ts'
import { searchLinks, type LinkSort } from '../../../src/service/store/link-search.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addLinks, addOwners, linkRow, removeLinks } from '../../support/rows.ts'

const addresses = createAddresses('https://go.example.com')

describeOnEveryDatabase((opened) => {
  const search = (text: string, sort: LinkSort = 'newest', page = 1) => {
    const context = { ...opened.database, addresses, now: Date.now }
    return searchLinks(context, { reach: 'all', text, sort, page })
  }

  /** Makes these the only links. */
  const setLinks = async (...rows: ReturnType<typeof linkRow>[]) => {
    await removeLinks(opened.database)
    await addOwners(opened.database, 'acme')
    await addLinks(opened.database, ...rows)
  }

  test('finds links by title, destination and short URL, and sorts them', async () => {
    await setLinks(
      linkRow('1', { back_half: 'b', title: 'Beta' }),
      linkRow('2', { back_half: 'c', title: 'alpha' }),
      linkRow('3', { back_half: 'a', title: 'Ünder\\' }),
    )
    const clicked = { day: '2027-03-01', bots: 0 }
    await opened.database.write(
      addClicks([
        { ...clicked, link_id: '1', people: 1 },
        { ...clicked, link_id: '2', people: 2 },
      ]),
    )
    const found = async (text: string, sort?: LinkSort) => {
      const { links, total } = await search(text, sort)
      return [total, ...links.map(({ back_half, people }) => `${back_half} ${people}`)]
    }
    expect(await found('')).toEqual([3, 'a 0', 'c 2', 'b 1'])
    expect(await found('', 'oldest')).toEqual([3, 'b 1', 'c 2', 'a 0'])
    expect(await found('', 'clicks')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('', 'title')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('ALPHA')).toEqual([1, 'c 2'])
    expect(await found('der\\')).toEqual([1, 'a 0'])
    expect(await found('Ünder')).toEqual([1, 'a 0'])
    expect(await found('%%%')).toEqual([0])
    expect(await found('exa"ple')).toEqual([0])
    expect(await found('example.com/', 'oldest')).toEqual([3, 'b 1', 'c 2', 'a 0'])
    expect(await found('example.com/', 'clicks')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('https://GO.example.com/a')).toEqual([1, 'a 0'])
  })

  test('stops at 1,000 matches of a word, and finds the newest or the oldest of them', async () => {
    const many = Array.from({ length: 1_001 }, (_, at) => {
      const values = { back_half: `many${at}`, destination_url: `https://many.example/${at}` }
      return linkRow(`link ${String(at).padStart(4, '0')}`, values)
    })
    await setLinks(linkRow('first'), ...many)
    const newest = await search('many.example')
    expect(newest).toMatchObject({ total: 1_000, hasMore: true, pages: 40 })
    expect(newest.links[0]?.back_half).toBe('many1000')
    const last = await search('many.example', 'newest', 1_000)
    expect(last).toMatchObject({ page: 40 })
    expect(last.links.at(-1)?.back_half).toBe('many1')
    const [oldest] = (await search('many.example', 'oldest')).links
    expect(oldest?.back_half).toBe('many0')
    const { links, ...rare } = await search('go.example.com/many77')
    expect(rare).toMatchObject({ total: 11, hasMore: false })
    expect(links).toHaveLength(11)
  })

  test('finds texts of any kind with at least three characters', async () => {
    const titles = ['a"b OR c', '* NOT *', '日本語の', "x'); --", '50% \\_']
    await setLinks(...titles.map((title, at) => linkRow(`${at}`, { title })))
    for (const title of titles) {
      expect((await search(title)).links.map((link) => link.title)).toEqual([title])
    }
    expect(await search('x y '.repeat(50))).toMatchObject({ total: 0, hasMore: false, links: [] })
  })

  test('links that are created between the count and the page don’t shift a page near the end', async () => {
    await setLinks()
    const { database } = opened
    let links = 0
    const next = () => {
      const id = String(links++).padStart(5, '0')
      return linkRow(id, { created_at: links, updated_at: links })
    }
    const add = (count: number) => addLinks(database, ...Array.from({ length: count }, next))
    await add(110)
    const longReads = database.longReads.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await add(7)
        return result
      },
    })
    const ids = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => String(first + at).padStart(5, '0'))
    const context = { ...database, longReads, addresses, now: Date.now }
    const list = { per_page: 10, sort_by: 'created_at', order: 'asc' } as const
    for (const page of [2, 9, 10, 11]) {
      const { rows } = await selectLinks(context, { ...list, page }, { ownerId: 'acme' })
      expect(rows.map(({ id }) => id)).toEqual(ids((page - 1) * 10, 10))
    }
    for (const page of [2, 3, 4]) {
      const found = await searchLinks(context, { reach: 'all', text: '', sort: 'oldest', page })
      expect(found.links.map(({ id }) => id)).toEqual(ids((page - 1) * 25, 25))
    }
  })
})
