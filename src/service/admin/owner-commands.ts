import type { ServiceContext } from '../store/context.ts'
import { eraseAllNames } from '../store/erase-person.ts'
import {
  addOwner,
  findOwners,
  listOwners,
  renameOwner,
  setMaxLinks,
  type Owner,
  type OwnerKind,
} from '../store/owners.ts'
import {
  AdminError,
  type Command,
  parseCount,
  parseName,
  requireConfirmed,
  withOptions,
} from './command.ts'

const OPTION = { organization: 'org', account: 'account' } as const

export function ownerCommands(kind: OwnerKind): Record<string, Command> {
  const group = `${OPTION[kind]}s`
  return {
    [`${group} add`]: {
      args: 'NAME',
      help:
        kind === 'organization'
          ? 'add an organization; its keys can access its links and domain records'
          : 'add a personal account',
      async run({ args: [text = ''] }, { db, now }) {
        const name = parseName(text)
        const existing = (await findOwners(db, kind, name)).find((owner) => owner.name === name)
        if (existing) throw new AdminError(`The ${kind} “${name}” already exists: ${existing.id}`)
        return { data: shown(await addOwner(db, { kind, name, now: now() })) }
      },
    },
    [`${group} list`]: {
      async run(_input, { db }) {
        return { data: (await readAll((page) => listOwners(db, kind, page))).map(shown) }
      },
    },
    [`${group} rename`]: {
      args: `${OPTION[kind].toUpperCase()} NAME`,
      async run({ args: [wanted = '', text = ''] }, context) {
        const owner = await findOne(context, kind, wanted)
        const name = parseName(text)
        if (await renameOwner(context.db, owner, name)) return { data: shown({ ...owner, name }) }
        throw new AdminError(`Another ${kind} is named “${name}”.`)
      },
    },
    [`${group} quota`]: withOptions({
      args: OPTION[kind].toUpperCase(),
      options: {
        links: { value: 'N', help: 'how many links it can have: a number, or none for no limit' },
      },
      async run({ args: [wanted = ''], options: { links } }, context) {
        if (links === undefined) throw new AdminError('Missing option: --links N, or --links none.')
        const maxLinks = links === 'none' ? null : parseCount(links, '--links', 0)
        const owner = await findOne(context, kind, wanted)
        await setMaxLinks(context.db, owner.id, maxLinks)
        return { data: shown({ ...owner, max_links: maxLinks }) }
      },
    }),
    [`${group} erase-names`]: withOptions({
      args: OPTION[kind].toUpperCase(),
      help: 'erase the names and IDs of all people from its links and\ntheir history, and end their sessions. Its links stay',
      options: {
        confirm: { value: 'NAME', help: `the ${kind}’s name, because this can’t be undone` },
      },
      async run({ args: [wanted = ''], options: { confirm } }, context) {
        const owner = await findOne(context, kind, wanted)
        const erased = `who created and changed the links of “${owner.name}” (${owner.id})`
        requireConfirmed(confirm, owner.name, erased)
        const rows = await eraseAllNames(context, owner.id)
        return {
          message: 'The names are erased. Backups that were made earlier still have them.',
          data: { id: owner.id, name: owner.name, rows },
        }
      },
    }),
  }
}

/** Finds the owner that `--org` or `--account` names, by ID or name. Returns undefined if neither is given. */
export async function findOwner(
  context: ServiceContext,
  { org, account }: { org?: string; account?: string },
): Promise<Owner | undefined> {
  if (org !== undefined && account !== undefined) {
    throw new AdminError('Use --org or --account, not both.')
  }
  if (org !== undefined) return findOne(context, 'organization', org)
  return account === undefined ? undefined : findOne(context, 'account', account)
}

async function findOne({ db }: ServiceContext, kind: OwnerKind, wanted: string): Promise<Owner> {
  const [owner, ...others] = await findOwners(db, kind, wanted)
  if (!owner) {
    throw new AdminError(
      `There is no ${kind} “${wanted}”. See: npm run admin -- ${OPTION[kind]}s list`,
    )
  }
  if (others.length === 0) return owner
  const ids = [owner, ...others].map(({ id }) => id).join(', ')
  throw new AdminError(`Several ${kind}s are named “${wanted}”. Use the ID of one: ${ids}`)
}

/** Reads all pages of a list. @param readPage returns no rows after the last page. The first page is 1 */
export async function readAll<T>(readPage: (page: number) => Promise<T[]>): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const more = await readPage(page)
    if (more.length === 0) return rows
    rows.push(...more)
  }
}

function shown({ id, name, external_id, created_at: createdAt, max_links }: Owner) {
  return { id, name, external_id, created_at: new Date(createdAt).toISOString(), max_links }
}
