import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { EMPTY_BLOCKLIST, parseBlockedHosts } from '../../../src/service/store/blocklist.ts'
import { createDomainPages, setDomainUrls } from '../../../src/service/store/domain-pages.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'

const addresses = createAddresses('https://go.example.com', ['old.example.com'])

describeOnEveryDatabase((opened) => {
  let now = 0
  const pagesWith = (blocklist: Pick<typeof EMPTY_BLOCKLIST, 'blocks'> = EMPTY_BLOCKLIST) =>
    createDomainPages({ ...opened.database, addresses }, blocklist, () => now)
  const add = (id: string, domain_name: string) =>
    addDomain(opened.database.db, { id, domain_name, owner_id: null, created_at: now })
  const set = (domain_name: string, home_url: string | null) =>
    opened.database.db
      .updateTable('domains')
      .set({ home_url })
      .where('domain_name', '=', domain_name)
      .execute()
  const home = 'https://home.example/'

  test('finds the URLs of a hostname, whose records share them', async () => {
    await add('one', 'brand.example')
    const context = { ...opened.database, addresses, blocklist: EMPTY_BLOCKLIST }
    const urls = { home_url: home, not_found_url: 'https://help.example/' }
    expect(await setDomainUrls(context, { domain_name: 'brand.example' }, urls)).toEqual({})
    await add('two', 'brand.example')
    await opened.database.db.deleteFrom('domains').where('id', '=', 'one').execute()
    const pages = pagesWith()
    expect(await pages.find('Brand.Example.', 'home_url')).toBe(home)
    expect(await pages.find('brand.example', 'not_found_url')).toBe('https://help.example/')
    expect(await pages.find('other.example', 'home_url')).toBeUndefined()
    await set('', 'https://built-in.example/')
    for (const hostname of ['go.example.com', 'old.example.com']) {
      expect(await pagesWith().find(hostname, 'home_url')).toBe('https://built-in.example/')
    }
  })

  test('reads the URLs at most once a second, and right after a change', async () => {
    await add('soon', 'soon.example')
    const pages = pagesWith()
    const found = () => pages.find('soon.example', 'home_url')
    expect(await found()).toBeUndefined()
    await set('soon.example', home)
    now += 999
    expect(await found()).toBeUndefined()
    now += 1
    expect(await found()).toBe(home)
    await set('soon.example', null)
    expect(await found()).toBe(home)
    pages.forget()
    expect(await found()).toBeUndefined()
  })

  test('leads neither to a blocked site nor to an address of the service', async () => {
    await add('safe', 'safe.example')
    const blocked = parseBlockedHosts('home.example')
    const pages = pagesWith({ blocks: (hostname) => blocked.has(hostname) })
    for (const [url, expected] of [
      ['https://other.example/', 'https://other.example/'],
      [home, undefined],
      ['https://go.example.com/x', undefined],
      ['https://old.example.com/', undefined],
    ] as const) {
      await set('safe.example', url)
      pages.forget()
      expect([url, await pages.find('safe.example', 'home_url')]).toEqual([url, expected])
    }
  })

  test('keeps the last URLs while the database can’t be read', async () => {
    await add('down', 'down.example')
    await set('down.example', home)
    const pages = pagesWith()
    expect(await pages.find('down.example', 'home_url')).toBe(home)
    await sql`alter table domains rename to away`.execute(opened.database.db)
    pages.forget()
    expect(await pages.find('down.example', 'home_url')).toBe(home)
    await sql`alter table away rename to domains`.execute(opened.database.db)
  })
})
