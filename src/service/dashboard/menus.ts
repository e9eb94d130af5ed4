import { html } from '../../web/layout.ts'
import type { ServiceContext } from '../store/context.ts'
import { DOMAINS_AT_ONCE, listDomains } from '../store/domains.ts'
import { findOwnerById, listMenuOwners, OWNERS_AT_ONCE, type Owner } from '../store/owners.ts'

/** Shown instead of a form that needs an owner, if there is none. */
export const NO_OWNERS = html`<p>
  Every link needs an owner. Add an organization first:${' '}
  <code>npm run admin -- orgs add NAME</code>
</p>`

type Option = readonly [id: string, text: string]

export function ownerOptions(owners: readonly Pick<Owner, 'id' | 'name' | 'kind'>[]): Option[] {
  return owners.map(({ id, name, kind }) => [
    id,
    `${name} (${kind === 'organization' ? 'Organization' : 'Self'})`,
  ])
}

/** The owners and domain records to choose from. `complete`: these are all. */
export async function listMenus({
  db,
  addresses,
}: ServiceContext): Promise<{ owners: Option[]; domains: Option[]; complete: boolean }> {
  const [owners, domains] = [await listMenuOwners(db), await listDomains(db)]
  return {
    owners: ownerOptions(owners),
    domains: domains.map(({ id, domain_name: hostname, owner_name: owner }) => {
      const name = addresses.domainName(hostname)
      return [id, owner === null ? name : `${name} (only ${owner})`]
    }),
    complete: owners.length < OWNERS_AT_ONCE && domains.length < DOMAINS_AT_ONCE,
  }
}

/** The menus of the list's filters. They contain what is chosen even if there are too many records for a menu. */
export async function listFilterMenus(
  context: ServiceContext,
  chosen: { owner: string | undefined; domain: string | undefined },
): Promise<Record<'owners' | 'domains', Option[]>> {
  const { owners, domains } = await listMenus(context)
  const isMissing = (options: Option[], id: string | undefined) =>
    id !== undefined && !options.some(([option]) => option === id)
  if (chosen.owner !== undefined && isMissing(owners, chosen.owner)) {
    const owner = await findOwnerById(context.db, chosen.owner)
    owners.push([chosen.owner, owner?.name ?? 'Unknown owner'])
  }
  if (chosen.domain !== undefined && isMissing(domains, chosen.domain)) {
    domains.push([chosen.domain, chosen.domain])
  }
  return { owners, domains }
}
