import { html } from '../../web/layout.ts'
import type { Addresses } from '../store/addresses.ts'
import { DOMAINS_AT_ONCE, type listDomains } from '../store/domains.ts'
import type { Owner } from '../store/owners.ts'
import { csrfField, formInputs, type FilledForm } from './form.ts'
import { pager, table, type DashboardPage } from './page.ts'

/** All domain records, and the form for a new one. */
export function domainsPage({
  addresses,
  domains,
  owners,
  form,
  page,
}: {
  addresses: Addresses
  domains: Awaited<ReturnType<typeof listDomains>>
  owners: readonly Owner[]
  form: FilledForm
  /** Which page of the records it shows, from 1. */
  page: number
}): DashboardPage {
  const { field, menu } = formInputs(form)
  return {
    section: '/dashboard/domains',
    title: 'Domains',
    content: (csrf) => [
      table(
        'Domain records',
        ['Hostname', 'ID', 'Available to'],
        domains.map(({ id, domain_name: hostname, owner_name: owner }) => [
          addresses.domainName(hostname),
          html`<code>${id}</code>`,
          owner ?? 'Everyone',
        ]),
      ),
      (page > 1 || domains.length === DOMAINS_AT_ONCE) &&
        pager({
          page,
          hasNext: domains.length === DOMAINS_AT_ONCE,
          to: (target) => `/dashboard/domains?page=${target}`,
        }),
      html`<section id="new">
        <h2>New domain</h2>
        <p>
          The hostname must point to this service: set up its DNS, and have your proxy pass on
          the${' '}
          <code>Host</code> header.
        </p>
        <form method="post" action="/dashboard/domains" class="stack">
          ${csrfField(csrf)}
          ${field('hostname', 'Hostname', {
            hint: 'For example go.example.com',
            required: true,
            maxLength: 253,
          })}
          ${field('id', 'ID (optional)', {
            hint: 'Requests use it to select the domain. Leave it empty to use the hostname.',
            maxLength: 75,
          })}
          ${menu('owner', 'Available to', [
            ['', 'Everyone'],
            ...owners.map(({ id, name }) => [id, name] as const),
          ])}
          <button>Add domain</button>
        </form>
      </section>`,
    ],
  }
}
