import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addTagSets } from '../../../src/service/store/tags.ts'
import {
  expectPage,
  plainText,
  signedInMember,
  type DashboardBrowser,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import {
  callLink,
  keyWith,
  linkIn,
  newLink,
  newOwner,
  type Caller,
} from '../../support/service-calls.ts'

const BEN = { id: 'T0TEST-U0BEN', name: 'Ben', role: 'editor' } as const

describeService((service, browser) => {
  let count = 0
  let other: Caller
  let editor: DashboardBrowser

  const create = (tags: string, caller: Caller = service) =>
    newLink(caller, { back_half: `tagged${++count}`, tags })

  const tagsOf = async ({ name }: { name: string }, caller: Caller = service) =>
    linkIn(await callLink(caller, 'GET', name)).tags

  const pathOf = (tag: string, owner = service.ownerId) =>
    `/dashboard/tags/${owner}/${encodeURIComponent(tag)}`

  /** The tags that a page lists, each with the text of its row. */
  async function listed(viewer: DashboardBrowser) {
    const { text } = await viewer.get('/dashboard/tags')
    const rows = text.split('<tr>').slice(2)
    return rows.map((row) => plainText({ text: row }).trim())
  }

  beforeAll(async () => {
    other = await newOwner(service, 'Rival')
    editor = await signedInMember(service, BEN)
  })

  test('lists the tags of the owner, most used first; the administrator sees those of all workspaces', async () => {
    await create('print, Été')
    await create('print')
    await create('PRINT', other)
    expect(await listed(editor)).toEqual(['print 2 Rename or delete', 'Été 1 Rename or delete'])
    const creator = await signedInMember(service)
    expect(await listed(creator)).toEqual(['print 2', 'Été 1'])
    const suggested = async (of: typeof browser, path: string) => {
      const [, list = ''] =
        /<datalist id="tags-list">(.*?)<\/datalist>/s.exec((await of.get(path)).text) ?? []
      return [...list.matchAll(/value="([^"]*)"/g)].map(([, value]) => value)
    }
    expect(await suggested(creator, '/dashboard/links/new')).toEqual(['print', 'Été'])
    const printed = await create('print')
    const suggestions = await suggested(browser, `/dashboard/links/${printed.name}/edit`)
    expect(suggestions).toEqual(['print, Été'])
    expect(await suggested(browser, '/dashboard/links/new')).toEqual([])
    const all = await listed(browser)
    expect(all[0]).toMatch(/^print 3 .+ Rename or delete$/)
    expect(all).toContain('PRINT 1 Rival Rename or delete')
  })

  test('a list filtered by tags shows the links with all of them, and its pages, orders and export keep the filter', async () => {
    const many = await Promise.all(Array.from({ length: 27 }, () => create('Many, x')))
    await create('x')
    const { text } = await editor.get('/dashboard?q=example&tag=MANY%2C+X&sort=oldest')
    expect(text).toContain('>27 links for “example”<')
    expect(text).toContain('value="MANY, X"')
    const query = 'q=example&amp;tag=MANY%2C+X'
    expect(text).toContain(`href="/dashboard?${query}&amp;sort=oldest&amp;page=2"`)
    expect(text).toContain(`href="/dashboard/links.csv?${query}"`)
    // On a row, and on the page of a link.
    expect(text).toContain('href="/dashboard?q=example&amp;tag=Many&amp;sort=oldest"')
    const page = await editor.get(`/dashboard/links/${many[0]?.name}`)
    expect(page.text).toContain('href="/dashboard?tag=Many"')
    const csv = (await editor.get('/dashboard/links.csv?tag=many,x')).text.trim().split('\r\n')
    expect(csv).toHaveLength(1 + 27)
    for (const row of csv.slice(1)) expect(row).toContain('"Many, x"')
    for (const viewer of [editor, browser]) {
      for (const filter of ['tag=many&page=2', 'tag=x,many&sort=title&state=active']) {
        expect((await viewer.get(`/dashboard?${filter}`)).text).toContain('>27 links<')
      }
      const none = await viewer.get('/dashboard?tag=many,%00/unknown')
      expect(none.text).toContain('>No links match these filters.<')
    }
  })

  test('renames a tag, and says at the field what is wrong with a name', async () => {
    const link = await create('spirng, kept')
    const path = pathOf('spirng')
    const form = await editor.get(path)
    expect(form.text).toContain('value="spirng"')
    for (const [name, error] of [
      ['', 'Enter one name, without commas.'],
      ['a, b', 'Enter one name, without commas.'],
      ['a/b', '“a/b” can’t be a tag.'],
      ['x'.repeat(41), 'Use at most 40 characters.'],
      ['a\0b', 'can’t be a tag.'],
    ] as const) {
      const refused = await editor.post(path, { name })
      expectPage(refused, 422, error)
      expect(refused.text).toContain('aria-describedby="name-error"')
      if (/^\P{Cc}+$/u.test(name)) expect(refused.text).toContain(`value="${name}"`)
    }
    expect(await tagsOf(link)).toEqual(['kept', 'spirng'])
    expect((await editor.post(path, { name: ' Spring   Sale ' })).location).toBe('/dashboard/tags')
    expect(await tagsOf(link)).toEqual(['kept', 'Spring Sale'])
    const page = await editor.get(`/dashboard/links/${link.name}`)
    expectPage(page, 200, 'Tags: “kept, spirng” → “kept, Spring Sale” Ben with Backhalf app')
    expect((await editor.get(path)).status).toBe(404)
    expect((await editor.post(path, { name: 'again' })).status).toBe(404)
    // Only the spelling.
    await editor.post(pathOf('spring sale'), { name: 'SPRING SALE' })
    expect(await tagsOf(link)).toEqual(['kept', 'SPRING SALE'])
  })

  test('asks before a tag is merged into another one, with the numbers of links', async () => {
    const wrong = await create('autmn')
    const links = [wrong, await create('autmn, Autumn'), await create('Autumn')]
    const theirs = await create('autmn', other)
    const asked = await editor.submit(pathOf('autmn'), { name: 'AUTUMN' })
    const exists = 'The tag “Autumn” already exists, on 2 links.'
    expectPage(asked, 409, 'Merge “autmn” into “Autumn”?', exists, '2 links with “autmn”')
    expect(await tagsOf(wrong)).toEqual(['autmn'])
    expect((await editor.submit(pathOf('autmn'), {}, asked)).location).toBe('/dashboard/tags')
    for (const link of links) expect(await tagsOf(link)).toEqual(['Autumn'])
    expect(await tagsOf(theirs, other)).toEqual(['autmn'])
  })

  test('deletes a tag from its links only after its button is pressed', async () => {
    const [one, two] = [await create('obsolete'), await create('obsolete, good')]
    expectPage(await editor.get(pathOf('obsolete')), 200, 'The tag is removed from 2 links.')
    expect((await editor.post(pathOf('obsolete'))).status).toBe(422)
    expect(await tagsOf(one)).toEqual(['obsolete'])
    const done = await editor.post(pathOf('obsolete'), { delete: 'true' })
    expect(done.location).toBe('/dashboard/tags')
    expect(await tagsOf(one)).toBeUndefined()
    expect(await tagsOf(two)).toEqual(['good'])
    const page = await editor.get(`/dashboard/links/${one.name}`)
    expectPage(page, 200, 'Tags: “obsolete” → none')
  })

  test('if two people merge two tags into each other at the same time, both requests end, and no link loses its tag', async () => {
    const { database, ownerId } = service
    const rows = Array.from({ length: 1_200 }, (_, at) =>
      linkRow(randomUUID(), { owner_id: ownerId, tags: at % 2 === 0 ? 'heads' : 'tails' }),
    )
    await addLinks(database, ...rows)
    await addTagSets(database.db, rows.slice(0, 2))
    const answers = await Promise.all([
      browser.post(pathOf('heads'), { merge: 'tails' }),
      editor.post(pathOf('tails'), { merge: 'heads' }),
    ])
    for (const answer of answers) {
      // Their writes can alternate until one of them gives up.
      if (answer.status !== 303) expectPage(answer, 409, 'Some links still have this tag')
    }
    const found = database.db.selectFrom('links').select('tags').where('owner_id', '=', ownerId)
    const tags = (await found.execute()).filter((one) => /^(heads|tails)$/.test(one.tags ?? ''))
    expect(tags).toHaveLength(rows.length)
  })

  test('only people who can change all links of an owner can change its tags, and others are told why', async () => {
    const [own, theirs] = [await create('guarded'), await create('guarded', other)]
    const scopes = ['shortlinks:read', 'shortlinks:update', 'dashboard:sign_in']
    const limited = await keyWith(service, { scopes, domainIds: ['default'] })
    const reader = await keyWith(service, { scopes: ['shortlinks:read', 'dashboard:sign_in'] })
    for (const [viewer, reason] of [
      [await signedInMember(service), 'Ask an admin of your Slack workspace'],
      [await signedInMember({ ...service, ...limited }, BEN), 'can’t reach all domains'],
      [await signedInMember({ ...service, ...reader }, BEN), '(shortlinks:update)'],
      [await signedInMember(other, BEN), 'Page not found'],
    ] as const) {
      const page = await viewer.get('/dashboard/tags')
      expect(page.text.includes('Rename or delete')).toBe(reason === 'Page not found')
      for (const fields of [{ name: 'stolen' }, { delete: 'true' }]) {
        const refused = await viewer.post(pathOf('guarded'), fields)
        expect([403, 404]).toContain(refused.status)
        expect(plainText(refused)).toContain(reason)
      }
    }
    expect([await tagsOf(own), await tagsOf(theirs, other)]).toEqual([['guarded'], ['guarded']])
  })
})
