import { exportOwner } from '../../database/copy/export-owner.ts'
import { importOwner } from '../../database/copy/import-owner.ts'
import { DAY_MS } from '../../timing/days.ts'
import type { ServiceContext } from '../store/context.ts'
import { erasePerson, purge } from '../store/erasure.ts'
import { addOwner, findOwners, listOwners, renameOwner, setMaxLinks } from '../store/owners.ts'
import type { Owner, OwnerKind } from '../store/owners.ts'
import { fillSegments } from '../store/segments.ts'
import { AdminError, parseCount, parseName, requireConfirmed, withOptions } from './command.ts'
import type { Command } from './command.ts'

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
        return { data: toRow(await addOwner(db, { kind, name, created_at: now() })) }
      },
    },
    [`${group} list`]: {
      async run(_input, { db }) {
        return { data: (await readAll((page) => listOwners(db, kind, page))).map(toRow) }
      },
    },
    [`${group} rename`]: {
      args: `${OPTION[kind].toUpperCase()} NAME`,
      async run({ args: [idOrName = '', text = ''] }, context) {
        const owner = await requireOwner(context, kind, idOrName)
        const name = parseName(text)
        if (await renameOwner(context.db, owner, name)) return { data: toRow({ ...owner, name }) }
        throw new AdminError(`Another ${kind} is named “${name}”.`)
      },
    },
    [`${group} quota`]: withOptions({
      args: OPTION[kind].toUpperCase(),
      options: {
        links: { value: 'N', help: 'how many links it can have: a number, or none for no limit' },
      },
      async run({ args: [idOrName = ''], options: { links } }, context) {
        if (links === undefined) throw new AdminError('Missing option: --links N, or --links none.')
        const maxLinks = links === 'none' ? null : parseCount(links, '--links', 0)
        const owner = await requireOwner(context, kind, idOrName)
        await setMaxLinks(context.db, owner.id, maxLinks)
        return { data: toRow({ ...owner, max_links: maxLinks }) }
      },
    }),
    [`${group} erase-names`]: withOptions({
      args: OPTION[kind].toUpperCase(),
      help: 'erase the names and IDs of all people from its links and\ntheir history, and end their sessions. Its links stay',
      options: {
        confirm: { value: 'NAME', help: `the ${kind}’s name, because this can’t be undone` },
      },
      async run({ args: [idOrName = ''], options: { confirm } }, context) {
        const owner = await requireOwner(context, kind, idOrName)
        const erased = `who created and changed the links of “${owner.name}” (${owner.id})`
        requireConfirmed(confirm, owner.name, erased)
        const rows = await erasePerson(context, owner.id, null)
        return {
          message: 'The names are erased. Backups that were made earlier still have them.',
          data: { id: owner.id, name: owner.name, rows },
        }
      },
    }),
  }
}

export const DATA_COMMANDS: Record<string, Command> = {
  purge: withOptions({
    help: 'erase where deleted links led, and who created them; their\nshort URLs stay reserved',
    options: {
      org: { value: 'ORG', help: 'only of this organization; without it, of all workspaces' },
      account: { value: 'ACCOUNT', help: 'or only of this personal account' },
      'history-days': {
        value: 'DAYS',
        help: 'also erase history older than this: changes of links and\nearlier destinations',
      },
      confirm: {
        value: 'NAME',
        help: 'the workspace’s name, or all, because this can’t be undone',
      },
    },
    async run({ options }, context) {
      const { confirm, 'history-days': days } = options
      const owner = await findOwner(context, options)
      // History before this time is erased. No history is older than time 0, so 0 erases nothing.
      const historyEnd =
        days === undefined ? 0 : context.now() - parseCount(days, '--history-days', 1) * DAY_MS
      const workspace = owner ? `“${owner.name}” (${owner.id})` : 'all workspaces'
      const history = days === undefined ? '' : `, and all history older than ${days} days,`
      const erased = `what is left of deleted links${history} of ${workspace}`
      requireConfirmed(confirm, owner?.name ?? 'all', erased)
      const rows = await purge(context, owner?.id ?? null, historyEnd)
      return {
        message:
          'Erased. Backups that were made earlier still have it, and the stored responses to requests that created a link keep it for up to two days.',
        data: { owner: owner?.name ?? 'all', rows },
      }
    },
  }),
  'export-workspace': withOptions({
    args: '[ORG]',
    help: 'write an organization with its links, clicks, history and keys\nto standard output, for another installation',
    options: { account: { value: 'ACCOUNT', help: 'a personal account instead' } },
    async run({ args: [org], options }, context) {
      const owner = await findOwner(context, { ...options, ...(org !== undefined && { org }) })
      if (!owner) throw new AdminError('Missing argument: ORG, or --account ACCOUNT.')
      const { databaseUrl, out: write, now } = context
      const rows = await exportOwner(databaseUrl, owner.id, { now: now(), write })
      const message =
        'Exported. Links that are created and clicks that are counted from now on are not in the file.'
      return { message, data: { id: owner.id, name: owner.name, rows }, printsOnStderr: true }
    },
  }),
  'import-workspace': {
    help: 'add a workspace from standard input, and compare it with the file',
    async run(_input, { databaseUrl, addresses, lines }) {
      const { owner, rows, isBuiltIn } = await importOwner(databaseUrl, lines(), {
        isOwnHostname: (hostname) => addresses.isBuiltIn(hostname),
        addSums: fillSegments,
      })
      const addressNote = ` Short URLs on the built-in domain now start with ${addresses.origin}.`
      return {
        message: `Imported, and equal to the file. The API keys are revoked: create new ones.${isBuiltIn ? addressNote : ''}`,
        data: { id: owner.id, name: owner.name, rows },
      }
    },
  },
}

/** Finds the owner that `--org` or `--account` names, by ID or name. @returns undefined if neither option is set */
export async function findOwner(
  context: ServiceContext,
  { org, account }: { org?: string; account?: string },
): Promise<Owner | undefined> {
  if (org !== undefined && account !== undefined) {
    throw new AdminError('Use --org or --account, not both.')
  }
  if (org !== undefined) return requireOwner(context, 'organization', org)
  return account === undefined ? undefined : requireOwner(context, 'account', account)
}

async function requireOwner({ db }: ServiceContext, kind: OwnerKind, idOrName: string) {
  const [owner, ...others] = await findOwners(db, kind, idOrName)
  if (!owner) {
    throw new AdminError(
      `There is no ${kind} “${idOrName}”. See: npm run admin -- ${OPTION[kind]}s list`,
    )
  }
  if (others.length === 0) return owner
  const ids = [owner, ...others].map(({ id }) => id).join(', ')
  throw new AdminError(`Several ${kind}s are named “${idOrName}”. Use the ID of one: ${ids}`)
}

export async function readAll<T>(readPage: (page: number) => Promise<T[]>): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const pageRows = await readPage(page)
    if (pageRows.length === 0) return rows
    rows.push(...pageRows)
  }
}

function toRow({ id, name, external_id, created_at: createdAt, max_links }: Owner) {
  return { id, name, external_id, created_at: new Date(createdAt).toISOString(), max_links }
}
