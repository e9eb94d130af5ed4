import {
  addDomain,
  BUILT_IN_DOMAIN,
  findDomain,
  listDomains,
  removeDomain,
  validateDomain,
} from '../store/domains.ts'
import { countLinks } from '../store/link-counts.ts'
import { AdminError, withOptions, type Command } from './command.ts'
import { findOwner, readAll } from './owner-commands.ts'

export const DOMAIN_COMMANDS: Record<string, Command> = {
  'domains add': withOptions(
    {
      id: {
        value: 'ID',
        help: 'its ID, which requests send as the domain; the hostname by default',
      },
      org: { value: 'ORG' },
      account: { value: 'ACCOUNT' },
    },
    {
      args: 'HOSTNAME',
      help: 'add a domain record; shared by everyone unless you set --org or --account',
      async run({ args: [hostname = ''], options }, context) {
        const result = validateDomain(context.addresses, { hostname, id: options.id })
        if ('errors' in result) throw new AdminError(Object.values(result.errors).join(' '))
        const { id, domain_name } = result.domain
        const owner = await findOwner(context, options)
        const row = { id, domain_name, owner_id: owner?.id ?? null, created_at: context.now() }
        if (!(await addDomain(context.db, row))) {
          throw new AdminError(
            `The domain record “${id}” already exists. Choose another ID with --id.`,
          )
        }
        return { data: { name: id, domain_name, owner: owner?.name ?? 'shared' } }
      },
    },
  ),
  'domains list': {
    async run(_input, { db, addresses }) {
      const rows = await readAll((page) => listDomains(db, page))
      return {
        data: rows.map((row) => ({
          name: row.id,
          domain_name: addresses.domainName(row.domain_name),
          owner: row.owner_name ?? 'shared',
        })),
      }
    },
  },
  'domains remove': {
    args: 'ID',
    help: 'remove a domain record that never had a link',
    async run({ args: [id = ''] }, { db }) {
      if (id === BUILT_IN_DOMAIN) {
        throw new AdminError(`“${id}” belongs to SERVICE_PUBLIC_URL and can’t be removed.`)
      }
      if (await removeDomain(db, id)) {
        return { message: 'Domain record removed.', data: { name: id } }
      }
      if (!(await findDomain(db, id))) {
        throw new AdminError(
          `There is no domain record “${id}”. See: npm run admin -- domains list`,
        )
      }
      throw new AdminError(
        (await countLinks(db, { domainIds: [id] })) > 0
          ? `“${id}” has links, which would stop working. It was not removed.`
          : `“${id}” has no links any more, but short URLs of deleted or moved links stay reserved on it, so that they never lead to another link. It was not removed.`,
      )
    },
  },
}
