import type { Selectable } from 'kysely'
import { domainToASCII } from 'node:url'
import type { ListQuery } from '../../contract/list-query.ts'
import { isForeignKeyViolation } from '../../database/errors.ts'
import { preparedRow } from '../../database/prepared.ts'
import type { Db, Schema } from '../../database/schema.ts'
import { isFullHostname } from '../../http/public-hostname.ts'
import { type Addresses, normalizeHostname } from './addresses.ts'
import { countLinks, selectLinkCount } from './link-filter.ts'
import type { LinkReach } from './links.ts'

type Columns = Selectable<Schema['domains']>

/** URLs to which a hostname redirects instead of showing our pages: `/` to `home_url`, others to `not_found_url`. */
export type DomainUrls = Pick<Columns, 'home_url' | 'not_found_url'>

/** A domain record allows an owner to have short URLs on a hostname. Without an owner, all owners share it. */
export type DomainRow = Omit<Columns, keyof DomainUrls>

export const DOMAINS_AT_ONCE = 100

/** The id of the domain record for the hostname of SERVICE_PUBLIC_URL. It always exists, and all owners share it. */
export const BUILT_IN_DOMAIN = 'default'

export const findReachableDomain = preparedRow((db, id: string, ownerId: string) =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where((where) => where.or([where('owner_id', 'is', null), where('owner_id', '=', ownerId)])),
)

export async function selectReachableDomains(
  db: Db,
  { ownerId, domainIds }: LinkReach,
  { order, page, per_page: perPage }: Pick<ListQuery, 'order' | 'page' | 'per_page'>,
): Promise<{ rows: DomainRow[]; total: number }> {
  if (domainIds?.length === 0) return { rows: [], total: 0 }
  let reachable = db
    .selectFrom('domains')
    .where((where) => where.or([where('owner_id', 'is', null), where('owner_id', '=', ownerId)]))
  if (domainIds) reachable = reachable.where('id', 'in', domainIds)
  const rows = await reachable
    .selectAll()
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const { total } = await reachable
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/** Finds a record of a hostname. All records of a hostname have the same URLs. */
export const findByHostname = preparedRow((db, hostname: string) =>
  db
    .selectFrom('domains')
    .select(['id', 'home_url', 'not_found_url'])
    .where('domain_name', '=', hostname)
    .limit(1),
)

/** @returns false if a record with this id exists */
export async function addDomain(db: Db, row: DomainRow): Promise<boolean> {
  // The URLs belong to the hostname, so a new record gets those of the hostname's other records.
  const urls = await findByHostname(db, row.domain_name)
  const added = await db
    .insertInto('domains')
    .values({ ...urls, ...row })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** @returns undefined if the record was removed, otherwise an error message for the administrator */
export async function removeDomain(db: Db, id: string): Promise<string | undefined> {
  if (id === BUILT_IN_DOMAIN) return `“${id}” belongs to SERVICE_PUBLIC_URL and can’t be removed.`
  try {
    await db.deleteFrom('domains').where('id', '=', id).execute()
    return undefined
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
  }
  return (await countLinks(db, { domainIds: [id] })) > 0
    ? `“${id}” has links, which would stop working. It was not removed.`
    : `“${id}” has no links anymore, but short URLs of deleted or moved links stay reserved on it, so that they never lead to another link. It was not removed.`
}

const selectListed = (db: Db) =>
  db
    .selectFrom('domains')
    .leftJoin('owners', 'owners.id', 'domains.owner_id')
    .leftJoin(
      selectLinkCount(db, {}).select('domain_id').groupBy('domain_id').as('counts'),
      'counts.domain_id',
      'domains.id',
    )
    .selectAll('domains')
    .select(['owners.name as owner_name', 'counts.total as links'])

export type ListedDomain = NonNullable<Awaited<ReturnType<typeof findDomain>>>

export async function findDomain(db: Db, id: string) {
  return selectListed(db).where('domains.id', '=', id).executeTakeFirst()
}

export async function listDomains(db: Db, page = 1) {
  return selectListed(db)
    .orderBy('domains.created_at')
    .orderBy('domains.id')
    .limit(DOMAINS_AT_ONCE)
    .offset((page - 1) * DOMAINS_AT_ONCE)
    .execute()
}

// An ID has at most 75 characters, because Slack's menus allow no more, and isn't `.` or `..`, which URLs drop.
const ID = /^(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,75}$/

export function validateDomain(
  addresses: Addresses,
  input: { hostname: string; id?: string | undefined },
) {
  const hostname = normalizeHostname(domainToASCII(input.hostname))
  const errors: { hostname?: string; id?: string } = {}
  if (!isFullHostname(hostname)) {
    errors.hostname = `“${input.hostname}” is not a hostname. Use one like go.example.com, without https:// and without a path.`
  } else if (addresses.isBuiltIn(hostname)) {
    errors.hostname = `${hostname} is, or was, the service’s own address (SERVICE_PUBLIC_URL). Use the built-in record “default” for it.`
  }
  const id = input.id ?? hostname
  if (input.id !== undefined && !ID.test(id)) {
    errors.id =
      'An ID can have at most 75 characters: letters, digits, “.”, “-” and “_”, with at least one letter or digit.'
  } else if (!errors.hostname && !ID.test(id)) {
    errors.id = 'This hostname is too long to be the ID as well. Choose an ID.'
  }
  return Object.keys(errors).length > 0 ? { errors } : { domain: { id, domain_name: hostname } }
}

/** @throws if a domain record has the hostname of SERVICE_PUBLIC_URL, because two links could have one short URL */
export async function checkPublicHostname(db: Db, addresses: Addresses): Promise<void> {
  const hostname = normalizeHostname(new URL(addresses.origin).hostname)
  const clash = await findByHostname(db, hostname)
  if (!clash) return
  throw new Error(
    `SERVICE_PUBLIC_URL has the hostname ${hostname}, which the domain record ${clash.id} already has. Use another hostname. Or, if the record has no links, remove it: npm run admin -- domains remove ${clash.id}`,
  )
}
