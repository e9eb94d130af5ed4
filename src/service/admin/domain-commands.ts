import { addDomain, BUILT_IN_DOMAIN, listDomains, removeDomain } from '../store/domains.ts'
import { checkDomain } from '../domain-rules.ts'
import { AdminError } from './admin-error.ts'
import { parseCommand } from './arguments.ts'
import { findOwner } from './owner-commands.ts'
import type { AdminCommand } from './admin-command.ts'

/** `domains add HOSTNAME` */
export const addDomainCommand: AdminCommand = async (args, context) => {
  const { values, positional } = parseCommand(
    args,
    { id: { type: 'string' }, org: { type: 'string' }, account: { type: 'string' } },
    'a hostname, for example go.example.com',
  )
  const checked = checkDomain(context.addresses, { hostname: positional, id: values.id })
  if ('faults' in checked) {
    throw new AdminError(Object.values(checked.faults).join(' '))
  }
  const { id, domain_name: domainName } = checked.domain
  const owner = await findOwner(context, values)
  const row = {
    id,
    domain_name: domainName,
    owner_id: owner?.id ?? null,
    created_at: context.now(),
  }
  if (!(await addDomain(context.database.db, row))) {
    throw new AdminError(`There is a domain record “${id}” already. Choose another with --id.`)
  }
  return { data: { name: id, domain_name: domainName, owner: owner?.name ?? 'shared' } }
}

/** `domains list` */
export const listDomainsCommand: AdminCommand = async (args, { database, addresses }) => {
  parseCommand(args, {})
  const rows = await listDomains(database.db)
  return {
    data: rows.map((row) => ({
      name: row.id,
      domain_name: addresses.domainName(row.domain_name),
      owner: row.owner_name ?? 'shared',
    })),
  }
}

/** `domains remove ID` */
export const removeDomainCommand: AdminCommand = async (args, { database: { db } }) => {
  const { positional: id } = parseCommand(args, {}, 'the domain record’s ID')
  if (id === BUILT_IN_DOMAIN) {
    throw new AdminError(`“${id}” stands for SERVICE_PUBLIC_URL, and stays.`)
  }
  if (await removeDomain(db, id)) return { message: 'The record is removed.', data: { name: id } }
  const isThere = (await listDomains(db)).some((row) => row.id === id)
  throw new AdminError(
    isThere
      ? `There are links on “${id}”, which would lead nowhere. It stays.`
      : `There is no domain record “${id}”. See: npm run admin -- domains list`,
  )
}
