import { expect, test } from 'vitest'
import { createCreatedLinkStore, type CreatedLink } from '../../src/workspaces/created-links.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { insert } from '../support/rows.ts'

const MADE_AT = 1_790_000_000_000

const iso = (ms: number): string => new Date(ms).toISOString()

const SHORT_URL = 'https://go.example.com/Spring'

const DETAILS: Omit<CreatedLink, 'shortlink_url'> = {
  destination_url: `https://example.com/${'a'.repeat(1980)}`,
  title: '🌱'.repeat(100),
  preview_title: 'مرحبا',
  preview_description: '<!channel> & "quotes"',
  preview_image: 'https://go.example.com/previews/1.png',
  createdBy: 'U_ANA',
  name: 'lnk_1',
  expires_at: '2026-12-24T18:00:00.000Z',
}

const LINK = { shortlink_url: SHORT_URL, ...DETAILS }
const BARE = { shortlink_url: SHORT_URL, name: 'lnk_2', destination_url: 'https://example.com/' }

describeOnEveryDatabase((opened) => {
  const record = () => createCreatedLinkStore({ ...opened, now: () => MADE_AT })

  test('finds a link of the workspace by its short URL', async () => {
    await record().add('T_ONE', LINK)
    expect(await record().find('T_STRANGER', SHORT_URL)).toBeUndefined()
    expect(await record().find('T_ONE', SHORT_URL)).toEqual({
      ...DETAILS,
      shortlink_url: SHORT_URL,
      address: 'go.example.com/Spring',
      created_at: iso(MADE_AT),
    })
  })

  test('stores no preview that was turned off', async () => {
    const shown = () => record().find('T_PREVIEW', SHORT_URL)
    await record().add('T_PREVIEW', { ...LINK, is_custom_preview: false })
    expect((await shown())?.preview_title).toBeUndefined()
    await record().follow('T_PREVIEW', SHORT_URL, { ...LINK, is_custom_preview: true })
    expect(await shown()).toMatchObject({ preview_title: LINK.preview_title })
    await record().follow('T_PREVIEW', SHORT_URL, { ...LINK, is_custom_preview: false })
    expect((await shown())?.preview_title).toBeUndefined()
  })

  test('follows a change of a link to its new short URL, and keeps the earlier one and other workspaces’ links', async () => {
    const expires_at = '2027-01-15T08:00:00.000Z'
    await record().add('T_FOLLOW', { ...LINK, expires_at })
    const values = { destination_url: 'https://example.com/summer', name: 'lnk_1' }
    const summer = {
      shortlink_url: 'https://go.example.com/summer',
      address: 'go.example.com/summer',
    }
    const spring = { shortlink_url: SHORT_URL, address: 'go.example.com/Spring' }
    await record().follow('T_FOLLOW', `${SHORT_URL}/`, { ...values, ...summer })
    const found = { ...values, createdBy: 'U_ANA', created_at: iso(MADE_AT) }
    const changed = { ...found, ...summer, expires_at }
    expect(await record().find('T_FOLLOW', summer.shortlink_url)).toEqual(changed)
    // Without its expiry, so that the creator isn't reminded twice.
    expect(await record().find('T_FOLLOW', SHORT_URL)).toEqual({ ...found, ...spring })
    expect(await listed('T_FOLLOW', {})).toEqual(['summer'])
    // In this workspace, it was not created in Slack.
    await record().follow('T_STRANGER', summer.shortlink_url, { ...BARE, name: 'lnk_1' })
    expect(await record().find('T_STRANGER', SHORT_URL)).toBeUndefined()
    expect(await record().find('T_FOLLOW', summer.shortlink_url)).toEqual(changed)
  })

  test('forgets a deleted link with its earlier short URLs', async () => {
    await record().add('T_GONE', LINK)
    const moved = { ...LINK, shortlink_url: 'https://go.example.com/moved' }
    await record().follow('T_GONE', SHORT_URL, moved)
    await record().add('T_GONE', { ...BARE, shortlink_url: 'https://go.example.com/stays' })
    await record().remove('T_GONE', 'lnk_1')
    expect(await record().find('T_GONE', SHORT_URL)).toBeUndefined()
    expect(await record().find('T_GONE', moved.shortlink_url)).toBeUndefined()
    expect(await record().find('T_GONE', 'https://go.example.com/stays')).toBeDefined()
  })

  test('keeps a link that is added several times as it was first, even if they come at once', async () => {
    await Promise.all([1, 2, 3].map(() => record().add('T_TWICE', LINK)))
    await record().add('T_TWICE', { ...BARE, name: 'lnk_1', shortlink_url: `${SHORT_URL}/` })
    expect(await record().find('T_TWICE', SHORT_URL)).toMatchObject({ createdBy: 'U_ANA' })
  })

  test('a new link with the short URL of an earlier one has its own creator', async () => {
    const found = (name: string) => record().find('T_REUSED', SHORT_URL, name)
    await record().add('T_REUSED', LINK)
    expect(await found('lnk_1')).toMatchObject({ createdBy: 'U_ANA' })
    expect(await found('lnk_2')).toBeUndefined()
    await record().follow('T_REUSED', SHORT_URL, { ...BARE, shortlink_url: `${SHORT_URL}-moved` })
    expect(await record().find('T_REUSED', `${SHORT_URL}-moved`)).toBeUndefined()
    await record().add('T_REUSED', { ...BARE, createdBy: 'U_BEN' })
    expect(await found('lnk_1')).toBeUndefined()
    expect(await found('lnk_2')).toMatchObject({ createdBy: 'U_BEN' })
    // The earlier one is deleted from a menu that is still shown.
    await record().remove('T_REUSED', 'lnk_1')
    expect(await found('lnk_2')).toMatchObject({ createdBy: 'U_BEN' })
  })

  test.each([
    'http://go.example.com/Spring',
    'https://GO.example.com/Spring',
    'https://go.example.com:443/Spring/',
    'HTTPS://go.example.com/Spring#top',
    'https://go.example.com/Spring?utm_source=chat',
    'https://go.example.com/Spring/?a=/b/?c',
  ])('finds the link by %s', async (spelling) => {
    await record().add('T_SAME', LINK)
    expect(await record().find('T_SAME', spelling)).toMatchObject({ createdBy: 'U_ANA' })
  })

  test.each([
    'https://go.example.com/spring',
    'https://go.example.com/Spring/2',
    'https://go.example.com/?x=/Spring',
    'https://go.example.com:8443/Spring',
    'https://user@go.example.com/Spring',
    'ftp://go.example.com/Spring',
    'go.example.com/Spring',
    '',
  ])('does not find the link by “%s”', async (spelling) => {
    await record().add('T_OTHER', LINK)
    expect(await record().find('T_OTHER', spelling)).toBeUndefined()
  })

  test('distinguishes two links that differ only in their query', async () => {
    const withQuery = { ...BARE, shortlink_url: `${SHORT_URL}?id=2` }
    for (const link of [LINK, withQuery]) await record().add('T_QUERY', link)
    const { shortlink_url: shortUrl, destination_url } = withQuery
    expect(await record().find('T_QUERY', shortUrl)).toMatchObject({ destination_url })
    expect(await record().find('T_QUERY', SHORT_URL)).toMatchObject({ createdBy: 'U_ANA' })
  })

  test('finds a short URL in another script, with its characters encoded or not', async () => {
    await record().add('T_SCRIPT', { ...BARE, shortlink_url: 'https://bücher.example/frühling' })
    const encoded = 'https://xn--bcher-kva.example/fr%C3%BChling'
    expect(await record().find('T_SCRIPT', encoded)).toBeDefined()
  })

  /** Adds links that were created one after another, each with this number in its short URL. */
  async function addAll(workspaceId: string, links: Partial<CreatedLink>[]): Promise<void> {
    for (const [index, link] of links.entries()) {
      const shortUrl = `https://go.example.com/n${index + 1}`
      const store = createCreatedLinkStore({ ...opened, now: () => MADE_AT + index })
      await store.add(workspaceId, { ...BARE, shortlink_url: shortUrl, ...link })
    }
  }

  const PAGE = { order: 'desc', page: 1, perPage: 10 } as const

  async function listed(
    workspaceId: string,
    query: Partial<Parameters<ReturnType<typeof record>['list']>[1]>,
  ): Promise<string[]> {
    const { links } = await record().list(workspaceId, { ...PAGE, ...query })
    return links.map(({ shortlink_url: shortUrl }) => shortUrl.replace(/^.*\/n?/, ''))
  }

  test('lists links by when they were made, page by page', async () => {
    await addAll('T_LIST', [{}, {}, { shortlink_url: 'http://localhost:8080/n3/' }])
    await record().add('T_LIST_ELSE', LINK)
    const link = (address: string, scheme: string, at: number) => ({
      ...BARE,
      address,
      shortlink_url: `${scheme}://${address}`,
      created_at: iso(MADE_AT + at),
    })
    const links = [link('localhost:8080/n3', 'http', 2), link('go.example.com/n2', 'https', 1)]
    const page = { links, total: 3, hasMore: false }
    expect(await record().list('T_LIST', { ...PAGE, perPage: 2 })).toEqual(page)
    expect(await listed('T_LIST', { perPage: 2, page: 2 })).toEqual(['1'])
    expect(await listed('T_LIST', { perPage: 2, order: 'asc' })).toEqual(['1', '2'])
    expect(await listed('T_LIST', { page: 999_999_999 })).toEqual([])
  })

  test('finds text in titles, destinations and short URLs, and takes its wildcards literally', async () => {
    await addAll('T_TEXT', [
      { title: '100% off_er' },
      { destination_url: 'https://example.com/100%25/off%5Fer' },
      { shortlink_url: 'https://go.example.com/Summer' },
      { title: 'a\\b' },
    ])
    for (const [text, ...found] of [
      ['0% OFF', '1'],
      ['f_e', '1'],
      ['a\\b', '4'],
      ['%25/', '2'],
      ['https://go.example.com/SUMMER/', 'Summer'],
      ['___'],
    ]) {
      expect(await listed('T_TEXT', { text }), text).toEqual(found)
    }
  })

  test('lists the links of one creator, who might also search in them', async () => {
    await addAll('T_MINE', [
      { createdBy: 'U_ANA', title: 'Spring' },
      { createdBy: 'U_BEN', title: 'Spring' },
      { createdBy: 'U_ANA' },
    ])
    expect(await listed('T_MINE', { createdBy: 'U_ANA' })).toEqual(['3', '1'])
    expect(await listed('T_MINE', { createdBy: 'U_ANA', text: 'spring' })).toEqual(['1'])
    expect(await listed('T_MINE', { createdBy: 'U_CAROL' })).toEqual([])
  })

  test('lists at most the newest 1,000 of 10,000, and says that there are more', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => ({
      workspace_id: 'T_MANY',
      short_url: `go.example.com/n${index + 1}`,
      destination_url: index === 0 ? 'https://example.com/oldest' : 'https://example.com/',
      title: index % 2 ? 'odd' : null,
      made_at: MADE_AT + index,
      link_name: `lnk_${index}`,
      superseded: 0,
    }))
    while (rows.length > 0) {
      await insert(opened.database, 'made_links', ...rows.splice(0, 1_000))
    }
    const list = (query: object) => record().list('T_MANY', { ...PAGE, ...query })
    expect(await list({ text: 'odd' })).toMatchObject({ total: 1_000, hasMore: true })
    expect(await listed('T_MANY', { order: 'asc', perPage: 1 })).toEqual(['9002'])
    // The oldest link is beyond those that are compared.
    expect(await list({ text: 'oldest' })).toEqual({ links: [], total: 0, hasMore: true })
    expect(await list({ text: 'n9999' })).toMatchObject({ total: 1, hasMore: true })
  })
})
