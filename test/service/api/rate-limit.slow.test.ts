import { expect, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { getList } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

const LIMIT = 10

describeOnEveryDatabase((opened) => {
  async function start() {
    const time = { now: Date.parse('2027-03-01T12:00:20Z') }
    const options = { databaseUrl: opened.url, now: () => time.now }
    const services = [await startService(options), await startService(options)] as const
    onTestFinished(async () => {
      for (const service of services) await service.close()
    })
    const [{ database, ownerId }] = services
    const limits = { permissions: 'all', requestsPerMinute: LIMIT } as const
    const limited = { ownerId, name: 'Limited', ...limits }
    const { id, key: apiKey } = await addApiKey(database.db, limited, time.now)
    const counts = database.db.selectFrom('api_keys').select('counted_requests')
    const readStored = async () =>
      (await counts.where('id', '=', id).executeTakeFirstOrThrow()).counted_requests
    return {
      time,
      database,
      readStored,
      stored: (count: number) => expect.poll(readStored).toBe(count),
      /** Sends requests to a process at the same time. @returns how many it accepted */
      send: async (process: 0 | 1, count: number): Promise<number> => {
        const { baseUrl } = services[process]
        const responses = await Promise.all(
          Array.from({ length: count }, () => getList({ baseUrl, apiKey })),
        )
        return responses.filter(({ status }) => status === 200).length
      },
      last: (process: 0 | 1) => getList({ baseUrl: services[process].baseUrl, apiKey }),
    }
  }

  test('two processes share the limit of a key that is used at both', async () => {
    const { send, stored, last, time } = await start()
    expect(await send(0, 4)).toBe(4)
    await stored(4)
    expect(await send(1, 4)).toBe(4)
    await stored(8)
    expect(await send(0, 4)).toBe(2)
    await stored(10)
    expect(await send(1, 4)).toBe(0)
    const { status, headers } = await last(1)
    expect(status).toBe(429)
    expect(Object.fromEntries(headers)).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
      'retry-after': '40',
    })
    time.now += 40_000
    expect(await send(1, 1)).toBe(1)
    await stored(1)
    expect((await last(0)).headers.get('ratelimit-remaining')).toBe('8')
  })

  test('two processes accept too many only until they have stored the requests of a burst', async () => {
    const { send, stored, readStored } = await start()
    const [one, other] = await Promise.all([send(0, 30), send(1, 30)])
    expect(Math.max(one, other)).toBeLessThanOrEqual(LIMIT)
    await stored(one + other)
    expect((await send(0, 5)) + (await send(1, 5))).toBe(0)
    expect(await readStored()).toBe(one + other)
  })

  test('two processes count for themselves while the database can’t be written', async () => {
    const { send, database } = await start()
    const [create, drop] =
      opened.database.kind === 'sqlite'
        ? [
            `create trigger full before update on api_keys begin select raise(abort, 'full'); end`,
            'drop trigger full',
          ]
        : [
            'alter table api_keys add constraint nothing check (counted_requests = 0) not valid',
            'alter table api_keys drop constraint nothing',
          ]
    await sql.raw(create).execute(database.db)
    expect(await send(0, 15)).toBe(LIMIT)
    expect(await send(1, 15)).toBe(LIMIT)
    await sql.raw(drop).execute(database.db)
    expect((await send(0, 5)) + (await send(1, 5))).toBe(0)
  })
})
