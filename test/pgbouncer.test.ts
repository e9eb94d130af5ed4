import { describe, expect, onTestFinished, test } from 'vitest'
import { checkDatabaseAt } from '../src/doctor/database-checks.ts'
import { createApiKey } from './support/admin.ts'
import { freePort } from './support/free-port.ts'
import { pgbouncerSkipped, startPgbouncer } from './support/pgbouncer.ts'
import { createPostgresDatabase, postgresSkipped } from './support/postgres.ts'
import { startProgram } from './support/program.ts'
import { scrape } from './support/scrape.ts'
import { call, callLink, linkIn, postForm } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'

const PATIENCE = { timeout: 20_000 }

/** Starts two link services in processes of their own, behind PgBouncer. */
async function startTwo(databaseUrl: string) {
  const directory = await makeTempDir()
  onTestFinished(() => directory.remove())
  const start = async () => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const program = await startProgram(
      'service',
      {
        DATABASE_URL: databaseUrl,
        SERVICE_PORT: String(port),
        SERVICE_PUBLIC_URL: 'http://localhost:3001',
        METRICS_PORT: String(metricsPort),
        SHUTDOWN_DELAY: '0',
      },
      directory.path,
    )
    onTestFinished(program.stop)
    const baseUrl = `http://127.0.0.1:${port}`
    return {
      baseUrl,
      /** How often the log says what to do. */
      advice: () => program.logLines.filter((line) => line.includes('session mode')).length,
      isReady: async () => (await call(`${baseUrl}/readyz`)).status,
      delivered: async () =>
        (await scrape(`http://127.0.0.1:${metricsPort}/metrics`)).get(
          'backhalf_notifications_delivered',
        )?.samples[0]?.value,
    }
  }
  const both = [await start(), await start()] as const
  const [here, elsewhere] = both
  const apiKey = await createApiKey({ databaseUrl })
  const caller = { ...here, apiKey }
  const fields = { destination_url: 'https://example.com/0', domain: 'default' }
  const { name } = linkIn(await postForm(caller, { ...fields, back_half: 'spring' }))
  const leadsTo = async (destination: string): Promise<void> => {
    const location = async () => (await call(`${elsewhere.baseUrl}/spring`)).headers.get('location')
    await expect.poll(location, PATIENCE).toBe(destination)
  }
  await leadsTo('https://example.com/0')
  return {
    /** Asks both at the same time. */
    ask: <T>(ask: (service: (typeof both)[0]) => T) => Promise.all(both.map(ask)),
    /** Changes a link in one service until the other one has shown each destination. */
    async changesAreSeen(): Promise<void> {
      for (let edit = 1; edit <= 3; edit++) {
        const destination_url = `https://example.com/${Math.random()}`
        await callLink(caller, 'PATCH', name, { fields: { destination_url } })
        await leadsTo(destination_url)
      }
    },
  }
}

/** What the doctor says. */
async function diagnosis(databaseUrl: string) {
  return (await checkDatabaseAt(databaseUrl)).find(({ name }) => name === 'Notifications')
}

describe.skipIf(postgresSkipped || pgbouncerSkipped)('PgBouncer', () => {
  test('in session mode: notifications of changed links arrive', async () => {
    const { url } = await startPgbouncer(await createPostgresDatabase(), 'session')
    const services = await startTwo(url)
    await expect.poll(() => services.ask((one) => one.delivered()), PATIENCE).toEqual([1, 1])
    await services.changesAreSeen()
    expect(await services.ask((one) => one.advice())).toEqual([0, 0])
    expect(await diagnosis(url)).toMatchObject({ status: 'ok' })
  })

  test('in transaction mode: visitors still get the current destination, and the log, the metrics and the doctor say what to do', async () => {
    const { url } = await startPgbouncer(await createPostgresDatabase(), 'transaction')
    const services = await startTwo(url)
    await services.changesAreSeen()
    await expect.poll(() => services.ask((one) => one.advice()), PATIENCE).toEqual([1, 1])
    await services.changesAreSeen()
    expect(await services.ask((one) => one.delivered())).toEqual([0, 0])
    expect(await services.ask((one) => one.isReady())).toEqual([200, 200])
    expect(await services.ask((one) => one.advice())).toEqual([1, 1])
    expect(await diagnosis(url)).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('pool_mode = session') as string,
    })
  })

  test('running services notice that the mode was changed, and that it was corrected', async () => {
    const pgbouncer = await startPgbouncer(await createPostgresDatabase(), 'session')
    const services = await startTwo(pgbouncer.url)
    await expect.poll(() => services.ask((one) => one.delivered()), PATIENCE).toEqual([1, 1])
    await pgbouncer.reload('transaction')
    await expect.poll(() => services.ask((one) => one.advice()), PATIENCE).toEqual([1, 1])
    await services.changesAreSeen()
    await pgbouncer.reload('session')
    await expect.poll(() => services.ask((one) => one.delivered()), PATIENCE).toEqual([1, 1])
    await services.changesAreSeen()
  })
})
