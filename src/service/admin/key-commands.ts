import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { addApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../store/api-keys.ts'
import { validateKey } from '../store/key-rules.ts'
import { addOwner, listOwners, type Owner } from '../store/owners.ts'
import { parseCommand, parseCount, parseTime } from './arguments.ts'
import { AdminError, readAll, type AdminCommand } from './command.ts'
import { findOwner } from './owner-commands.ts'

/** Added for the first key. */
const DEFAULT_ORGANIZATION = { id: '', kind: 'organization', name: 'Default' } as const

const SHOWN_ONCE = 'Copy the key now. It can’t be shown again.'

/** `keys create` */
export const createKeyCommand: AdminCommand = async (args, context) => {
  const { values } = parseCommand(args, {
    org: { type: 'string' },
    account: { type: 'string' },
    name: { type: 'string', default: 'API key' },
    description: { type: 'string' },
    permissions: { type: 'string', default: 'all' },
    scope: { type: 'string', multiple: true },
    domain: { type: 'string', multiple: true },
    expires: { type: 'string' },
    rate: { type: 'string' },
  })
  const expiresAt =
    values.expires === undefined ? undefined : parseTime(values.expires, context.now())
  const requestsPerMinute =
    values.rate === undefined ? undefined : parseCount(values.rate, '--rate', 1)
  const existing = (await findOwner(context, values)) ?? (await onlyOrganization(context.db))
  const result = await validateKey(context.db, existing ?? DEFAULT_ORGANIZATION, {
    name: values.name.trim(),
    description: values.description?.trim() || undefined,
    permissions: values.permissions.replace('-', '_'),
    scopes: values.scope ?? [],
    domainIds: values.domain ?? [],
  })
  if ('errors' in result) throw new AdminError(Object.values(result.errors).join(' '))
  const owner =
    existing ?? (await addOwner(context.db, { ...DEFAULT_ORGANIZATION, now: context.now() }))
  const created = await addApiKey(
    context.db,
    { ...result.key, ownerId: owner.id, expiresAt, requestsPerMinute },
    context.now(),
  )
  return {
    message: SHOWN_ONCE,
    data: {
      ...created,
      type: typeOf(owner.kind),
      owner: owner.name,
      expires_at: isoTime(expiresAt ?? null),
    },
  }
}

/** `keys list` */
export const listKeysCommand: AdminCommand = async (args, { db }) => {
  parseCommand(args, {})
  const rows = await readAll((after) => listApiKeys(db, after))
  return {
    data: rows.map((row) => ({
      id: row.id,
      key: `${row.prefix}…`,
      name: row.name,
      type: typeOf(row.owner_kind),
      owner: row.owner_name,
      permissions: row.permissions,
      created_at: isoTime(row.created_at),
      last_used_at: isoTime(row.last_used_at),
      expires_at: isoTime(row.expires_at),
      revoked_at: isoTime(row.revoked_at),
    })),
  }
}

/** `keys rotate ID` */
export const rotateKeyCommand: AdminCommand = async (args, { write, now }) => {
  const { positional: id } = parseCommand(args, {}, 'the ID of a key')
  const created = await write(rotateApiKey(id, now()))
  if (!created) throw noKey(id)
  return { message: `The old key is revoked. ${SHOWN_ONCE}`, data: created }
}

/** `keys revoke ID` */
export const revokeKeyCommand: AdminCommand = async (args, { db, now }) => {
  const { positional: id } = parseCommand(args, {}, 'the ID of a key')
  if (!(await revokeApiKey(db, id, now()))) throw noKey(id)
  return { message: 'Key revoked.', data: { id } }
}

/** The owner if no option names one: the only organization; undefined if there is none yet. */
async function onlyOrganization(db: Kysely<Schema>): Promise<Owner | undefined> {
  const [first, ...more] = await listOwners(db, 'organization')
  if (more.length === 0) return first
  throw new AdminError('There are several organizations. Name the owner of the key: --org ORG')
}

/** The type of a key (spec §2.3), which depends on its owner. */
function typeOf(kind: Owner['kind']): 'Organization' | 'Self' {
  return kind === 'organization' ? 'Organization' : 'Self'
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

function noKey(id: string): AdminError {
  return new AdminError(
    `There is no valid key with the ID “${id}”. See: npm run admin -- keys list`,
  )
}
