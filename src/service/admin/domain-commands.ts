import { validateDomain } from '../store/domain-rules.ts'
import {
  addDomain,
  BUILT_IN_DOMAIN,
  findDomain,
  listDomains,
  removeDomain,
} from '../store/domains.ts'
import { countLinks } from '../store/link-counts.ts'
import { parseCommand } from './arguments.ts'
import { AdminError, type AdminCommand } from './command.ts'
import { findOwner } from './owner-commands.ts'

/** `domains add HOSTNAME` */
export const addDomainCommand: AdminCommand = async (args, context) => {
  const { values, positional } = parseCommand(
    args,
    { id: { type: 'string' }, org: { type: 'string' }, account: { type: 'string' } },
    'a hostname, for example go.example.com',
  )
  const result = validateDomain(context.addresses, { hostname: positional, id: values.id })
  if ('errors' in result) throw new AdminError(Object.values(result.errors).join(' '))
  const { id, domain_name: domainName } = result.domain
  const owner = await findOwner(context, values)
  const row = {
    id,
    domain_name: domainName,
    owner_id: owner?.id ?? null,
    created_at: context.now(),
  }
  if (!(await addDomain(context.db, row))) {
    throw new AdminError(`The domain record “${id}” already exists. Choose another ID with --id.`)
  }
  return { data: { name: id, domain_name: domainName, owner: owner?.name ?? 'shared' } }
}

/** `domains list` */
export const listDomainsCommand: AdminCommand = async (args, { db, addresses }) => {
  parseCommand(args, {})
  const rows: Awaited<ReturnType<typeof listDomains>> = []
  for (let page = 1; ; page++) {
    const some = await listDomains(db, page)
    if (some.length === 0) break
    rows.push(...some)
  }
  return {
    data: rows.map((row) => ({
      name: row.id,
      domain_name: addresses.domainName(row.domain_name),
      owner: row.owner_name ?? 'shared',
    })),
  }
}

/** `domains remove ID` */
export const removeDomainCommand: AdminCommand = async (args, { db }) => {
  const { positional: id } = parseCommand(args, {}, 'the ID of a domain record')
  if (id === BUILT_IN_DOMAIN) {
    throw new AdminError(`“${id}” belongs to SERVICE_PUBLIC_URL and can’t be removed.`)
  }
  if (await removeDomain(db, id)) return { message: 'Domain record removed.', data: { name: id } }
  if (!(await findDomain(db, id))) {
    throw new AdminError(`There is no domain record “${id}”. See: npm run admin -- domains list`)
  }
  const links = await countLinks(db, { domainIds: [id] })
  throw new AdminError(
    links > 0
      ? `“${id}” has links, which would stop working. It was not removed.`
      : `“${id}” has no links any more, but short URLs of deleted or moved links stay reserved on it, so that they never lead to another link. It was not removed.`,
  )
}
