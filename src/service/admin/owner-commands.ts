import type { ServiceContext } from '../store/context.ts'
import {
  addOwner,
  findOwners,
  listOwners,
  setMaxLinks,
  type Owner,
  type OwnerKind,
} from '../store/owners.ts'
import { parseCommand, parseCount, parseName } from './arguments.ts'
import { AdminError, readAll, type AdminCommand } from './command.ts'

/** The option that names an owner of each kind. */
const OPTION: Record<OwnerKind, 'org' | 'account'> = { organization: 'org', account: 'account' }

/** `orgs add NAME`, `accounts add NAME` */
export function addOwnerCommand(kind: OwnerKind): AdminCommand {
  return async (args, { db, now }) => {
    const { positional } = parseCommand(args, {}, 'a name')
    const name = parseName(positional)
    const existing = (await findOwners(db, kind, name)).find((owner) => owner.name === name)
    if (existing) throw new AdminError(`The ${kind} “${name}” already exists: ${existing.id}`)
    return { data: shown(await addOwner(db, { kind, name, now: now() })) }
  }
}

/** `orgs list`, `accounts list` */
export function listOwnersCommand(kind: OwnerKind): AdminCommand {
  return async (args, { db }) => {
    parseCommand(args, {})
    const owners = await readAll((after) => listOwners(db, kind, after))
    return { data: owners.map(shown) }
  }
}

/** `orgs quota NAME --links N|none`, `accounts quota …` */
export function setQuotaCommand(kind: OwnerKind): AdminCommand {
  return async (args, context) => {
    const { values, positional } = parseCommand(args, { links: { type: 'string' } }, `the ${kind}`)
    const { links } = values
    if (links === undefined) throw new AdminError('Missing option: --links N, or --links none.')
    const maxLinks = links === 'none' ? null : parseCount(links, '--links', 0)
    const owner = await findOwner(context, { [OPTION[kind]]: positional })
    if (!owner) throw new Error('findOwner finds an owner or throws')
    await setMaxLinks(context.db, owner.id, maxLinks)
    return { data: shown({ ...owner, max_links: maxLinks }) }
  }
}

/**
 * Finds the owner that `--org` or `--account` names, by ID or name.
 *
 * @returns undefined if neither option is given
 * @throws AdminError if there is no such owner, or several share the name
 */
export async function findOwner(
  { db }: ServiceContext,
  options: { org?: string | undefined; account?: string | undefined },
): Promise<Owner | undefined> {
  if (options.org !== undefined && options.account !== undefined) {
    throw new AdminError('Use --org or --account, not both.')
  }
  const kind = options.org === undefined ? 'account' : 'organization'
  const wanted = options.org ?? options.account
  if (wanted === undefined) return undefined
  const found = await findOwners(db, kind, wanted)
  const [owner] = found
  if (!owner) {
    throw new AdminError(
      `There is no ${kind} “${wanted}”. See: npm run admin -- ${OPTION[kind]}s list`,
    )
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new AdminError(`Several ${kind}s are named “${wanted}”. Use the ID of one: ${ids}`)
  }
  return owner
}

function shown({ id, name, external_id, created_at: createdAt, max_links }: Owner) {
  return { id, name, external_id, created_at: new Date(createdAt).toISOString(), max_links }
}
