import { validate as isUuid } from 'uuid'
import { html } from '../../web/pages.ts'
import type { ServiceContext } from '../store/context.ts'
import { DOMAINS_AT_ONCE, listDomains, selectReachableDomains } from '../store/domains.ts'
import type { Viewer } from './access.ts'
import { findOwnerById, KEY_TYPES, listOwners, OWNERS_AT_ONCE } from '../store/owners.ts'

export const NO_OWNERS = html`<p>
  Links and keys need a workspace. Add an organization first:${' '}
  <code>npm run admin -- orgs add NAME</code>
</p>`

type Option = readonly [id: string, text: string]

/** A member always gets their own owner, whatever the form says. */
export async function chosenOwner({ db }: ServiceContext, viewer: Viewer, chosenId = '') {
  const id = viewer.kind === 'member' ? viewer.ownerId : chosenId
  return isUuid(id) ? findOwnerById(db, id) : undefined
}

/** If there are too many to list, `complete` is false, but the chosen owner and domain are always listed. */
export async function listMenus(
  { db, addresses }: ServiceContext,
  viewer: Viewer,
  { owner, domain }: { owner?: string | undefined; domain?: string | undefined } = {},
) {
  if (viewer.kind === 'member') {
    const page = { order: 'asc', page: 1, per_page: DOMAINS_AT_ONCE } as const
    const { rows, total } = await selectReachableDomains(db, viewer, page)
    const domains = rows.map((row): Option => [row.id, addresses.domainName(row.domain_name)])
    return { owners: [], domains, complete: total <= DOMAINS_AT_ONCE }
  }
  const allOwners = await listOwners(db)
  const allDomains = await listDomains(db)
  const owners = allOwners.map(({ id, name, kind }): Option => [id, `${name} (${KEY_TYPES[kind]})`])
  const domains = allDomains.map(({ id, domain_name: hostname, owner_name }): Option => {
    const name = addresses.domainName(hostname)
    return [id, owner_name === null ? name : `${name} (only ${owner_name})`]
  })
  if (owner !== undefined && !owners.some(([id]) => id === owner)) {
    owners.push([owner, (await findOwnerById(db, owner))?.name ?? 'Unknown workspace'])
  }
  if (domain !== undefined && !domains.some(([id]) => id === domain)) {
    domains.push([domain, domain])
  }
  const complete = allOwners.length < OWNERS_AT_ONCE && allDomains.length < DOMAINS_AT_ONCE
  return { owners, domains, complete }
}
