import { expect, test } from 'vitest'
import type { z } from 'zod'
import { TAGS_PATH } from '../../../src/contract/endpoints.ts'
import type { tagsEnvelope } from '../../../src/contract/extension-calls.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { describeService } from '../../support/fixtures.ts'
import { addDomainRecord } from '../../support/rows.ts'
import {
  callLink,
  create,
  errorsIn,
  keyWith,
  linkIn,
  listed,
  newLink,
  newOwner,
  request,
  type Caller,
} from '../../support/service-calls.ts'

describeService((service) => {
  const patch = (name: string, tags: string, caller: Caller = service) =>
    callLink(caller, 'PATCH', name, { fields: { tags } })

  const tagsOf = async (caller: Caller) => {
    const { body } = await request(caller, 'GET', TAGS_PATH)
    const { data } = body as z.infer<typeof tagsEnvelope>
    return data.tags.map(({ name, links }) => `${name}: ${links}`)
  }

  test('a tag keeps the spelling that its owner used first', async () => {
    const first = await newLink(service, { tags: 'Spring sale, print' })
    expect(first.tags).toEqual(['print', 'Spring sale'])
    const { name, tags } = await newLink(service, { tags: ' spring  SALE ,PRINT, new' })
    expect(tags).toEqual(['new', 'print', 'Spring sale'])
    expect(linkIn(await patch(name, 'PRINT')).tags).toEqual(['print'])
    const other = await newOwner(service, 'Another')
    expect((await newLink(other, { tags: 'PRINT' })).tags).toEqual(['PRINT'])
  })

  test('a key that can’t reach a domain record does not learn how tags are spelled there', async () => {
    await addDomainRecord(service.database, 'hidden', service.ownerId)
    await newLink(service, { tags: 'ProJect X', domain: 'hidden' })
    const limited = await keyWith(service, {
      scopes: ['shortlinks:read', 'shortlinks:create', 'shortlinks:update'],
      domainIds: ['default'],
    })
    const { name, tags } = await newLink(limited, { tags: 'project x' })
    expect(tags).toEqual(['project x'])
    await patch(name, 'other', limited)
    expect(linkIn(await patch(name, 'PROJECT X', limited)).tags).toEqual(['PROJECT X'])
    expect((await newLink(limited, { tags: 'Project x' })).tags).toEqual(['PROJECT X'])
  })

  test('a PATCH that only spells tags differently changes nothing', async () => {
    const { name } = await newLink(service, { tags: 'Été, summer' })
    const { headers, body } = await patch(name, 'SUMMER, e\u0301te\u0301')
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toMatchObject({ data: { message: 'Nothing was changed.' } })
  })

  test('invalid tags are refused at their field, in a create and in a change', async () => {
    const error =
      '“a/b” can’t be a tag. Use letters, digits, spaces, - and _, and separate tags with commas.'
    expect(errorsIn(await create(service, { tags: 'fine, a/b' }))).toEqual({ tags: [error] })
    const changed = await patch((await newLink(service)).name, 'a/b')
    expect(errorsIn(changed)).toEqual({ tags: [error] })
  })

  test('the longest tags are stored and found', async () => {
    const letters = Array.from({ length: 40 }, (_, at) => String.fromCodePoint(0x10428 + at))
    const tags = Array.from({ length: 10 }, (_, at) =>
      [...letters.slice(at), ...letters.slice(0, at)].join(''),
    )
    expect((await newLink(service, { tags: tags.join() })).tags).toEqual(tags.toSorted())
    const query = new URLSearchParams({ tag: tags.join() }).toString()
    expect((await listed(service, query)).pagination.total_items).toBe(1)
  })

  test('a set of tags is removed once no link has it', async () => {
    const links = [1, 2, 3].map(() => newLink(service, { tags: 'rare' }))
    const [first = '', second = '', third = ''] = (await Promise.all(links)).map(({ name }) => name)
    const sets = service.database.db.selectFrom('tag_sets').select('name').where('key', '=', 'rare')
    await patch(first, '')
    await patch(second, 'other')
    expect(await sets.execute()).toEqual([{ name: 'rare' }])
    await callLink(service, 'DELETE', third)
    expect(await sets.execute()).toEqual([])
    expect((await newLink(service, { tags: 'RARE' })).tags).toEqual(['RARE'])
  })

  test('a list shows the links with all of the tags, in every order and to every key', async () => {
    await addDomainRecord(service.database, 'side')
    const sets = ['winter, sale', 'Sale', 'WINTER', '', 'new, winter, sale', 'winter']
    for (const [at, tags] of sets.entries()) {
      const fields = { destination_url: `https://example.com/listed/${at}`, title: `${at}`, tags }
      const { name } = await newLink(service, { ...fields, domain: at < 3 ? 'default' : 'side' })
      const clicks = { link_id: name, day: '2027-03-01', people: (at * 2) % 5, bots: 0 }
      await service.database.write(addClicks([clicks]))
    }
    const onSide = await keyWith(service, { domainIds: ['side'] })
    const other = await newOwner(service, 'Lists')
    for (const [query, titles, total, caller = service] of [
      ['tag=winter', '5 4 2 0', 4],
      ['tag=sale,Winter', '4 0', 2],
      ['tag=SALE&tag=winter&tag=sale', '4 0', 2],
      ['tag=winter&sort_by=created_at&order=asc', '0 2 4 5', 4],
      ['tag=winter&sort_by=updated_at&per_page=3&page=2', '0', 4],
      ['tag=winter&sort_by=clicks', '2 4 5 0', 4],
      ['tag=winter&sort_by=clicks&order=asc&per_page=3&page=2', '2', 4],
      ['tag=winter&q=example.com/listed', '5 4 2 0', 4],
      ['tag=sale&q=listed/4&sort_by=clicks', '4', 1],
      ['tag=winter', '5 4', 2, onSide],
      ['tag=winter&sort_by=clicks', '4 5', 2, onSide],
      ['tag=winter&q=example.com', '5 4', 2, onSide],
      ['tag=nowhere', '', 0],
      ['tag=winter', '', 0, other],
    ] as const) {
      const { shortlinks, pagination } = await listed(caller, query)
      const found = shortlinks.map(({ title }) => title).join(' ')
      expect([query, found, pagination.total_items]).toEqual([query, titles, total])
    }
    expect(await tagsOf(onSide)).toEqual(['winter: 2', 'new: 1', 'sale: 1'])
  })

  test('lists the hundred most used tags, whatever their spelling in the links', async () => {
    const owner = await newOwner(service, 'Tags')
    expect(await tagsOf(owner)).toEqual([])
    const { name } = await newLink(owner, { tags: 'Rare, common, often' })
    await newLink(owner, { tags: 'COMMON, often' })
    const last = await newLink(owner, { tags: 'common' })
    expect(await tagsOf(owner)).toEqual(['common: 3', 'often: 2', 'Rare: 1'])
    await callLink(owner, 'DELETE', last.name)
    await patch(name, 'often, rare', owner)
    expect(await tagsOf(owner)).toEqual(['often: 2', 'common: 1', 'Rare: 1'])
    for (let at = 0; at < 10; at++) {
      await newLink(owner, { tags: Array.from({ length: 10 }, (_, tag) => `x${at}-${tag}`).join() })
    }
    const all = await tagsOf(owner)
    expect([all.length, all[0]]).toEqual([100, 'often: 2'])
  })
})
