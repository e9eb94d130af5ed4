import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { systemClock } from '../../src/timing/clock.ts'
import type { DatabaseKind } from '../../src/database/database-url.ts'
import { startApp } from './app.ts'
import { browse } from './dashboard.ts'
import { createPostgresDatabase } from './postgres.ts'
import { queryPostgres } from './postgres-server.ts'
import { FIXTURES, type ReleasedInstallation } from './released-fixtures.ts'
import { call } from './service-calls.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Restores the database of that installation. @returns its URL */
export async function restoreReleased(kind: DatabaseKind, directory: string): Promise<string> {
  if (kind === 'sqlite') {
    const path = join(directory, 'released.db')
    await writeFile(path, gunzipSync(readFileSync(join(FIXTURES, 'sqlite.db.gz'))))
    return `file:${path}`
  }
  const url = await createPostgresDatabase()
  const dump = readFileSync(join(FIXTURES, 'postgres.sql.gz'))
  await queryPostgres(url, gunzipSync(dump).toString('utf8'))
  return url
}

/** Starts the app and the service of that installation, at its time. */
export async function startReleased(
  { now, encryptionKey, cookies }: ReleasedInstallation,
  databaseUrl: string,
) {
  const begun = performance.now()
  const app = await startApp({
    config: {
      databaseUrl,
      encryptionKeys: [Buffer.from(encryptionKey, 'base64')],
      trustProxy: '127.0.0.1',
      servicePublicUrl: 'https://go.example.com',
    },
    clock: { ...systemClock, now: () => Date.parse(now) + Math.round(performance.now() - begun) },
  })
  const { serviceUrl } = app.running
  const browser = browse({ baseUrl: serviceUrl })
  // The cookies of version 1.0.0 had other names, so its users sign in again. The sessions are the same.
  for (const [name, value] of Object.entries(cookies)) {
    browser.cookies.set(`__Host-${name}`, value)
  }
  return {
    ...app,
    /** Sends a request to a short URL's path, as a browser does. */
    visit: (path: string, userAgent = FIREFOX) =>
      call(serviceUrl + path, {
        headers: { 'x-forwarded-host': 'go.example.com', 'user-agent': userAgent },
      }),
    /** A browser that is signed in to the dashboard. */
    browser,
  }
}
