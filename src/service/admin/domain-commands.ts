import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { addDomain, listDomains } from '../store/domains.ts'
import { bareHostname } from '../addresses.ts'
import { AdminError } from './admin-error.ts'
import { parseCommand } from './arguments.ts'
import { findOwner } from './owner-commands.ts'
import type { AdminCommand } from './run-admin.ts'

/** An id of a domain record; Slack's menus hold no longer values. */
const ID = /^[A-Za-z0-9._-]{1,75}$/

/** `domains add HOSTNAME` */
export const addDomainCommand: AdminCommand = async (args, context) => {
  const { values, positional } = parseCommand(
    args,
    { id: { type: 'string' }, org: { type: 'string' }, account: { type: 'string' } },
    'a hostname, for example go.example.com',
  )
  const domainName = parseHostname(positional)
  if (context.addresses.isBuiltIn(domainName)) {
    throw new AdminError(
      `${domainName} is the service’s own address (SERVICE_PUBLIC_URL): the built-in record “default” stands for it.`,
    )
  }
  const id = values.id ?? domainName
  if (!ID.test(id)) {
    throw new AdminError('An --id is letters, digits, “.”, “-” and “_”, 75 at most.')
  }
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

/** @throws AdminError for what can't be a public hostname */
function parseHostname(text: string): string {
  const ascii = bareHostname(domainToASCII(text))
  if (!/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(ascii) || isIP(ascii) || ascii.length > 253) {
    throw new AdminError(
      `“${text}” is no hostname. Use one like go.example.com, without https:// and without a path.`,
    )
  }
  return ascii
}
