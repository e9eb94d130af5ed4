import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { POSTGRES_MISSING, postgresBinaries, queryPostgres } from './postgres-server.ts'
import { sharedServerUrl } from './shared-servers.ts'

export { MIGRATED } from './shared-servers.ts'

/** In CI the tests fail instead, so that a missing server is noticed. */
export const postgresSkipped = postgresBinaries === undefined && process.env.CI !== 'true'

if (postgresSkipped) console.warn(`PostgreSQL tests are skipped: ${POSTGRES_MISSING}`)

/** @returns the URL of a new database on the server that all test files share: by default, of an empty one */
export async function createPostgresDatabase(template = 'template1'): Promise<string> {
  const serverUrl = await sharedServerUrl('postgres')
  const name = `test_${randomUUID().replaceAll('-', '_')}`
  await queryPostgres(`${serverUrl}/postgres`, `create database ${name} template ${template}`)
  return `${serverUrl}/${name}`
}

/** Opens connections until the server has none left, and adds them to a list. */
export async function takeAllConnections(url: string, taken: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      return
    }
    taken.push(client)
  }
}
