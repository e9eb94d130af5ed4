import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { checkKey } from '../key-rules.ts'
import { addApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../store/api-keys.ts'
import { addOwner, listOwners, type Owner } from '../store/owners.ts'
import { AdminError } from './admin-error.ts'
import { parseCommand, parseCount, parseTime } from './arguments.ts'
import { findOwner } from './owner-commands.ts'
import type { AdminCommand } from './admin-command.ts'

const SHOWN_ONCE = 'Keep the key safe: it is shown this once.'

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
  const named = await findOwner(context, values)
  // What is wrong with the key takes back the organization that was made for it.
  const { owner, made } = await context.database.db.transaction().execute(async (db) => {
    const owner = named ?? (await onlyOrganization(db, context.now()))
    const checked = await checkKey(db, owner, {
      name: values.name.trim(),
      description: values.description?.trim() || undefined,
      permissions: values.permissions.replace('-', '_'),
      scopes: values.scope ?? [],
      domainIds: values.domain ?? [],
    })
    if ('faults' in checked) throw new AdminError(Object.values(checked.faults).join(' '))
    const choice = { ...checked.choice, expiresAt, requestsPerMinute }
    return { owner, made: await addApiKey(db, choice, context.now()) }
  })
  return {
    message: SHOWN_ONCE,
    data: {
      ...made,
      type: typeOf(owner.kind),
      owner: owner.name,
      expires_at: isoTime(expiresAt ?? null),
    },
  }
}

/** `keys list` */
export const listKeysCommand: AdminCommand = async (args, { database }) => {
  parseCommand(args, {})
  const rows = await listApiKeys(database.db)
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
export const rotateKeyCommand: AdminCommand = async (args, { database, now }) => {
  const { positional: id } = parseCommand(args, {}, 'the key’s ID')
  const made = await rotateApiKey(database.db, id, now())
  if (!made) throw noKey(id)
  return { message: `The old key has ended. ${SHOWN_ONCE}`, data: made }
}

/** `keys revoke ID` */
export const revokeKeyCommand: AdminCommand = async (args, { database, now }) => {
  const { positional: id } = parseCommand(args, {}, 'the key’s ID')
  if (!(await revokeApiKey(database.db, id, now()))) throw noKey(id)
  return { message: 'The key has ended.', data: { id } }
}

/** Whose key it is where nobody said: the only organization, made if there is none yet. */
async function onlyOrganization(db: Kysely<Schema>, now: number): Promise<Owner> {
  const [first, ...more] = await listOwners(db, 'organization')
  if (more.length > 0) {
    throw new AdminError('There are several organizations. Say whose key it is: --org ORG')
  }
  return first ?? addOwner(db, { kind: 'organization', name: 'Default', now })
}

/** Which resources a key reaches (spec §2.3) follows from whose it is. */
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
