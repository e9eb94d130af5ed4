import { addOwner, listOwners, type Owner, type OwnerKind } from '../store/owners.ts'
import { AdminError } from './admin-error.ts'
import { parseCommand, parseText } from './arguments.ts'
import type { AdminCommand, AdminContext } from './run-admin.ts'

/** How the command line names an owner's kind. */
const OPTION: Record<OwnerKind, 'org' | 'account'> = { organization: 'org', account: 'account' }

/** `orgs add NAME`, `accounts add NAME` */
export function addOwnerCommand(kind: OwnerKind): AdminCommand {
  return async (args, { database, now }) => {
    const { positional } = parseCommand(args, {}, 'a name')
    const name = parseText(positional, 'name')
    const taken = (await listOwners(database.db, kind)).find((owner) => owner.name === name)
    if (taken) throw new AdminError(`There is ${anOwner(kind)} “${name}” already: ${taken.id}`)
    return { data: shown(await addOwner(database.db, { kind, name, now: now() })) }
  }
}

/** `orgs list`, `accounts list` */
export function listOwnersCommand(kind: OwnerKind): AdminCommand {
  return async (args, { database }) => {
    parseCommand(args, {})
    return { data: (await listOwners(database.db, kind)).map(shown) }
  }
}

/**
 * The owner that `--org` or `--account` names, by id or name; undefined where neither is given.
 *
 * @throws AdminError where there is none, or several share the name
 */
export async function findOwner(
  { database: { db } }: AdminContext,
  values: { org?: string | undefined; account?: string | undefined },
): Promise<Owner | undefined> {
  if (values.org !== undefined && values.account !== undefined) {
    throw new AdminError('Give --org or --account, not both.')
  }
  const kind = values.org === undefined ? 'account' : 'organization'
  const wanted = values.org ?? values.account
  if (wanted === undefined) return undefined
  const owners = await listOwners(db, kind)
  const found = owners.filter(({ id, name }) => id === wanted || name === wanted)
  const [owner] = found
  if (!owner) {
    throw new AdminError(
      `There is no ${kind} “${wanted}”. See: npm run admin -- ${OPTION[kind]}s list`,
    )
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new AdminError(`Several are named “${wanted}”. Give the ID of one: ${ids}`)
  }
  return owner
}

function anOwner(kind: OwnerKind): string {
  return kind === 'organization' ? 'an organization' : 'an account'
}

function shown({ id, name, external_id: externalId, created_at: createdAt }: Owner) {
  return { id, name, external_id: externalId, created_at: new Date(createdAt).toISOString() }
}
