import { expect, test } from 'vitest'
import { createMadeLinks, type MadeLink } from '../../src/workspaces/made-links.ts'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const MADE_AT = 1_790_000_000_000

const SHORT_URL = 'https://go.example.com/Spring'

const DETAILS: Omit<MadeLink, 'shortUrl'> = {
  destinationUrl: `https://example.com/${'a'.repeat(1980)}`,
  title: '🌱'.repeat(100),
  previewTitle: 'مرحبا',
  previewDescription: '<!channel> & "quotes"',
  previewImageUrl: 'https://go.example.com/previews/1.png',
  madeBy: 'U_ANA',
  name: 'lnk_1',
  endsAt: 1_798_135_200_000,
}

const LINK = { shortUrl: SHORT_URL, ...DETAILS }
const BARE = { shortUrl: SHORT_URL, destinationUrl: 'https://example.com/' }

describeOnEveryDatabase((opened) => {
  const record = () => createMadeLinks({ ...opened, now: () => MADE_AT })

  test('finds a link by its short URL', async () => {
    await record().add('T_ONE', LINK)
    expect(await record().find('T_ONE', SHORT_URL)).toEqual({
      ...DETAILS,
      address: 'go.example.com/Spring',
      madeAt: MADE_AT,
    })
  })

  test('follows a change of a link to its new short URL, and keeps the earlier one', async () => {
    await record().add('T_FOLLOW', LINK)
    const changed = {
      shortUrl: 'https://go.example.com/summer',
      destinationUrl: 'https://example.com/summer',
      name: 'lnk_1',
      endsAt: 1_800_000_000_000,
    }
    await record().follow('T_FOLLOW', `${SHORT_URL}/`, changed)
    const { shortUrl: _shortUrl, endsAt, ...values } = changed
    const found = { ...values, madeBy: 'U_ANA', madeAt: MADE_AT }
    expect(await record().find('T_FOLLOW', changed.shortUrl)).toEqual({
      ...found,
      address: 'go.example.com/summer',
      endsAt,
    })
    // Without its end, so that nobody is reminded twice.
    expect(await record().find('T_FOLLOW', SHORT_URL)).toEqual({
      ...found,
      address: 'go.example.com/Spring',
    })
  })

  test('follows no link that was not made in Slack, and none of another workspace', async () => {
    await record().add('T_KEPT', LINK)
    await record().follow('T_OTHER', SHORT_URL, { ...BARE, name: 'lnk_1' })
    expect(await record().find('T_OTHER', SHORT_URL)).toBeUndefined()
    expect(await record().find('T_KEPT', SHORT_URL)).toMatchObject(DETAILS)
  })

  test('forgets a deleted link with its earlier short URLs', async () => {
    await record().add('T_GONE', LINK)
    const moved = { ...LINK, shortUrl: 'https://go.example.com/moved' }
    await record().follow('T_GONE', SHORT_URL, moved)
    await record().add('T_GONE', { ...BARE, shortUrl: 'https://go.example.com/stays' })
    await record().remove('T_GONE', moved.shortUrl, 'lnk_1')
    expect(await record().find('T_GONE', SHORT_URL)).toBeUndefined()
    expect(await record().find('T_GONE', moved.shortUrl)).toBeUndefined()
    expect(await record().find('T_GONE', 'https://go.example.com/stays')).toBeDefined()
  })

  test('leaves out what a link does not have', async () => {
    await record().add('T_BARE', BARE)
    expect(await record().find('T_BARE', SHORT_URL)).toEqual({
      address: 'go.example.com/Spring',
      destinationUrl: 'https://example.com/',
      madeAt: MADE_AT,
    })
  })

  test('does not find a link of another workspace', async () => {
    await record().add('T_OWNER', LINK)
    expect(await record().find('T_STRANGER', SHORT_URL)).toBeUndefined()
  })

  test('keeps the first of two links with the same short URL', async () => {
    await record().add('T_TWICE', LINK)
    await record().add('T_TWICE', { ...BARE, shortUrl: `${SHORT_URL}/` })
    expect(await record().find('T_TWICE', SHORT_URL)).toMatchObject({ madeBy: 'U_ANA' })
  })

  test('stores a link once if it is added several times at once', async () => {
    await Promise.all([1, 2, 3].map(() => record().add('T_RACE', LINK)))
    expect(await record().find('T_RACE', SHORT_URL)).toMatchObject({ madeBy: 'U_ANA' })
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
    expect(await record().find('T_SAME', spelling)).toMatchObject({ madeBy: 'U_ANA' })
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
    const withQuery = { ...BARE, shortUrl: `${SHORT_URL}?id=2` }
    await record().add('T_QUERY', LINK)
    await record().add('T_QUERY', withQuery)
    expect(await record().find('T_QUERY', withQuery.shortUrl)).toMatchObject({
      destinationUrl: BARE.destinationUrl,
    })
    expect(await record().find('T_QUERY', SHORT_URL)).toMatchObject({ madeBy: 'U_ANA' })
  })

  test('finds a short URL in another script, with its characters encoded or not', async () => {
    await record().add('T_SCRIPT', { ...BARE, shortUrl: 'https://bücher.example/frühling' })
    const encoded = 'https://xn--bcher-kva.example/fr%C3%BChling'
    expect(await record().find('T_SCRIPT', encoded)).toBeDefined()
  })

  test('finds nothing after the workspace was forgotten', async () => {
    await record().add('T_GONE', LINK)
    await forgetWorkspace(opened.database, 'T_GONE')
    expect(await record().find('T_GONE', SHORT_URL)).toBeUndefined()
  })
})
