import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { tagsEnvelope } from '../../../src/contract/extension-calls.ts'
import type { LinkList } from '../../../src/service/api/list-links.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { describeService } from '../../support/fixtures.ts'
import {
  call,
  callLink,
  codeIn,
  errorIn,
  getList,
  keyWith,
  linkIn,
  newOwner,
  postForm,
  type Caller,
} from '../../support/service-calls.ts'
import type { RunningService } from '../../support/service.ts'

describeService(declareTests)

function declareTests(service: RunningService): void {
  let links = 0
  const create = async (tags: string, caller: Caller = service) =>
    postForm(caller, {
      destination_url: `https://example.com/tags/${links++}`,
      domain: 'default',
      tags,
    })
  const patch = async (name: string, tags: string, caller: Caller = service) =>
    callLink(caller, 'PATCH', name, { fields: { tags } })

  const getTags = async ({ baseUrl, apiKey }: Caller) =>
    call(`${baseUrl}/api/v1/tags`, { headers: { 'x-api-key': apiKey } })
  const tagsOf = async (caller: Caller) => {
    const { data } = (await getTags(caller)).body as z.infer<typeof tagsEnvelope>
    return data.tags.map(({ name, links }) => `${name}: ${links}`)
  }

  test('a tag keeps the spelling that its owner used first', async () => {
    expect(linkIn(await create('Spring sale, print')).tags).toEqual(['print', 'Spring sale'])
    const { name, tags } = linkIn(await create(' spring  SALE ,PRINT, new'))
    expect(tags).toEqual(['new', 'print', 'Spring sale'])
    expect(linkIn(await patch(name, 'PRINT')).tags).toEqual(['print'])
    const other = await newOwner(service, 'Another')
    expect(linkIn(await create('PRINT', other)).tags).toEqual(['PRINT'])
  })

  test('a PATCH that only spells tags differently changes nothing', async () => {
    const { name } = linkIn(await create('Été, summer'))
    const { headers, body } = await patch(name, 'SUMMER, e\u0301te\u0301')
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toMatchObject({ data: { message: 'Nothing was changed.' } })
  })

  test('invalid tags are refused at their field, in a create and in a change', async () => {
    const fields = {
      tags: [
        '“a/b” can’t be a tag. Use letters, digits, spaces, - and _, and separate tags with commas.',
      ],
    }
    expect(errorIn(await create('fine, a/b'))).toEqual([422, 'VALIDATION_ERROR', { fields }])
    const { name } = linkIn(await create('fine'))
    expect(errorIn(await patch(name, 'a/b'))).toEqual([422, 'VALIDATION_ERROR', { fields }])
  })

  test('the longest tags are stored and found', async () => {
    const letters = Array.from({ length: 40 }, (_, at) => String.fromCodePoint(0x10428 + at))
    const tags = Array.from({ length: 10 }, (_, at) =>
      [...letters.slice(at), ...letters.slice(0, at)].join(''),
    )
    expect(linkIn(await create(tags.join())).tags).toEqual(tags.toSorted())
    const query = new URLSearchParams({ tag: tags.join() }).toString()
    expect((await getList(service, query)).body).toMatchObject({
      data: { pagination: { total_items: 1 } },
    })
  })

  test('a set of tags is removed once no link has it', async () => {
    const first = linkIn(await create('rare'))
    const second = linkIn(await create('rare'))
    const third = linkIn(await create('rare'))
    const isStored = async () => {
      const { db } = service.database
      const rows = await db
        .selectFrom('tag_sets')
        .select('name')
        .where('key', '=', 'rare')
        .execute()
      return rows.length > 0
    }
    await patch(first.name, '')
    await patch(second.name, 'other')
    expect(await isStored()).toBe(true)
    await callLink(service, 'DELETE', third.name)
    expect(await isStored()).toBe(false)
    expect(linkIn(await create('RARE')).tags).toEqual(['RARE'])
  })

  test('a list shows the links with all of the tags, in every order and to every key', async () => {
    const { database, ownerId } = service
    const record = { id: 'side', domain_name: 'side.example.com', owner_id: ownerId, created_at: 0 }
    await addDomain(database.db, record)
    const sets = ['winter, sale', 'Sale', 'WINTER', '', 'new, winter, sale', 'winter']
    for (const [at, tags] of sets.entries()) {
      const fields = { destination_url: `https://example.com/listed/${at}`, title: `${at}`, tags }
      const domain = at < 3 ? 'default' : 'side'
      const { name } = linkIn(await postForm(service, { ...fields, domain }))
      const clicks = { link_id: name, day: '2027-03-01', people: (at * 2) % 5, bots: 0 }
      await database.write(addClicks([clicks]))
    }
    const onSide = await keyWith(service, { domainIds: ['side'] })
    /** The titles on a page, and the total. */
    const listed = async (query: string, caller: Caller = service) => {
      const { data } = (await getList(caller, query)).body as LinkList
      return [data.shortlinks.map(({ title }) => title).join(' '), data.pagination.total_items]
    }
    expect(await listed('tag=winter')).toEqual(['5 4 2 0', 4])
    for (const both of ['tag=sale,Winter', 'tag=SALE&tag=winter&tag=sale', 'tag=winter,%20sale']) {
      expect(await listed(both)).toEqual(['4 0', 2])
    }
    for (const sort of ['most_recent', 'created_at', 'updated_at']) {
      const query = `tag=winter&sort_by=${sort}`
      expect(await listed(`${query}&order=asc`)).toEqual(['0 2 4 5', 4])
      expect(await listed(`${query}&per_page=3&page=2`)).toEqual(['0', 4])
    }
    expect(await listed('tag=winter&sort_by=clicks')).toEqual(['2 4 5 0', 4])
    expect(await listed('tag=winter&sort_by=clicks&order=asc&per_page=3&page=2')).toEqual(['2', 4])
    expect(await listed('tag=winter&q=example.com/listed')).toEqual(['5 4 2 0', 4])
    expect(await listed('tag=sale&q=listed/4&sort_by=clicks')).toEqual(['4', 1])
    expect(await listed('tag=winter', onSide)).toEqual(['5 4', 2])
    expect(await listed('tag=winter&sort_by=clicks', onSide)).toEqual(['4 5', 2])
    expect(await listed('tag=winter&q=example.com', onSide)).toEqual(['5 4', 2])
    expect(await listed('tag=nowhere')).toEqual(['', 0])
    expect(await tagsOf(onSide)).toEqual(['winter: 2', 'new: 1', 'sale: 1'])
    expect(await listed('tag=winter', await newOwner(service, 'Lists'))).toEqual(['', 0])
  })

  test('lists the hundred most used tags, whatever their spelling in the links', async () => {
    const owner = await newOwner(service, 'Tags')
    const { name } = linkIn(await create('Rare, common, often', owner))
    await create('COMMON, often', owner)
    const last = linkIn(await create('common', owner))
    const expected = ['common: 3', 'often: 2', 'Rare: 1']
    expect(await tagsOf(owner)).toEqual(expected)
    await callLink(owner, 'DELETE', last.name)
    await patch(name, 'often, rare', owner)
    expect(await tagsOf(owner)).toEqual(['often: 2', 'common: 1', 'Rare: 1'])
    for (let at = 0; at < 10; at++) {
      await create(Array.from({ length: 10 }, (_, tag) => `x${at}-${tag}`).join(), owner)
    }
    const all = await tagsOf(owner)
    expect([all.length, all[0]]).toEqual([100, 'often: 2'])
    const writer = await keyWith(service, { scopes: ['shortlinks:create'] })
    expect(codeIn(await getTags(writer))).toBe('403 PERMISSION_DENIED')
    expect(await tagsOf(await newOwner(service, 'Untagged'))).toEqual([])
  })
}
