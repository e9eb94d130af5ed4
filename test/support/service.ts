import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { createService, type Service } from '../../src/service/server.ts'
import { freePort } from './free-port.ts'
import { makeTempDir } from './temp-dir.ts'

export interface RunningService {
  /** Where the service listens: the client's {base_url}. */
  baseUrl: string
  /** Of an organization, with all permissions. */
  apiKey: string
  /** The built-in domain record. */
  domain: { name: string; domain_name: string }
  /** `file:…` of the database, for a second look at it. */
  databaseUrl: string
  database: Database
  /** For `provision`: another workspace's key. */
  service: Service
  /** What the service logged, line by line. */
  logLines: string[]
  /** Stops the service and removes its database. */
  close(): Promise<void>
}

export interface StartOptions {
  /** Of an empty database; unless given, a new SQLite file. */
  databaseUrl?: string
  /** Its short URLs begin with this; unless given, with the address that it listens on. */
  publicUrl?: string
  trustProxy?: string
  blocklistPath?: string
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The real link service on a free loopback port, with a database of its own. */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const directory = await makeTempDir()
  const databaseUrl = options.databaseUrl ?? `file:${join(directory.path, 'service.db')}`
  const database = await openDatabase(databaseUrl)
  const logLines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) })
  const port = options.publicUrl === undefined ? await freePort() : 0
  const publicUrl = options.publicUrl ?? `http://127.0.0.1:${port}`
  const service = await createService({ ...options, database, publicUrl, logger })
  const baseUrl = await service.listen({ host: '127.0.0.1', port })
  const { apiKey, domains } = await service.provision({ id: 'T0TEST', name: 'Test workspace' })
  const [domain] = domains
  if (!domain) throw new Error('no domain record was provisioned')
  return {
    baseUrl,
    apiKey,
    domain,
    databaseUrl,
    database,
    service,
    logLines,
    async close() {
      await service.close()
      await database.close()
      await directory.remove()
    },
  }
}
