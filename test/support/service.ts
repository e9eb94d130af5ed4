import { join } from 'node:path'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { createService, type Service } from '../../src/service/server.ts'
import { freePort } from './free-port.ts'
import { recordingLogger } from './recording-logger.ts'
import { makeTempDir } from './temp-dir.ts'

export interface RunningService {
  /** The URL that the service listens on: the client's {base_url}. */
  baseUrl: string
  /** A key of an organization, with all permissions. */
  apiKey: string
  /** The organization that the key belongs to. */
  ownerId: string
  /** The built-in domain record. */
  domain: { name: string; domain_name: string }
  /** For opening the database a second time. */
  databaseUrl: string
  database: Database
  /** Its `provision` creates keys for other workspaces. */
  service: Service
  /** The lines that the service logged. */
  logLines: string[]
  /** Stops the service and removes its database. */
  close(): Promise<void>
}

export interface StartOptions {
  /** By default, a new SQLite file. */
  databaseUrl?: string
  /** By default, the URL that the service listens on. */
  publicUrl?: string
  trustProxy?: string
  blocklistPath?: string
  linkQuota?: number
  /** The time in milliseconds since 1970. */
  now?: () => number
}

/** Starts the real link service on a free loopback port, with its own database. */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const directory = await makeTempDir()
  const databaseUrl = options.databaseUrl ?? `file:${join(directory.path, 'service.db')}`
  const database = await openDatabase(databaseUrl)
  const { logger, lines: logLines } = recordingLogger('debug')
  const port = options.publicUrl === undefined ? await freePort() : 0
  const publicUrl = options.publicUrl ?? `http://127.0.0.1:${port}`
  const service = await createService({ ...options, database, publicUrl, logger })
  const baseUrl = await service.listen({ host: '127.0.0.1', port })
  const { apiKey, domains } = await service.provision({ id: 'T0TEST', name: 'Test workspace' })
  const [domain] = domains
  if (!domain) throw new Error('no domain record was provisioned')
  const { id: ownerId } = await database.db
    .selectFrom('owners')
    .select('id')
    .where('external_id', '=', 'T0TEST')
    .executeTakeFirstOrThrow()
  return {
    baseUrl,
    apiKey,
    ownerId,
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
