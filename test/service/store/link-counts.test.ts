import { expect, onTestFinished, test } from 'vitest'
import { countLinks } from '../../../src/service/store/link-filter.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addDomainRecord } from '../../support/rows.ts'
import { create } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

describeOnEveryDatabase((opened) => {
  test('keeps the number of links by owner and domain, even if creates arrive together', async () => {
    const service = await startService({ databaseUrl: opened.url })
    onTestFinished(() => service.close())
    const { db } = opened.database
    const other = await service.service.provision({ id: 'T0OTHER', name: 'Other workspace' })
    await addDomainRecord(opened.database, 'second')
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => {
        const { apiKey } = at % 3 ? service : other
        const destination_url = `https://example.com/${at % 8}`
        const domain = at % 2 ? 'second' : 'default'
        return create({ ...service, apiKey }, { destination_url, domain })
      }),
    )
    const created = responses.filter(({ status }) => status === 200)
    expect(created.length).toBeLessThan(30) // Some are duplicates, which must not count.
    const counted = await db
      .selectFrom('links')
      .select(({ fn }) => ['owner_id', 'domain_id', fn.countAll<number>().as('links')])
      .groupBy(['owner_id', 'domain_id'])
      .orderBy('owner_id')
      .orderBy('domain_id')
      .execute()
    const kept = db.selectFrom('link_counts').selectAll().orderBy('owner_id').orderBy('domain_id')
    expect(await kept.execute()).toEqual(counted)
    expect(await countLinks(db, {})).toBe(created.length)

    await db.deleteFrom('click_totals').execute()
    await db.deleteFrom('links').execute()
    expect((await kept.execute()).map(({ links }) => links)).toEqual([0, 0, 0, 0])
  })
})
