import { expect, test } from 'vitest'
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

    const found = async (text: string, sort: Parameters<typeof searchLinks>[1]['sort']) => {
      const { links, total } = await searchLinks(opened.database.db, {
        text,
        sort,
        page: 1,
        origin: 'https://go.example.com',
      })
      return [total, ...links.map(({ back_half, people }) => `${back_half} ${people}`)]
    }
    expect(await found('', 'newest')).toEqual([3, 'a 0', 'c 2', 'b 1'])
    expect(await found('', 'oldest')).toEqual([3, 'b 1', 'c 2', 'a 0'])
    expect(await found('', 'clicks')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('', 'title')).toEqual([3, 'c 2', 'b 1', 'a 0'])
    expect(await found('ALPHA', 'newest')).toEqual([1, 'c 2'])
    expect(await found('\\', 'newest')).toEqual([1, 'a 0'])
    expect(await found('Ünder', 'newest')).toEqual([1, 'a 0'])
    expect(await found('%', 'newest')).toEqual([0])
    expect(await found('https://GO.example.com/a', 'newest')).toEqual([1, 'a 0'])
  })
})
