import { createPictures } from '../../src/picture/pictures.ts'
import { createService } from '../../src/service/server.ts'
import { freePort } from './free-port.ts'
import { newDatabaseUrl } from './new-database.ts'
import { openDatabase } from './open-database.ts'
import { recordingLogger } from './recording-logger.ts'
import { makeTempDir } from './temp-dir.ts'

export type RunningService = Awaited<ReturnType<typeof startService>>

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
export async function startService(options: StartOptions = {}) {
  const directory = await makeTempDir()
  const databaseUrl = options.databaseUrl ?? (await newDatabaseUrl(directory.path))
  const database = await openDatabase(databaseUrl)
  const { logger, lines: logLines } = recordingLogger('debug')
  const port = options.publicUrl === undefined ? await freePort() : 0
  const publicUrl = options.publicUrl ?? `http://127.0.0.1:${port}`
  // A busy machine might need more than five seconds for a picture.
  const pictures = createPictures(logger, { timeout: () => new AbortController().signal })
  const service = await createService({ pictures, ...options, database, publicUrl, logger })
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
    /** The URL that the service listens on: the client's {base_url}. */
    baseUrl,
    /** A key of an organization, with all permissions. */
    apiKey,
    /** The organization that the key belongs to. */
    ownerId,
    /** The built-in domain record. */
    domain,
    /** For opening the database a second time. */
    databaseUrl,
    database,
    /** Its `provision` creates keys for other workspaces. */
    service,
    /** The lines that the service logged. */
    logLines,
    /** Stops the service and removes its database. */
    async close(): Promise<void> {
      await service.close()
      await database.close()
      await directory.remove()
    },
  }
}
