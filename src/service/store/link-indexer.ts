import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { indexAll } from '../../database/index-links.ts'

/** How often links are added to the search index, in milliseconds. */
const INDEX_EVERY_MS = 1_000

/** Keeps SQLite's search index up to date. PostgreSQL does so itself. */
export function startLinkIndexer(
  database: Pick<Database, 'db' | 'kind' | 'write'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): { close(): Promise<void> } {
  let running: Promise<void> | undefined
  let isClosing = false
  let isFailing = false

  async function run(): Promise<void> {
    try {
      await indexAll(database, () => isClosing)
      isFailing = false
    } catch (err) {
      if (!isFailing) logger.warn({ err }, 'links can’t be added to the search index; trying again')
      isFailing = true
    }
  }

  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined))
  }, INDEX_EVERY_MS)
  if (database.kind === 'postgres') clearInterval(timer)

  return {
    async close() {
      isClosing = true
      clearInterval(timer)
      await running
    },
  }
}
