import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDomain } from '../../../src/service/store/domains.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { SCOPES } from '../../../src/service/store/scopes.ts'
import {
  type DashboardBrowser,
  expectPage,
  formTo,
  multipartForm,
  type Page,
  plainText,
  signedInMember,
  submitAndStream,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { isFullRun } from '../../support/full-run.ts'
import { changeLink } from '../../support/links.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import { callLink, keyWith, newLink } from '../../support/service-calls.ts'

const LIST = '/dashboard'
const bulk = (action: string) => `/dashboard/bulk/${action}`

const LONG_TAGS = Array.from({ length: 10 }, (_, at) => `t${at}`).join()

/** The more frequent, the more often. */
const ACTIONS = ['tags', 'tags', 'expiry', 'expiry', 'turn-off', 'turn-off', 'turn-on', 'delete']

const EDITOR = { role: 'editor' } as const

const ANA = { id: 'T0TEST-U0ANA', name: 'Ana' }

describeService((service, browser) => {
  const linksNamed = (prefix: string) =>
    service.database.db
      .selectFrom('links')
      .selectAll()
      .where('back_half', 'like', `${prefix}-%`)
      .where('alias_of', 'is', null)
      .orderBy('back_half')
      .execute()

  /** Adds links PREFIX-000, PREFIX-001 and so on, with the title PREFIX. @returns their ids */
  async function add(prefix: string, count: number, more: Parameters<typeof linkRow>[1] = {}) {
    const rows = Array.from({ length: count }, (_, at) =>
      linkRow(randomUUID(), {
        owner_id: service.ownerId,
        title: prefix,
        back_half: `${prefix}-${String(at).padStart(3, '0')}`,
        destination_url: `https://${prefix}.test/${at}`,
        ...more,
      }),
    )
    await addLinks(service.database, ...rows)
    return rows.map(({ id }) => id)
  }

  const historyOf = async (id: string) => {
    const rows = service.database.db.selectFrom('link_history').selectAll()
    return rows.where('link_id', '=', id).execute()
  }

  /** Opens the confirmation for links, as the list does. */
  const choose = (action: string, ids: readonly string[], by = browser) =>
    by.get(`${bulk(action)}?${new URLSearchParams(ids.map((id) => ['link', id])).toString()}`)

  const confirm = (action: string, page: Page, fields: Record<string, string> = {}, by = browser) =>
    by.submit(bulk(action), fields, page)

  /** Does something with links, in two steps. */
  async function change(
    action: string,
    ids: readonly string[],
    fields: Record<string, string> = {},
    by: DashboardBrowser = browser,
  ) {
    const page = await choose(action, ids, by)
    expect(page.status).toBe(200)
    return confirm(action, page, fields, by)
  }

  const summaryOf = ({ text }: Page) =>
    /role="status">([^<]+)/.exec(text)?.[1]?.replaceAll(/\s+/g, ' ').trim()

  test('the list has a box for each link, and buttons that say what is done', async () => {
    const ids = await add('listed', 3)
    const page = await browser.get(`${LIST}?q=listed`)
    for (const id of ids) expect(page.text).toContain(`name="link" value="${id}"`)
    const text = plainText(page)
    for (const label of ['Change tags…', 'Set an expiry…', 'Turn off…', 'Delete…']) {
      expect(text).toContain(label)
    }
    expect(text).not.toContain('links that match')
    expect((await browser.get(`${LIST}?state=deleted`)).text).not.toContain('name="link"')
  })

  test('the tags of the chosen links are changed, each with one entry in its history', async () => {
    const ids: string[] = []
    for (const [at, tags] of ['kept, old', 'new', '', ''].entries()) {
      const { name } = await newLink(service, { back_half: `tags-${at}`, tags, title: 'tags' })
      ids.push(name)
    }
    const page = await choose('tags', ids.slice(0, 3))
    expectPage(page, 200, 'Change the tags of 3 links?', '/tags-0', '/tags-1', '/tags-2')
    const done = await confirm('tags', page, { add: 'New', remove: 'OLD, missing' })
    expect(summaryOf(done)).toBe('2 links changed, 1 unchanged, 0 skipped.')
    const tags = (await linksNamed('tags')).map((link) => link.tags)
    expect(tags).toEqual(['kept,new', 'new', 'new', null])
    const entries = ids.map(async (id) => (await historyOf(id)).length)
    expect(await Promise.all(entries)).toEqual([1, 0, 1, 0])
    expectPage(await browser.get(`${LIST}?tag=new&q=tags`), 200, '3 links')
  })

  test('explains wrong tags and expiries at their fields, and keeps what was chosen', async () => {
    const ids = await add('wrong', 2)
    const page = await choose('tags', ids)
    const none = await confirm('tags', page)
    expectPage(none, 422, 'Enter a tag to add or to remove.', 'wrong-000', 'wrong-001')
    const both = await confirm('tags', none, { add: 'a,!', remove: '' })
    expectPage(both, 422, '“!” can’t be a tag.')
    const same = await confirm('tags', both, { add: 'a, b', remove: 'B' })
    expectPage(same, 422, '“b” is also a tag to add.')
    expect(summaryOf(await confirm('tags', same, { add: 'a', remove: '' }))).toMatch(/^2 links/)
    for (const [expires_at, error] of [
      ['soon', 'Use a date like 2027-12-31'],
      ['2001-01-01T00:00', 'Use a time in the future.'],
    ] as const) {
      expectPage(await change('expiry', ids, { expires_at }), 422, error)
    }
    expect((await linksNamed('wrong')).map(({ expires_at }) => expires_at)).toEqual([null, null])
  })

  test('an expiry is set and removed, and links that can’t have it are skipped with the reason', async () => {
    const ids = await add('expiry', 3)
    const time = '2999-05-06T07:08'
    expect(summaryOf(await change('expiry', ids, { expires_at: time }))).toBe(
      '3 links changed, 0 unchanged, 0 skipped.',
    )
    const times = async () => (await linksNamed('expiry')).map(({ expires_at }) => expires_at)
    expect(await times()).toEqual(Array<number>(3).fill(Date.parse(`${time}:00Z`)))
    // One has expired, and another link has its destination now.
    const fields = { destination_url: 'https://taken.test/' }
    const expired = await newLink(service, { ...fields, back_half: 'expiry-900' })
    await changeLink(service.database, 'expiry-900', { expires_at: 1 })
    const { shortlink_url } = await newLink(service, fields)
    const removed = await change('expiry', [...ids, expired.name], { expires_at: '' })
    expect(summaryOf(removed)).toBe('3 links changed, 0 unchanged, 1 skipped.')
    const reason = 'This destination already has a short link on this domain'
    expectPage(removed, 200, reason, shortlink_url)
    expect(await times()).toEqual([null, null, null, 1])
  })

  test('Undo turns on exactly the links that were turned off', async () => {
    const ids = await add('undo', 3)
    await callLink(service, 'PATCH', ids[0] ?? '', { fields: { enabled: 'false' } })
    const done = await change('turn-off', ids)
    expect(summaryOf(done)).toBe('2 links turned off, 1 unchanged, 0 skipped.')
    expect(done.text).toMatch(
      /class="actions"><form [^]*Undo[^]*<a [^>]*>Back to the links<\/a><\/div>/,
    )
    const states = async () => (await linksNamed('undo')).map(({ enabled }) => enabled)
    expect(await states()).toEqual([0, 0, 0])
    const undone = await browser.submit(bulk('turn-on'), {}, done)
    expect(summaryOf(undone)).toBe('2 links turned on, 0 unchanged, 0 skipped.')
    expect(await states()).toEqual([0, 1, 1])
    expect((await historyOf(ids[1] ?? '')).length).toBe(2)
  })

  test('a form that is submitted twice changes nothing twice', async () => {
    const ids = await add('twice', 3)
    const page = await choose('delete', ids)
    expectPage(page, 200, 'Delete 3 links?')
    const [first, second] = await Promise.all([confirm('delete', page), confirm('delete', page)])
    const sums = [first, second].map((one) => Number(summaryOf(one)?.split(' ')[0]))
    expect(sums.reduce((sum, count) => sum + count)).toBe(3)
    const third = await confirm('delete', page)
    expect(summaryOf(third)).toBe('0 links deleted, 3 unchanged, 0 skipped.')
    const links = await linksNamed('twice')
    expect(links.every((link) => link.deleted_at !== null)).toBe(true)
    for (const id of ids) expect(await historyOf(id)).toHaveLength(1)
    expectPage(await choose('turn-off', ids), 422, 'No links are selected')
  })

  test('all links that match the filters and the search are changed, and no others', async () => {
    await add('match', 60)
    await add('match-other', 3, { enabled: 0 })
    const page = await browser.get(`${LIST}?q=match&state=active`)
    expectPage(page, 200, 'All 60 links that match')
    // As browsers send the form of the list: with its hidden filters, and the box.
    const form = formTo(bulk('turn-off'), page)
    form.set('all', 'true')
    const query = new URLSearchParams([...form] as [string, string][])
    expect(Object.fromEntries(query)).toEqual({ q: 'match', state: 'active', all: 'true' })
    const confirmation = await browser.get(`${bulk('tags')}?${query.toString()}`)
    expectPage(confirmation, 200, 'Change the tags of 60 links?', 'and 50 more')
    // A link that is added after the confirmation is not changed.
    await add('match-later', 1)
    const done = await confirm('tags', confirmation, { add: 'matched' })
    expect(summaryOf(done)).toBe('60 links changed, 0 unchanged, 0 skipped.')
    expect(done.text).toContain('href="/dashboard?q=match&amp;state=active"')
    const tagged = (await linksNamed('match')).filter(({ tags }) => tags === 'matched')
    expect(tagged).toHaveLength(60)
    const others = await linksNamed('match-other')
    expect(others.map(({ tags }) => tags)).toEqual([null, null, null])
  })

  test('a creator changes only their own links, and the page says how many are left out', async () => {
    const own = await add('own', 2, { person_id: ANA.id, person_name: ANA.name })
    const theirs = await add('own-not', 3, { person_id: 'T0TEST-U0BEN' })
    const ana = await signedInMember(await keyWith(service, { scopes: SCOPES }), ANA)
    const list = await ana.get(`${LIST}?q=own-`)
    for (const id of own) expect(list.text).toContain(`value="${id}"`)
    for (const id of theirs) expect(list.text).not.toContain(`value="${id}"`)
    const page = await ana.get(`${bulk('turn-off')}?q=own-&all=true`)
    const leftOut =
      '3 other links are left out, because you can change only links that you created.'
    expectPage(page, 200, 'Turn off 2 links?', leftOut)
    // A forged form with the ids of others.
    const large_text = [...own, ...theirs].join()
    const done = await ana.submit(bulk('turn-off'), { large_text }, page)
    expect(summaryOf(done)).toBe('2 links turned off, 0 unchanged, 3 skipped.')
    expectPage(done, 200, 'You can change only links that you created.')
    expect((await linksNamed('own')).map(({ enabled }) => enabled)).toEqual([0, 0, 1, 1, 1])
    const [entry] = await historyOf(own[0] ?? '')
    expect(entry).toMatchObject({ person_id: ANA.id })
  })

  test('a member neither changes nor learns of links that the key can’t reach', async () => {
    const { db } = service.database
    const other = await addOwner(db, { kind: 'organization', name: 'Secret', created_at: 1 })
    await addDomain(db, { id: 'far', domain_name: 'far.example', owner_id: null, created_at: 1 })
    const near = await add('reach', 1)
    const far = await add('reach-far', 1, { domain_id: 'far', hostname: 'far.example' })
    const theirs = await add('reach-theirs', 1, { owner_id: other.id })
    const limited = await keyWith(service, { scopes: SCOPES, domainIds: ['default'] })
    const editor = await signedInMember(limited, EDITOR)
    for (const query of [
      `all=true&q=reach`,
      `all=true&q=reach&domain=far`,
      `all=true&q=reach&owner=${other.id}`,
      [...near, ...far, ...theirs].map((id) => `link=${id}`).join('&'),
    ]) {
      const page = await editor.get(`${bulk('delete')}?${query}`)
      expect(page.text).not.toMatch(/reach-far|reach-theirs/)
      expect(plainText(page)).toMatch(/Delete 1 link\?|No links are selected/)
    }
    const large_text = [...near, ...far, ...theirs].join()
    const page = await choose('delete', near, editor)
    const done = await editor.submit(bulk('delete'), { large_text }, page)
    expect(summaryOf(done)).toBe('1 link deleted, 0 unchanged, 2 skipped.')
    expect(done.text).not.toMatch(/reach-far|reach-theirs|far\.example/)
    const left = [...(await linksNamed('reach-far')), ...(await linksNamed('reach-theirs'))]
    expect(left.map(({ deleted_at }) => deleted_at)).toEqual([null, null])
  })

  test('a key that can’t delete offers everything else', async () => {
    const [id = ''] = await add('nodelete', 1)
    const scopes = ['shortlinks:read', 'shortlinks:update', 'dashboard:sign_in']
    const editor = await signedInMember(await keyWith(service, { scopes }), EDITOR)
    const text = plainText(await editor.get(LIST))
    expect([text.includes('Turn off…'), text.includes('Delete…')]).toEqual([true, false])
    expect((await choose('delete', [id], editor)).status).toBe(403)
    expect(summaryOf(await change('turn-off', [id], {}, editor))).toMatch(/^1 link turned off/)
  })

  test('more than 200 links are changed even if the page is closed', async () => {
    await add('closed', 420)
    const page = await browser.get(`${bulk('turn-off')}?q=closed&all=true`)
    expectPage(page, 200, 'Turn off 420 links?')
    for await (const _ of submitAndStream(service, browser, bulk('turn-off'), page)) break
    // This waits for the first job of the owner.
    expect(summaryOf(await browser.submit(bulk('turn-off'), {}, page))).toBe(
      '0 links turned off, 420 unchanged, 0 skipped.',
    )
  })

  if (isFullRun) {
    test('at most 10,000 links are changed at once', async () => {
      const ids = await add('many', 10_001)
      const [first = ''] = ids
      const tooMany = await browser.get(`${bulk('tags')}?q=many&all=true`)
      expectPage(tooMany, 422, 'You can change at most 10,000 links at once.')
      const some = await choose('tags', [first])
      const forged = await browser.submit(bulk('tags'), { large_text: ids.join(), add: 'x' }, some)
      expect(forged.status).toBe(422)
      await callLink(service, 'DELETE', first)
      const all = await browser.get(`${bulk('tags')}?q=many&all=true`)
      expectPage(all, 200, 'Change the tags of 10,000 links?')
      expectPage(await confirm('tags', all), 422, 'Enter a tag to add or to remove.')
    })
  }

  test('two changes at the same time lose no tags: each is saved, or skipped with the reason', async () => {
    const ids = await add('race', 60)
    const editor = await signedInMember(await keyWith(service, { scopes: SCOPES }), EDITOR)
    const [one, two] = await Promise.all([
      change('tags', ids, { add: 'one' }),
      change('tags', ids, { add: 'two' }, editor),
    ])
    const links = await linksNamed('race')
    for (const [page, tag] of [
      [one, 'one'],
      [two, 'two'],
    ] as const) {
      const tagged = links.filter(({ tags }) => tags?.split(',').includes(tag)).length
      const skipped = ids.length - tagged
      expect(summaryOf(page)).toBe(
        `${tagged} ${tagged === 1 ? 'link' : 'links'} changed, 0 unchanged, ${skipped} skipped.`,
      )
      const reasons = page.text.split('This link was changed at the same time. Try again.').length
      expect(reasons - 1).toBe(skipped)
    }
  })

  test('whatever is done to which links, the page says what the service then holds', async () => {
    const ids = await add('random', 12)
    let round = 0
    const step = fc.record({
      action: fc.constantFrom(...ACTIONS),
      chosen: fc.uniqueArray(fc.nat(11), { minLength: 1 }),
      add: fc.constantFrom('', 'a', 'b, c', LONG_TAGS),
      remove: fc.constantFrom('', 'a', 'C'),
      expires_at: fc.constantFrom('', '2999-01-01T00:00', '2999-01-02T00:00'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        round++
        for (const { action, chosen, ...fields } of steps) {
          const before = await linksNamed('random')
          const picked = chosen.map((at) => ids[at] ?? '')
          const large_text = picked.join()
          // The form of another action has the same fields, besides those of its own.
          const body = multipartForm({ large_text, ...fields })
          const page = await browser.post(bulk(action), body)
          const after = await linksNamed('random')
          const isWrong = page.status === 422
          const changed = after.filter(({ revision }, at) => revision !== before[at]?.revision)
          const text = summaryOf(page) ?? '0 links, 0 unchanged, 0 skipped'
          const [counted, unchanged, skipped] = [...text.matchAll(/\d+/g)].map(Number)
          expect([round, counted]).toEqual([round, changed.length])
          if (!isWrong) {
            expect((counted ?? 0) + (unchanged ?? 0) + (skipped ?? 0)).toBe(picked.length)
          }
          for (const { id } of changed) expect(picked).toContain(id)
          for (const link of after) {
            const entries = await historyOf(link.id)
            if (link.deleted_at === null) expect(entries).toHaveLength(link.revision - 1)
          }
        }
      }),
      { numRuns: 8 },
    )
  })

  test.each([
    ['nothing', ''],
    ['something else', 'x'],
    ['no ids', 'a\u0000b,c'],
  ])('a form with %s changes nothing', async (_name, large_text) => {
    await browser.get(LIST)
    for (const action of ['turn-off', 'delete']) {
      const page = await browser.post(bulk(action), multipartForm({ large_text }))
      expectPage(page, 422, 'No links are selected')
    }
  })
})
