import { expect, test } from 'vitest'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { addClicks, countClicks, readClickReport } from '../../../src/service/store/clicks.ts'
import { createNightlyRemoval } from '../../../src/service/store/nightly-removal.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { rememberRequest } from '../../../src/service/store/repeated-requests.ts'
import { readReport } from '../../../src/service/store/report.ts'
import { describeOnEveryDatabase, type TestDatabase } from '../../support/databases.ts'
import { recordingLogger } from '../../support/recording-logger.ts'
import { addLinks, addOwners, linkRow, removeLinks } from '../../support/rows.ts'

const NIGHT = Date.parse('2027-03-01T02:30:00Z')
const addresses = createAddresses('https://go.example')

describeOnEveryDatabase((opened) => {
  function removal(time: number, days: number | null = 40) {
    const clicksDays = days ?? undefined
    const context = { ...opened.database, addresses, now: () => time }
    return createNightlyRemoval({ ...context, logger: recordingLogger().logger, clicksDays })
  }

  const rows = async () =>
    (await opened.database.db.selectFrom('clicks').select('day').execute()).length

  test('deletes clicks, referrers and sums that are too old, and keeps totals', async () => {
    const { db } = opened.database
    await clickedLinks(opened)
    await removal(NIGHT).run()
    const days = await db.selectFrom('clicks').select(['link_id', 'day']).orderBy('day').execute()
    expect(days).toEqual([
      { link_id: 'first', day: '2027-01-20' },
      { link_id: 'first', day: '2027-02-28' },
    ])
    const referrers = db.selectFrom('referrers').select('day').distinct().orderBy('day')
    expect(await referrers.execute()).toEqual([{ day: '2027-01-20' }, { day: '2027-02-28' }])
    const sums = db.selectFrom('segment_clicks').select('day').distinct().orderBy('day')
    expect(await sums.execute()).toEqual([{ day: 20270120 }, { day: 20270228 }])
    expect([await countClicks(db, 'first'), await countClicks(db, 'second')]).toEqual([8, 2])
  })

  test('reports say since when clicks are kept, and count later clicks', async () => {
    const { database } = opened
    await clickedLinks(opened)
    await removal(NIGHT).run()
    const clicks = (from: string) => readClickReport(database, 'first', { from, to: '2027-03-01' })
    expect(await clicks('2027-01-19')).toMatchObject({
      kept_since: '2027-01-20',
      total_people: 4,
      all_time_people: 8,
    })
    expect(await clicks('2027-01-20')).not.toHaveProperty('kept_since')
    await database.write(addClicks([{ link_id: 'second', day: '2027-03-01', people: 5, bots: 0 }]))
    const query = { to: '2027-03-01', group_by: 'utm_source', limit: 10 } as const
    const report = (from: string) =>
      readReport({ ...database, addresses }, { ownerId: 'acme' }, { from, ...query })
    expect(await report('2027-01-20')).toMatchObject({
      total_people: 9,
      kept_since: '2027-01-20',
      groups: [{ name: '', people: 9 }],
    })
    expect(await report('2027-02-20')).not.toHaveProperty('kept_since')
  })

  test('works once a night, and only at night', async () => {
    await clickedLinks(opened)
    await removal(Date.parse('2027-03-01T12:00:00Z')).run()
    expect(await rows()).toBe(4)
    await Promise.all([removal(NIGHT).run(), removal(NIGHT).run()])
    expect(await rows()).toBe(2)
    const late = { link_id: 'first', day: '2027-01-01', people: 1, bots: 0 }
    await opened.database.write(addClicks([late]))
    await removal(NIGHT + 3_600_000).run()
    expect(await rows()).toBe(3)
    await removal(NIGHT + 86_400_000).run()
    expect(await rows()).toBe(1)
  })

  test('goes on after a process that was stopped in the middle', async () => {
    await clickedLinks(opened)
    const stopped = removal(NIGHT)
    const stop = stopped.start()
    await stop()
    await stopped.run()
    expect(await rows()).toBe(4)
    // The process that was stopped still holds the work for three minutes.
    await removal(NIGHT).run()
    expect(await rows()).toBe(4)
    await removal(NIGHT + 240_000).run()
    expect(await rows()).toBe(2)
  })

  test('without CLICKS_DAYS, deletes only expired responses, sessions and destinations', async () => {
    const { db } = opened.database
    await clickedLinks(opened)
    const key = await addApiKey(db, { ownerId: 'acme', name: 'key', permissions: 'all' }, 0)
    const answer = { api_key_id: key.id, request_hash: '', answer: '{}' }
    const old = { ...answer, idempotency_key: 'old', created_at: NIGHT - 86_400_001 }
    await rememberRequest(db, old)
    await rememberRequest(db, { ...answer, idempotency_key: 'new', created_at: NIGHT - 1_000 })
    const ended = { link_id: 'first', destination_url: '', ended_at: 0, made_by: 'dashboard' }
    await db
      .insertInto('link_destinations')
      .values([
        { ...ended, revision: 1, remove_at: NIGHT },
        { ...ended, revision: 2, remove_at: NIGHT + 1 },
        { ...ended, revision: 3, remove_at: null },
      ])
      .execute()
    await removal(NIGHT, null).run()
    const answers = db.selectFrom('idempotent_answers').select('idempotency_key')
    expect(await answers.execute()).toEqual([{ idempotency_key: 'new' }])
    expect(await db.selectFrom('link_destinations').select('revision').execute()).toHaveLength(2)
    expect(await rows()).toBe(4)
    const range = { from: '2000-01-01', to: '2000-01-02' }
    const report = await readClickReport(opened.database, 'first', range)
    expect(report).not.toHaveProperty('kept_since')
  })
})

/** Two links with clicks on days around the first one that is kept. */
async function clickedLinks({ database }: TestDatabase): Promise<void> {
  await removeLinks(database)
  await database.db.deleteFrom('destination_walk').execute()
  await addOwners(database, 'acme')
  await addLinks(database, linkRow('first'), linkRow('second'))
  const click = (link_id: string, day: string, people: number) => {
    const hosts = new Map([['news.example', people]])
    return { link_id, day, people, bots: 1, hosts }
  }
  await database.write(
    addClicks([
      click('first', '2027-01-19', 4),
      click('first', '2027-01-20', 1),
      click('first', '2027-02-28', 3),
      click('second', '2027-01-01', 2),
    ]),
  )
}
