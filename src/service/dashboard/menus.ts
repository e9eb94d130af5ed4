import { html } from '../../web/layout.ts'
import type { ServiceContext } from '../store/context.ts'
import { DOMAINS_AT_ONCE, listDomains } from '../store/domains.ts'
import { listMenuOwners, OWNERS_AT_ONCE } from '../store/owners.ts'

/** Shown instead of a form that needs an owner, if there is none. */
export const NO_OWNERS = html`<p>
  Every link needs an owner. Add an organization first:${' '}
  <code>npm run admin -- orgs add NAME</code>
</p>`

type Options = (readonly [id: string, text: string])[]

/** The owners and domain records to choose from. `complete`: these are all. */
export async function listMenus({
  db,
  addresses,
}: ServiceContext): Promise<{ owners: Options; domains: Options; complete: boolean }> {
  const [owners, domains] = [await listMenuOwners(db), await listDomains(db)]
  return {
    owners: owners.map(({ id, name, kind }) => [
      id,
      `${name} (${kind === 'organization' ? 'Organization' : 'Self'})`,
    ]),
    domains: domains.map(({ id, domain_name: hostname, owner_name: owner }) => {
      const name = addresses.domainName(hostname)
      return [id, owner === null ? name : `${name} (only ${owner})`]
    }),
    complete: owners.length < OWNERS_AT_ONCE && domains.length < DOMAINS_AT_ONCE,
  }
}
