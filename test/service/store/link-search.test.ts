import { expect, onTestFinished, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { searchLinks } from '../../../src/service/store/link-search.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { call, postForm } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'

describeOnEveryDatabase((opened) => {
  test('finds links by title, destination and short URL, and sorts them', async () => {
    const service = await startService({ databaseUrl: opened.url })
    for (const [back_half, title] of [
      ['b', 'Beta'],
      ['c', 'alpha'],
      ['a', 'Ünder\\'],
    ] as const) {
      const destination_url = `https://example.com/${back_half}`
      await postForm(service, { destination_url, domain: 'default', back_half, title })
    }
    const headers = { 'user-agent': CHROME }
    for (const visit of ['c', 'c', 'b']) await call(`${service.baseUrl}/${visit}`, { headers })
    await service.close()

    const addresses = createAddresses('https://go.example.com')
    const context = { ...opened.database, addresses, now: Date.now }
    const found = async (text: string, sort: Parameters<typeof searchLinks>[1]['sort']) => {
      const { links, total } = await searchLinks(context, { reach: 'all', text, sort, page: 1 })
      return [total, ...links.map(({ back_half, people }) => `${back_half} ${people}`)]
    }
    expect(await found('', 'newest')).toEqual([3, 'a 0', 'c 2', 'b 1'])
    expect(await found('', 'oldest')).toEqual([3, 'b 1', 'c 2', 'a 0'])
    expect(await found('', 'clicks')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('', 'title')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('ALPHA', 'newest')).toEqual([1, 'c 2'])
    expect(await found('der\\', 'newest')).toEqual([1, 'a 0'])
    expect(await found('Ünder', 'newest')).toEqual([1, 'a 0'])
    expect(await found('%%%', 'newest')).toEqual([0])
    expect(await found('exa"ple', 'newest')).toEqual([0])
    expect(await found('example.com/', 'oldest')).toEqual([3, 'b 1', 'c 2', 'a 0'])
    expect(await found('example.com/', 'clicks')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('https://GO.example.com/a', 'newest')).toEqual([1, 'a 0'])
  })

  test('stops at 1,000 matches of a word, and finds the newest or the oldest of them', async () => {
    const service = await startService({ databaseUrl: opened.url })
    onTestFinished(() => service.close())
    await postForm(service, { destination_url: 'https://example.com/first', domain: 'default' })
    const { db } = opened.database
    const one = await db
      .selectFrom('links')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 1_001 }, (_, at) => ({
      ...one,
      id: `ffffffff-0000-7000-8000-${String(at).padStart(12, '0')}`,
      back_half: `many${at}`,
      destination_url: `https://many.example/${at}`,
      destination_hash: String(at),
    }))
    for (let at = 0; at < rows.length; at += 500) {
      await db
        .insertInto('links')
        .values(rows.slice(at, at + 500))
        .execute()
    }
    const addresses = createAddresses('https://go.example.com')
    const context = { ...opened.database, addresses, now: Date.now }
    const search = (sort: 'newest' | 'oldest', text: string, page = 1) =>
      searchLinks(context, { reach: 'all', text, sort, page })
    const newest = await search('newest', 'many.example')
    expect(newest).toMatchObject({ total: 1_000, hasMore: true, pages: 40 })
    expect(newest.links[0]?.back_half).toBe('many1000')
    const last = await search('newest', 'many.example', 1_000)
    expect(last).toMatchObject({ page: 40 })
    expect(last.links.at(-1)?.back_half).toBe('many1')
    const [oldest] = (await search('oldest', 'many.example')).links
    expect(oldest?.back_half).toBe('many0')
    const { links, ...rare } = await search('newest', 'go.example.com/many77')
    expect(rare).toMatchObject({ total: 11, hasMore: false })
    expect(links).toHaveLength(11)
  })

  test('finds texts of any kind with at least three characters', async () => {
    const service = await startService({ databaseUrl: opened.url })
    onTestFinished(() => service.close())
    const addresses = createAddresses('https://go.example.com')
    const context = { ...opened.database, addresses, now: Date.now }
    for (const [at, title] of ['a"b OR c', '* NOT *', '日本語の', "x'); --", '50% \\_'].entries()) {
      const destination_url = `https://odd.example/${at}`
      await postForm(service, { destination_url, domain: 'default', title })
      const { links } = await searchLinks(context, {
        reach: 'all',
        text: title,
        sort: 'newest',
        page: 1,
      })
      expect(links.map((link) => link.title)).toEqual([title])
    }
    const long = await searchLinks(context, {
      reach: 'all',
      text: 'x y '.repeat(50),
      sort: 'newest',
      page: 1,
    })
    expect(long).toMatchObject({ total: 0, hasMore: false, links: [] })
  })
})
