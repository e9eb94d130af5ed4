import { expect, onTestFinished, test } from 'vitest'
import { createApiKey } from './support/admin.ts'
import { freePort } from './support/free-port.ts'
import { pgbouncerSkipped, startPgbouncer } from './support/pgbouncer.ts'
import { createPostgresDatabase, postgresSkipped } from './support/postgres.ts'
import { startProgram } from './support/program.ts'
import { call, callLink, newLink } from './support/service-calls.ts'
import { makeTempDir } from './support/temp-dir.ts'

/** Starts a link service in a process of its own. */
async function startService(databaseUrl: string): Promise<{ baseUrl: string }> {
  const directory = await makeTempDir()
  onTestFinished(() => directory.remove())
  const port = await freePort()
  const env = { DATABASE_URL: databaseUrl, SERVICE_PORT: String(port), SHUTDOWN_DELAY: '0' }
  const program = await startProgram('service', env, directory.path)
  onTestFinished(program.stop)
  return { baseUrl: `http://127.0.0.1:${port}` }
}

test.skipIf(postgresSkipped || pgbouncerSkipped).each(['session', 'transaction'] as const)(
  'behind PgBouncer in %s mode, a link service leads to the destinations that another one sets',
  async (mode) => {
    const databaseUrl = await startPgbouncer(await createPostgresDatabase(), mode)
    const [here, elsewhere] = [await startService(databaseUrl), await startService(databaseUrl)]
    const caller = { ...here, apiKey: await createApiKey({ databaseUrl }) }
    const { name, destination_url } = await newLink(caller, { back_half: 'spring' })
    const location = async () => (await call(`${elsewhere.baseUrl}/spring`)).headers.get('location')
    expect(await location()).toBe(destination_url)
    for (const destination_url of ['https://example.com/1', 'https://example.com/2']) {
      await callLink(caller, 'PATCH', name, { fields: { destination_url } })
      await expect.poll(location).toBe(destination_url)
    }
  },
)
