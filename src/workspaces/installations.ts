import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { Keyring } from './keyring.ts'
import { resealTable } from './reseal.ts'
import { workspaceId } from './workspace-id.ts'

const named = z.object({ id: z.string().min(1), name: z.string().optional() })

const installation = z.object({
  /** Absent where the app was installed for a whole organization. */
  team: named.optional(),
  enterprise: named.optional(),
  isEnterpriseInstall: z.boolean().optional(),
  /** Who installed it. */
  user: z.object({ id: z.string().min(1) }),
  bot: z.object({
    token: z.string().min(1),
    /** Both only where the app's tokens rotate. */
    refreshToken: z.string().optional(),
    /** Seconds since 1970. */
    expiresAt: z.number().optional(),
    /** What the workspace granted, which may be less than was asked for. */
    scopes: z.array(z.string()),
    id: z.string(),
    userId: z.string(),
  }),
  appId: z.string().optional(),
  /** An organization's pages at Slack, ending in a slash. */
  enterpriseUrl: z.string().optional(),
})

/** What is kept of Slack's answer, by the names of Slack's `Installation`. No user's tokens. */
export type Installation = z.infer<typeof installation>

/** A bot's tokens after a refresh. */
export type RenewedTokens = Required<
  Pick<Installation['bot'], 'token' | 'refreshToken' | 'expiresAt'>
>

/** An installation as it is kept. */
export interface Installed extends Installation {
  /** Milliseconds since 1970. */
  installedAt: number
}

/** Where the app was installed by OAuth, with the tokens, encrypted. */
export interface Installations {
  /** @throws KeyringError when what is kept can't be opened */
  find(workspaceId: string): Promise<Installed | undefined>
  /** Who installed the app there last. */
  installedBy(workspaceId: string): Promise<string | undefined>
  /**
   * Keeps a new installation, in place of an older one.
   *
   * @throws ZodError when there is no bot token in it
   */
  save(installation: unknown): Promise<void>
  /**
   * Keeps refreshed tokens.
   *
   * @param spent the refresh token that they were given for
   * @returns false, and nothing is kept, where the app was uninstalled or installed again since
   */
  renew(workspaceId: string, spent: string, tokens: RenewedTokens): Promise<boolean>
  /** Encrypts with the newest key what older ones sealed; run at every start. */
  reseal(): Promise<{ resealed: number; unreadable: number }>
}

/** Attempts to keep new tokens: a start elsewhere may be resealing the row at that moment. */
const RENEWALS = 5

export function createInstallations({
  database,
  keyring,
  now = Date.now,
}: {
  database: Database
  keyring: Keyring
  /** Milliseconds since 1970. */
  now?: () => number
}): Installations {
  const { db } = database

  async function read(id: string) {
    const row = await db
      .selectFrom('installations')
      .select(['sealed', 'installed_at'])
      .where('workspace_id', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    const json = keyring.open(row.sealed, purpose(id)).toString('utf8')
    return { row, kept: installation.parse(JSON.parse(json)) }
  }

  const seal = (id: string, content: Installation): Buffer =>
    keyring.seal(Buffer.from(JSON.stringify(content)), purpose(id))

  return {
    async find(id) {
      const found = await read(id)
      return found && { ...found.kept, installedAt: found.row.installed_at }
    },

    async installedBy(id) {
      const row = await db
        .selectFrom('installations')
        .select('installed_by')
        .where('workspace_id', '=', id)
        .executeTakeFirst()
      return row?.installed_by ?? undefined
    },

    async save(given) {
      const content = installation.parse(given)
      const id = installedIn(content)
      const row = {
        workspace_id: id,
        sealed: seal(id, content),
        installed_by: content.user.id,
        installed_at: now(),
      }
      await db
        .insertInto('installations')
        .values(row)
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute()
    },

    async renew(id, spent, tokens) {
      for (let attempt = 0; attempt < RENEWALS; attempt++) {
        const found = await read(id)
        if (found?.kept.bot.refreshToken !== spent) return false
        const { row, kept } = found
        const { numUpdatedRows } = await db
          .updateTable('installations')
          .set({ sealed: seal(id, { ...kept, bot: { ...kept.bot, ...tokens } }) })
          .where('workspace_id', '=', id)
          .where('sealed', '=', row.sealed)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) return true
      }
      throw new Error('an installation changed all the time')
    },

    reseal: () => resealTable(database, keyring, 'installations', purpose),
  }
}

/** Under which id an installation is kept. */
export function installedIn({ team, enterprise, isEnterpriseInstall }: Installation): string {
  return workspaceId({ teamId: team?.id, enterpriseId: enterprise?.id, isEnterpriseInstall })
}

/** A row sealed for one workspace can't be opened for another. */
function purpose(workspaceId: string): string {
  return `installation of ${workspaceId}`
}
