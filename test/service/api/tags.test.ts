import { expect, test } from 'vitest'
import { describeService } from '../../support/fixtures.ts'
import {
  callLink,
  errorIn,
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

  test('a tag keeps the spelling that its owner used first', async () => {
    expect(linkIn(await create('Spring sale, print')).tags).toEqual(['print', 'Spring sale'])
    const { name, tags } = linkIn(await create(' spring  SALE ,PRINT, new'))
    expect(tags).toEqual(['new', 'print', 'Spring sale'])
    expect(linkIn(await patch(name, 'PRINT')).tags).toEqual(['print'])
    const other = await newOwner(service, 'Another')
    expect(linkIn(await create('PRINT', other)).tags).toEqual(['PRINT'])
  })

  test('a change that only spells tags in another way changes nothing', async () => {
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

  test('nothing is stored about a set of tags once the last link has lost it', async () => {
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
}
