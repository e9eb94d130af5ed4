import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Database, DatabaseKind } from '../database/database.ts'
import { KeyringError, type Keyring } from './keyring.ts'

/** How long a process may be silent before others take over its requests, in milliseconds. */
const SILENT_MS = 40_000

/** How long an answered request is remembered, in milliseconds. Slack's last retry comes after six minutes. */
const REMEMBERED_MS = 15 * 60_000

/** How long claimed work may take, in milliseconds. After that, its process must have ended. */
const WORK_MS = 5 * 60_000

/** A request that the process that claimed it did not finish. */
export interface AbandonedDelivery {
  id: string
  /** What the process stored with its claim; undefined if it can't be read, because its key is gone. */
  request: unknown
}

/** Slack's recent requests in the database, so that one process answers each. */
export interface DeliveryStore {
  /**
   * Claims a request for this process.
   *
   * @param request what another process needs to answer if this one ends before it has; kept encrypted
   * @returns false if the request is claimed already
   */
  claim(id: string, request: unknown): Promise<boolean>
  /**
   * Claims work that is not a request from Slack, such as sharing a link, for this process. `saveAcknowledgement`
   * notes that it is done.
   *
   * @returns false if it is done already or under way
   */
  claimWork(id: string): Promise<boolean>
  /** Gives up work that this process claimed, so that it can be claimed again. */
  releaseWork(id: string): Promise<void>
  /** Stores how a request was acknowledged, for its other deliveries. */
  saveAcknowledgement(id: string, response: unknown): Promise<void>
  /** How a request was acknowledged; undefined if it was not yet. */
  acknowledgement(id: string): Promise<{ response: unknown } | undefined>
  /** Notes that the request is answered, and deletes what is no longer needed. */
  finish(id: string): Promise<void>
  /**
   * Tells the other processes that this one still works on these requests. Its other requests are answered:
   * perhaps the database was away when they were.
   */
  keepAlive(running: ReadonlySet<string>): Promise<void>
  /** Claims the unfinished requests of processes that have ended, and deletes old requests. */
  takeAbandoned(): Promise<AbandonedDelivery[]>
}

/**
 * The database's time, in milliseconds since 1970. With their own clocks, processes on several machines could
 * take over each other's live requests.
 */
const NOW = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
} satisfies Record<DatabaseKind, unknown>

export function createDeliveryStore({
  database,
  keyring,
}: {
  database: Database
  keyring: Keyring
}): DeliveryStore {
  const { db, kind } = database
  const ownId = randomUUID()
  const now = NOW[kind]
  const before = (ms: number): RawBuilder<number> => sql`${now} - ${ms}`
  const seal = (id: string, value: unknown): Buffer =>
    keyring.seal(Buffer.from(JSON.stringify(value)), sealContext(id))
  const open = (id: string, sealed: Uint8Array): unknown =>
    JSON.parse(keyring.open(sealed, sealContext(id)).toString('utf8'))
  const openIfPossible = (id: string, sealed: Uint8Array): unknown => {
    try {
      return open(id, sealed)
    } catch (error) {
      if (error instanceof KeyringError) return undefined
      throw error
    }
  }

  const claimInBulk = database.writeInBulk(
    async (transaction, claims: readonly { id: string; sealed: Buffer }[]) => {
      const rows = await transaction
        .insertInto('deliveries')
        .values(
          claims.map((claim) => ({
            ...claim,
            claimed_by: ownId,
            alive_at: now,
            acknowledgement: null,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute()
      const claimed = new Set(rows.map(({ id }) => id))
      // If an ID is claimed twice in one transaction, the first claim counts.
      return claims.map(({ id }) => claimed.delete(id))
    },
  )

  const finishInBulk = database.writeInBulk(async (transaction, ids: readonly string[]) => {
    await transaction
      .updateTable('deliveries')
      .set({ sealed: null, alive_at: now })
      .where('id', 'in', ids)
      .execute()
    return ids.map(() => undefined)
  })

  return {
    claim: async (id, request) => claimInBulk({ id, sealed: seal(id, request) }),

    async claimWork(id) {
      const claim = { claimed_by: ownId, alive_at: now }
      const claimed = await database.write((transaction) =>
        transaction
          .insertInto('deliveries')
          .values({ id, ...claim, sealed: null, acknowledgement: null })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet(claim)
              .where('deliveries.acknowledgement', 'is', null)
              .where('deliveries.alive_at', '<', before(WORK_MS)),
          )
          .returning('id')
          .executeTakeFirst(),
      )
      return claimed !== undefined
    },

    async releaseWork(id) {
      await db
        .deleteFrom('deliveries')
        .where('id', '=', id)
        .where('claimed_by', '=', ownId)
        .where('sealed', 'is', null)
        .execute()
    },

    async saveAcknowledgement(id, response) {
      const acknowledgement = seal(id, { response })
      await database.write((transaction) =>
        transaction
          .updateTable('deliveries')
          .set({ acknowledgement })
          .where('id', '=', id)
          .execute(),
      )
    },

    async acknowledgement(id) {
      const row = await db
        .selectFrom('deliveries')
        .select('acknowledgement')
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row?.acknowledgement) return undefined
      return open(id, row.acknowledgement) as { response: unknown }
    },

    finish: finishInBulk,

    async keepAlive(running) {
      const claimed = await db
        .selectFrom('deliveries')
        .select('id')
        .where('claimed_by', '=', ownId)
        .where('sealed', 'is not', null)
        .execute()
      for (const { id } of claimed) {
        const alive = { alive_at: now }
        await db
          .updateTable('deliveries')
          .set(running.has(id) ? alive : { ...alive, sealed: null })
          .where('id', '=', id)
          .execute()
      }
    },

    async takeAbandoned() {
      await db
        .deleteFrom('deliveries')
        .where('alive_at', '<', before(REMEMBERED_MS))
        .where('sealed', 'is', null)
        .execute()
      const rows = await db
        .updateTable('deliveries')
        .set({ claimed_by: ownId, alive_at: now })
        .where('alive_at', '<', before(SILENT_MS))
        .where('claimed_by', '!=', ownId)
        .where('sealed', 'is not', null)
        .returning(['id', 'sealed'])
        .execute()
      return rows.flatMap(({ id, sealed }) =>
        sealed ? [{ id, request: openIfPossible(id, sealed) }] : [],
      )
    },
  }
}

function sealContext(id: string): string {
  return `delivery ${id}`
}
