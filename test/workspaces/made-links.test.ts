import { expect, test } from 'vitest'
import { createMadeLinks, type MadeLink } from '../../src/workspaces/made-links.ts'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const MADE_AT = 1_790_000_000_000

const SHORT_URL = 'https://go.example.com/Spring'

const KEPT: Omit<MadeLink, 'shortUrl'> = {
  destinationUrl: `https://example.com/${'a'.repeat(1980)}`,
  title: '🌱'.repeat(100),
  previewTitle: 'مرحبا',
  previewDescription: '<!channel> & "quotes"',
  previewImageUrl: 'https://go.example.com/previews/1.png',
  madeBy: 'U_ANA',
}

const LINK = { shortUrl: SHORT_URL, ...KEPT }
const BARE = { shortUrl: SHORT_URL, destinationUrl: 'https://example.com/' }

describeOnEveryDatabase((opened) => {
  const record = () => createMadeLinks({ ...opened, now: () => MADE_AT })

  test('what was remembered of a link is found by its short URL', async () => {
    await record().remember('T_ONE', LINK)
    expect(await record().find('T_ONE', SHORT_URL)).toEqual({
      ...KEPT,
      address: 'go.example.com/Spring',
      madeAt: MADE_AT,
    })
  })

  test('what a link does not have is absent', async () => {
    await record().remember('T_BARE', BARE)
    expect(await record().find('T_BARE', SHORT_URL)).toEqual({
      address: 'go.example.com/Spring',
      destinationUrl: 'https://example.com/',
      madeAt: MADE_AT,
    })
  })

  test('no workspace learns of another’s links', async () => {
    await record().remember('T_OWNER', LINK)
    expect(await record().find('T_STRANGER', SHORT_URL)).toBeUndefined()
  })

  test('of two links with one short URL the first one stays', async () => {
    await record().remember('T_TWICE', LINK)
    await record().remember('T_TWICE', { ...BARE, shortUrl: `${SHORT_URL}/` })
    expect(await record().find('T_TWICE', SHORT_URL)).toMatchObject({ madeBy: 'U_ANA' })
  })

  test('both may come at the same moment', async () => {
    await Promise.all([1, 2, 3].map(() => record().remember('T_RACE', LINK)))
    expect(await record().find('T_RACE', SHORT_URL)).toMatchObject({ madeBy: 'U_ANA' })
  })

  test.each([
    'http://go.example.com/Spring',
    'https://GO.example.com/Spring',
    'https://go.example.com:443/Spring/',
    'HTTPS://go.example.com/Spring#top',
    'https://go.example.com/Spring?utm_source=chat',
    'https://go.example.com/Spring/?a=/b/?c',
  ])('%s is the same short URL', async (written) => {
    await record().remember('T_SAME', LINK)
    expect(await record().find('T_SAME', written)).toMatchObject({ madeBy: 'U_ANA' })
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
  ])('“%s” is another one, or none', async (written) => {
    await record().remember('T_OTHER', LINK)
    expect(await record().find('T_OTHER', written)).toBeUndefined()
  })

  test('of two links that differ in their queries each is found by its own', async () => {
    const twin = { ...BARE, shortUrl: `${SHORT_URL}?id=2` }
    await record().remember('T_QUERY', LINK)
    await record().remember('T_QUERY', twin)
    expect(await record().find('T_QUERY', twin.shortUrl)).toMatchObject({
      destinationUrl: BARE.destinationUrl,
    })
    expect(await record().find('T_QUERY', SHORT_URL)).toMatchObject({ madeBy: 'U_ANA' })
  })

  test('a back-half in another script is found however it is written', async () => {
    await record().remember('T_SCRIPT', { ...BARE, shortUrl: 'https://bücher.example/frühling' })
    const written = 'https://xn--bcher-kva.example/fr%C3%BChling'
    expect(await record().find('T_SCRIPT', written)).toBeDefined()
  })

  test('nothing is left when the workspace is forgotten', async () => {
    await record().remember('T_GONE', LINK)
    await forgetWorkspace(opened.database, 'T_GONE')
    expect(await record().find('T_GONE', SHORT_URL)).toBeUndefined()
  })
})
