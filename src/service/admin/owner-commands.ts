import { addOwner, listOwners, setMaxLinks, type Owner, type OwnerKind } from '../store/owners.ts'
import { AdminError } from './admin-error.ts'
import { parseCommand, parseCount, parseText } from './arguments.ts'
import type { AdminCommand, AdminContext } from './admin-command.ts'

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

/** `orgs quota NAME --links N|none`, `accounts quota …` */
export function setQuotaCommand(kind: OwnerKind): AdminCommand {
  return async (args, context) => {
    const { values, positional } = parseCommand(args, { links: { type: 'string' } }, 'whose quota')
    const { links } = values
    if (links === undefined) throw new AdminError('Say how many: --links N, or --links none.')
    const maxLinks = links === 'none' ? null : parseCount(links, '--links', 0)
    const owner = await findOwner(context, { [OPTION[kind]]: positional })
    if (!owner) throw new Error('findOwner finds an owner or throws')
    await setMaxLinks(context.database.db, owner.id, maxLinks)
    return { data: shown({ ...owner, max_links: maxLinks }) }
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

function shown({ id, name, external_id, created_at: createdAt, max_links }: Owner) {
  return { id, name, external_id, created_at: new Date(createdAt).toISOString(), max_links }
}
