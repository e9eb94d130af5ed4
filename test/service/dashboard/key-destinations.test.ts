import { expect, test } from 'vitest'
import { rotateApiKey } from '../../../src/service/store/api-keys.ts'
import { expectPage, signedInMember } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { callLink, create, errorIn, keyWith, newLink } from '../../support/service-calls.ts'

const refusalFor = (name: string) =>
  `The API key “${name}” allows only links to example.com and example.org and their subdomains. To allow other hostnames, ask the administrator of this link service.`

const LIST = '*.Example.com\r\n\r\nhttps://example.org/\n'

describeService((service, browser) => {
  const idOf = async (name: string) => {
    const keys = service.database.db.selectFrom('api_keys').select(['id', 'destinations'])
    return keys.where('name', '=', name).where('revoked_at', 'is', null).executeTakeFirstOrThrow()
  }

  /** Adds a key, and gives it a list of destinations in the dashboard. */
  async function limitedKey(name: string, destinations = LIST) {
    const caller = await keyWith(service, { name, scopes: ALL })
    const path = `/dashboard/keys/${(await idOf(name)).id}/destinations`
    const saved = await browser.submit(path, { destinations })
    expect(saved.location).toBe('/dashboard/keys')
    return { ...caller, path }
  }

  const fieldsIn = (response: Parameters<typeof errorIn>[0]) =>
    (errorIn(response)[2] as { fields: Record<string, string[]> }).fields

  test('a key creates links only to its destinations and their subdomains', async () => {
    const key = await limitedKey('Campaigns')
    for (const host of ['example.com', 'deep.www.example.com', 'EXAMPLE.org', 'example.com.']) {
      expect((await create(key, { destination_url: `https://${host}/create` })).status).toBe(200)
    }
    for (const host of ['other.test', 'notexample.com', 'example.com.other.test', 'com']) {
      const refused = await create(key, { destination_url: `https://${host}/` })
      expect(fieldsIn(refused)).toEqual({ destination_url: [refusalFor('Campaigns')] })
    }
    // Other keys of the owner are not limited.
    expect((await create(service, { destination_url: 'https://other.test/' })).status).toBe(200)
  })

  test('a change can’t lead a link elsewhere, but everything else of an older link can be edited', async () => {
    const key = await limitedKey('Edits')
    const { name } = await newLink(service, { destination_url: 'https://before.test/page' })
    const edit = (fields: Record<string, string>) => callLink(key, 'PATCH', name, { fields })
    expect((await edit({ title: 'New', destination_url: 'https://before.test/page' })).status).toBe(
      200,
    )
    const refused = await edit({ destination_url: 'https://before.test/other' })
    expect(fieldsIn(refused)).toEqual({ destination_url: [refusalFor('Edits')] })
    expect((await edit({ destination_url: 'https://example.com/moved' })).status).toBe(200)
  })

  test('the rule holds for people who signed in with the key', async () => {
    const key = await limitedKey('People')
    const editor = await signedInMember(key, { role: 'editor' })
    const text = refusalFor('People')
    const [elsewhere, allowed] = ['https://member.test/', 'https://a.example.org/member']
    const create = (destination_url: string) =>
      editor.submit('/dashboard/links/new', { destination_url })
    expectPage(await create(elsewhere), 422, text)
    const { location } = await create(allowed)
    const form = `${location}/edit`
    expectPage(await editor.submit(form, { destination_url: elsewhere }), 422, text)
    expect((await editor.submit(form, { title: 'Fine' })).location).toBe(location)
    // The administrator can do anything.
    const free = { destination_url: 'https://free.test/' }
    expect((await browser.submit(form, free)).location).toBe(location)
  })

  test('a list that is emptied, or a rotated key, keeps what the page says', async () => {
    const key = await limitedKey('Rotated')
    const rule = 'only links to example.com and example.org'
    expectPage(await browser.get('/dashboard/keys'), 200, rule)
    const { id, destinations } = await idOf('Rotated')
    expect(destinations).toBe('["example.com","example.org"]')
    const rotated = await service.database.write(rotateApiKey(id, 0, Date.now()))
    const caller = { ...key, apiKey: rotated?.key ?? '' }
    expect((await create(caller, { destination_url: 'https://other.test/x' })).status).toBe(422)
    const path = `/dashboard/keys/${rotated?.id ?? ''}/destinations`
    expect((await browser.get(path)).text).toContain('example.com\nexample.org')
    await browser.submit(path, { destinations: ' \n' })
    expect((await idOf('Rotated')).destinations).toBeNull()
    expect((await create(caller, { destination_url: 'https://other.test/x' })).status).toBe(200)
    // The key that was rotated can't be changed anymore.
    expect((await browser.post(key.path, { destinations: 'example.com' })).status).toBe(404)
  })

  test('a new key can have destinations', async () => {
    const fields = { name: 'Made with a list', owner: service.ownerId }
    const wrong = { ...fields, destinations: 'example.com\nuser@example.org' }
    const refused = await browser.submit('/dashboard/keys', wrong)
    expectPage(refused, 422, 'Line 2, “user@example.org”, is not a hostname.')
    const made = await browser.submit('/dashboard/keys', { ...fields, destinations: 'a.test' })
    expect(made.status).toBe(200)
    expect((await idOf('Made with a list')).destinations).toBe('["a.test"]')
  })

  test.each([
    ['com', 'Line 1, “com”, is not a hostname. Use one like example.com.'],
    ['example.com:8080', 'Line 1, “example.com:8080”, is not a hostname.'],
    [
      Array.from({ length: 201 }, (_, at) => `h${at}.example`).join('\n'),
      'The list has 201 hostnames, but a key can have at most 200.',
    ],
  ])('refuses the list %j', async (destinations, error) => {
    await keyWith(service, { name: 'Refused' })
    const { id } = await idOf('Refused')
    const page = await browser.submit(`/dashboard/keys/${id}/destinations`, { destinations })
    expectPage(page, 422, error)
    expect(page.text).toContain('id="destinations-error"')
    expect((await idOf('Refused')).destinations).toBeNull()
  })
})

const ALL = [
  ...['read', 'create', 'update', 'delete'].map((what) => `shortlinks:${what}`),
  'dashboard:sign_in',
]
