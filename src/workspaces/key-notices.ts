import type { StoredConnection } from './connection.ts'
import { createConnectionStore } from './connection-store.ts'
import type { Keyring } from './keyring.ts'
import type { StoreOptions } from './write-if-installed.ts'

/** How long a process may take to tell the admins, in milliseconds. If it ends meanwhile, another one may. */
const CLAIM_MS = 10 * 60_000

/** The value of `key_notice_after` once the admins were told. */
const NEVER_AGAIN = Number.MAX_SAFE_INTEGER

/** How often a claim is tried again if the row changed meanwhile, for example because offers were read. */
const CLAIM_TRIES = 3

/** A process's right to tell a workspace's admins that the key no longer works. */
export interface KeyNotice {
  workspaceId: string
  /** Whether an admin entered the key, or our own service made it. */
  source: StoredConnection['source']
  /** Slack users who may be admins: who entered the key, who last changed the settings, who installed the app. */
  contacts: readonly string[]
  /** Identifies the claim. Milliseconds since 1970. */
  until: number
}

/** What all processes of the app share, so that admins are told once about each key that stops working. */
export type KeyNoticeStore = ReturnType<typeof createKeyNoticeStore>

export function createKeyNoticeStore(options: StoreOptions & { keyring: Keyring }) {
  const {
    database: { db },
    now = Date.now,
  } = options
  const connections = createConnectionStore(options)

  async function move({ workspaceId }: KeyNotice, from: number, to: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('workspace_connections')
      .set({ key_notice_after: to })
      .where('workspace_id', '=', workspaceId)
      .where('key_notice_after', '=', from)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async function findContacts(id: string, connectedBy: string | null): Promise<string[]> {
    const [settings, installation] = await Promise.all([
      db
        .selectFrom('workspace_settings')
        .select('updated_by as user')
        .where('workspace_id', '=', id)
        .executeTakeFirst(),
      db
        .selectFrom('installations')
        .select('installed_by as user')
        .where('workspace_id', '=', id)
        .executeTakeFirst(),
    ])
    // Erased people are null or empty.
    const users = [connectedBy, settings?.user, installation?.user]
    return [...new Set(users.flatMap((user) => (user ? [user] : [])))]
  }

  return {
    /**
     * Claims a notice for this process.
     *
     * @param apiKey the key that was refused
     * @returns undefined if the admins were told, if another process tells them, or if the workspace has another key
     * @throws KeyringError if the stored connection can't be decrypted
     */
    async claim(workspaceId: string, apiKey: string): Promise<KeyNotice | undefined> {
      for (let tries = 0; tries < CLAIM_TRIES; tries++) {
        const row = await connections.find(workspaceId)
        if (!row || row.record.source === 'disconnected') return undefined
        if (row.record.apiKey !== apiKey || (row.keyNoticeAfter ?? 0) > now()) return undefined
        const until = now() + CLAIM_MS
        const { numUpdatedRows } = await db
          .updateTable('workspace_connections')
          .set({ key_notice_after: until })
          .where('workspace_id', '=', workspaceId)
          .where('sealed', '=', row.sealed)
          .where((is) =>
            is.or([is('key_notice_after', 'is', null), is('key_notice_after', '<=', now())]),
          )
          .executeTakeFirst()
        const { source } = row.record
        if (numUpdatedRows > 0n) {
          return { workspaceId, source, contacts: await findContacts(workspaceId, row.by), until }
        }
      }
      return undefined
    },

    /**
     * Ends a claimed notice: no process sends it again, unless a new key is connected.
     *
     * @returns false if it was not claimed anymore, for example because the workspace has a new key
     */
    end: (notice: KeyNotice): Promise<boolean> => move(notice, notice.until, NEVER_AGAIN),

    /** Lets a notice that has just ended be sent after some minutes, when the key is refused again. */
    async postpone(notice: KeyNotice): Promise<void> {
      await move(notice, NEVER_AGAIN, now() + CLAIM_MS)
    },
  }
}
