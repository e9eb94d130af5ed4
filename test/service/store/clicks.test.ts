import { expect, test } from 'vitest'
import { addClicks, clicksByDay, countClicks } from '../../../src/service/store/clicks.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { postForm } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

describeOnEveryDatabase((opened) => {
  test('adds up the clicks of many days', async () => {
    const service = await startService({ databaseUrl: opened.url })
    await postForm(service, { destination_url: 'https://example.com/', domain: 'default' })
    await service.close()
    const { db } = opened.database
    const { id } = await db.selectFrom('links').select('id').executeTakeFirstOrThrow()
    const rows = Array.from({ length: 200 }, (_, at) => ({
      link_id: id,
      day: new Date(at * 86_400_000).toISOString().slice(0, 10),
      people: 2,
      bots: 1,
    }))
    await addClicks(db, rows)
    await addClicks(db, rows.slice(-1))
    expect(await countClicks(db, [id, 'unknown'])).toEqual(new Map([[id, 402]]))
    expect(await countClicks(db, [])).toEqual(new Map())
    expect(await clicksByDay(db, id, 2)).toEqual([
      { link_id: id, day: '1970-07-19', people: 4, bots: 2 },
      { link_id: id, day: '1970-07-18', people: 2, bots: 1 },
    ])
  })
})
