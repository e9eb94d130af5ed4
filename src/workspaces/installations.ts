import { z } from 'zod'
import type { Db } from '../database/schema.ts'
import type { Keyring } from './keyring.ts'
import { createSecrets, unlessUnreadable } from './sealed.ts'
import { workspaceId } from './workspace.ts'
import type { StoreOptions } from './write-if-installed.ts'

const named = z.object({ id: z.string().min(1), name: z.string().optional() })

const installation = z.object({
  team: named.optional(),
  enterprise: named.optional(),
  isEnterpriseInstall: z.boolean().optional(),
  bot: z.object({
    token: z.string().min(1),
    refreshToken: z.string().optional(),
    /** Seconds since 1970. */
    expiresAt: z.number().optional(),
    scopes: z.array(z.string()),
    id: z.string(),
    userId: z.string(),
  }),
  appId: z.string().optional(),
  enterpriseUrl: z.string().optional(),
})

export function installationSecrets(db: Db, keyring: Keyring) {
  return createSecrets(db, keyring, {
    schema: installation,
    table: 'installations',
    purpose: 'installation',
    storedAt: 'installed_at',
  })
}

// Also has the user who installed the app. Only the column `installed_by` stores their ID, which forget.ts erases.
const newInstallation = installation.extend({ user: z.object({ id: z.string().min(1) }) })

/** The parts of Slack's `Installation` that are stored. They include no user tokens. */
export type Installation = z.infer<typeof installation>

export type NewInstallation = z.infer<typeof newInstallation>

export type RenewedTokens = Required<
  Pick<Installation['bot'], 'token' | 'refreshToken' | 'expiresAt'>
>

export class NotInstalledError extends Error {
  constructor(reason = 'the app is not installed in this workspace') {
    super(reason)
    this.name = 'NotInstalledError'
  }
}

export interface Installations {
  find(id: string): Promise<Installation | undefined>
  /** @returns true if this is the workspace's first installation */
  save(installed: unknown): Promise<boolean>
  /**
   * Stores tokens that Slack has given in exchange for a refresh token (optimistic locking).
   * @returns false, and stores nothing, if another token is stored, because the app was installed again meanwhile
   * @throws if another process changes the row at the same time, for example because it encrypts it with a new key
   */
  renew(id: string, usedRefreshToken: string, tokens: RenewedTokens): Promise<boolean>
}

export function createInstallations({
  database: { db },
  keyring,
  now = Date.now,
}: Pick<StoreOptions, 'database' | 'now'> & { keyring: Keyring }): Installations {
  const secrets = installationSecrets(db, keyring)

  return {
    find: async (id) => (await secrets.find(id))?.content,

    async save(installed) {
      const content = newInstallation.parse(installed)
      const id = installationId(content)
      const row = {
        workspace_id: id,
        sealed: secrets.seal(id, content), // Without `user`, which its schema doesn't have.
        installed_by: content.user.id,
        installed_at: now(),
      }
      const stored = await db
        .selectFrom('installations')
        .select('workspace_id')
        .where('workspace_id', '=', id)
        .executeTakeFirst()
      await db
        .insertInto('installations')
        .values(row)
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute()
      return stored === undefined
    },

    async renew(id, usedRefreshToken, tokens) {
      const found = await secrets.find(id)
      if (found?.content.bot.refreshToken !== usedRefreshToken) return false
      const { sealed, content: current } = found
      const renewed = { ...current, bot: { ...current.bot, ...tokens } }
      if (await secrets.replace(id, sealed, renewed)) return true
      throw new Error('another process has changed the installation meanwhile')
    },
  }
}

/** Earlier versions stored the user who installed the app in the sealed installation. */
export async function eraseInstaller(db: Db, keyring: Keyring, id: string): Promise<void> {
  const secrets = installationSecrets(db, keyring)
  for (;;) {
    // If its encryption key is gone, the installation is unreadable, and there is nothing to erase.
    const found = await unlessUnreadable(() => secrets.find(id))
    if (!found || (await secrets.replace(id, found.sealed, found.content))) return
  }
}

export function installationId({ team, enterprise, isEnterpriseInstall }: Installation): string {
  return workspaceId({ teamId: team?.id, enterpriseId: enterprise?.id, isEnterpriseInstall })
}
