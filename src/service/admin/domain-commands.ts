import type { ServiceContext } from '../store/context.ts'
import { EMPTY_BLOCKLIST } from '../store/blocklist.ts'
import * as records from '../store/domains.ts'
import { setDomainUrls } from '../store/domain-pages.ts'
import { AdminError, withOptions, type Command } from './command.ts'
import { findOwner, readAll } from './owner-commands.ts'

export const DOMAIN_COMMANDS: Record<string, Command> = {
  'domains add': withOptions({
    args: 'HOSTNAME',
    help: 'add a domain record; shared by everyone unless you set --org or --account',
    options: {
      id: {
        value: 'ID',
        help: 'its ID, which requests send as the domain; the hostname by default',
      },
      org: { value: 'ORG' },
      account: { value: 'ACCOUNT' },
    },
    async run({ args: [hostname = ''], options }, context) {
      const result = records.validateDomain(context.addresses, { hostname, id: options.id })
      if ('errors' in result) throw new AdminError(Object.values(result.errors).join(' '))
      const { id, domain_name } = result.domain
      const owner = await findOwner(context, options)
      const row = { id, domain_name, owner_id: owner?.id ?? null, created_at: context.now() }
      if (!(await records.addDomain(context.db, row))) {
        throw new AdminError(
          `The domain record “${id}” already exists. Choose another ID with --id.`,
        )
      }
      return { data: toRow(context, await findRecord(context, id)) }
    },
  }),
  'domains list': {
    async run(_input, { db, addresses }) {
      const rows = await readAll((page) => records.listDomains(db, page))
      return { data: rows.map((row) => toRow({ addresses }, row)) }
    },
  },
  'domains set': withOptions({
    args: 'ID',
    help: 'set where / and unknown back-halves lead, for all records of its hostname',
    options: {
      'home-url': { value: 'URL', help: 'where / of its hostname leads, or none' },
      'not-found-url': { value: 'URL', help: 'where unknown back-halves lead, or none' },
    },
    async run({ args: [id = ''], options }, context) {
      const row = await findRecord(context, id)
      const home_url = options['home-url']
      const not_found_url = options['not-found-url']
      if (home_url === undefined && not_found_url === undefined) {
        throw new AdminError('Missing option: --home-url URL or --not-found-url URL.')
      }
      // This command doesn't read the blocklist, because each redirect checks it anyway.
      const withoutBlocklist = { ...context, blocklist: EMPTY_BLOCKLIST }
      const errors = await setDomainUrls(withoutBlocklist, row, { home_url, not_found_url })
      const problems = Object.entries(errors).map(
        ([name, error]) => `--${name.replaceAll('_', '-')}: ${error}`,
      )
      if (problems.length > 0) throw new AdminError(problems.join(' '))
      return { data: toRow(context, await findRecord(context, id)) }
    },
  }),
  'domains remove': {
    args: 'ID',
    help: 'remove a domain record that never had a link',
    async run({ args: [id = ''] }, context) {
      await findRecord(context, id)
      const reason = await records.removeDomain(context.db, id)
      if (reason !== undefined) throw new AdminError(reason)
      return { message: 'Domain record removed.', data: { name: id } }
    },
  },
}

function toRow({ addresses }: Pick<ServiceContext, 'addresses'>, row: records.ListedDomain) {
  const { id: name, owner_name: owner, home_url, not_found_url } = row
  const domain_name = addresses.domainName(row.domain_name)
  return { name, domain_name, owner: owner ?? 'shared', home_url, not_found_url }
}

async function findRecord({ db }: ServiceContext, id: string) {
  const row = await records.findDomain(db, id)
  if (row) return row
  throw new AdminError(`There is no domain record “${id}”. See: npm run admin -- domains list`)
}
