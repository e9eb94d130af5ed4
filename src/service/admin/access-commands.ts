import type { Db } from '../../database/schema.ts'
import { formatCount } from '../../web/numbers.ts'
import * as keys from '../store/api-keys.ts'
import { validateKey } from '../store/key-rules.ts'
import { addOwner, KEY_TYPES, listOwners, type Owner } from '../store/owners.ts'
import { parseList } from '../store/scopes.ts'
import { createToken } from '../store/sessions.ts'
import { setPassword } from '../store/sign-in.ts'
import { AdminError, type Command, parseCount, parseTime, withOptions } from './command.ts'
import { findOwner, readAll } from './owner-commands.ts'

const DEFAULT_ORGANIZATION = { id: '', kind: 'organization', name: 'Default' } as const
const SHOWN_ONCE = 'Copy the key now. It can’t be shown again.'

export const ACCESS_COMMANDS: Record<string, Command> = {
  'keys create': withOptions({
    help: 'create an API key, which is shown once',
    options: {
      org: {
        value: 'ORG',
        help: 'the organization that it belongs to; optional if there is only one',
      },
      account: { value: 'ACCOUNT', help: 'or the personal account that it belongs to' },
      name: { value: 'TEXT' },
      description: { value: 'TEXT' },
      permissions: { value: 'LEVEL', help: 'all (default), read-only or restricted' },
      scope: {
        value: 'SCOPE',
        help: 'what a restricted key can do: shortlinks:read, shortlinks:create,\nshortlinks:update or shortlinks:delete; repeatable.\nA key of any level can have dashboard:sign_in, and one with all\npermissions people:erase',
        multiple: true,
      },
      domain: {
        value: 'ID',
        help: 'limit a restricted key to this domain record; repeatable',
        multiple: true,
      },
      expires: { value: 'TIME', help: 'when it expires: 90d, 2027-12-31, 2027-12-31T18:00Z' },
      rate: { value: 'N', help: 'requests a minute; default: 600' },
    },
    async run({ options }, context) {
      const { expires, rate, permissions = 'all', name = 'API key' } = options
      const now = context.now()
      const expiresAt = expires === undefined ? undefined : parseTime(expires, now)
      const requestsPerMinute = rate === undefined ? undefined : parseCount(rate, '--rate', 1)
      const existing =
        (await findOwner(context, options)) ?? (await findOnlyOrganization(context.db))
      const result = await validateKey(context.db, existing ?? DEFAULT_ORGANIZATION, {
        name: name.trim(),
        description: options.description?.trim() || undefined,
        permissions: permissions.replace('-', '_'),
        scopes: options.scope ?? [],
        domainIds: options.domain ?? [],
      })
      if ('errors' in result) throw new AdminError(Object.values(result.errors).join(' '))
      const owner =
        existing ?? (await addOwner(context.db, { ...DEFAULT_ORGANIZATION, created_at: now }))
      const newKey = { ...result.key, ownerId: owner.id, expiresAt, requestsPerMinute }
      const created = await keys.addApiKey(context.db, newKey, now)
      return {
        message: SHOWN_ONCE,
        data: {
          ...created,
          type: KEY_TYPES[owner.kind],
          owner: owner.name,
          expires_at: isoTime(expiresAt ?? null),
        },
      }
    },
  }),
  'keys list': {
    async run(_input, { db, now }) {
      const rows = await readAll(
        async (page) => (await keys.listApiKeys(db, undefined, 'all', now(), page)).keys,
      )
      return {
        data: rows.map((row) => ({
          id: row.id,
          key: `${row.prefix}…`,
          name: row.name,
          type: KEY_TYPES[row.owner_kind],
          owner: row.owner_name,
          permissions: row.permissions,
          scopes: parseList(row.scopes),
          created_at: isoTime(row.created_at),
          // Stored as the start of a minute, which can be before the key was created.
          last_used_at: isoTime(row.last_used_at && Math.max(row.last_used_at, row.created_at)),
          expires_at: isoTime(row.expires_at),
          revoked_at: isoTime(row.revoked_at),
        })),
      }
    },
  },
  'keys allow-sign-in': signInCommand(
    true,
    'let its holder sign people in to the dashboard',
    'The key can sign people in.',
  ),
  'keys stop-sign-in': signInCommand(
    false,
    'no longer let its holder sign people in, and end their sessions',
    'The key can no longer sign people in.',
  ),
  'keys rotate': withOptions({
    args: 'ID',
    help: 'create a new key, which replaces the old one',
    options: {
      keep: { value: 'DAYS', help: 'how long the old key still works, 0 (default) to 7 days' },
    },
    async run({ args: [id = ''], options: { keep = '0' } }, { write, now }) {
      const days = parseCount(keep, '--keep', 0)
      if (days > keys.MAX_KEPT_DAYS) {
        throw new AdminError(`--keep is at most ${keys.MAX_KEPT_DAYS} days.`)
      }
      const created = await write(keys.rotateApiKey(id, days, now()))
      if (!created) throw unknownKeyError(id)
      const old = days > 0 ? `works for ${formatCount(days, 'day')} more` : 'is revoked'
      return { message: `The old key ${old}. ${SHOWN_ONCE}`, data: created }
    },
  }),
  'keys revoke': {
    args: 'ID',
    help: 'revoke a key',
    async run({ args: [id = ''] }, { db, now }) {
      if (!(await keys.revokeApiKey(db, id, now()))) throw unknownKeyError(id)
      return { message: 'Key revoked.', data: { id } }
    },
  },

  'sign-in link': {
    help: 'get a link that signs you in to the dashboard, once',
    async run(_input, { db, addresses, now }) {
      const token = await createToken(db, 'sign_in_link', now())
      return {
        message: 'Open this link within 15 minutes. It signs you in to the dashboard, once.',
        data: { link: `${addresses.origin}/dashboard/sign-in/${token}` },
      }
    },
  },
  'sign-in password': {
    help: 'set a new password for the dashboard, which is shown once',
    async run(_input, context) {
      return {
        message:
          'This is the new password of the dashboard. It can’t be shown again. All sessions have ended.',
        data: { password: await setPassword(context, context.now()) },
      }
    },
  },
}

function signInCommand(isAllowed: boolean, help: string, message: string): Command {
  return {
    args: 'ID',
    help,
    async run({ args: [id = ''] }, { db, now }) {
      if (!(await keys.setSignInAllowed(db, id, isAllowed, now()))) throw unknownKeyError(id)
      return { message, data: { id } }
    },
  }
}

async function findOnlyOrganization(db: Db): Promise<Owner | undefined> {
  const [first, ...more] = await listOwners(db, 'organization')
  if (more.length === 0) return first
  throw new AdminError(
    'There are several organizations. Name the organization of the key: --org ORG',
  )
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

function unknownKeyError(id: string): AdminError {
  return new AdminError(
    `There is no valid key with the ID “${id}”. See: npm run admin -- keys list`,
  )
}
