import { html } from '../pages/html.ts'
import type { Addresses } from '../addresses.ts'
import type { listDomains } from '../store/domains.ts'
import type { Owner } from '../store/owners.ts'
import { csrfField, dashboardPage, field, select, table, type FilledForm } from './layout.ts'

export function domainsPage({
  csrf,
  addresses,
  domains,
  owners,
  form: { values, faults },
}: {
  csrf: string
  addresses: Addresses
  domains: Awaited<ReturnType<typeof listDomains>>
  owners: readonly Owner[]
  form: FilledForm
}): string {
  return dashboardPage({
    section: '/dashboard/domains',
    title: 'Domains',
    csrf,
    content: [
      table(
        'Domain records',
        ['Hostname', 'ID', 'Who may use it'],
        domains.map(({ id, domain_name: hostname, owner_name: owner }) => [
          addresses.domainName(hostname),
          html`<code>${id}</code>`,
          owner ?? 'Everybody',
        ]),
      ),
      html`<section id="new">
        <h2>New domain</h2>
        <p>
          Its hostname must lead to this service: point its DNS here, and have your proxy pass
          the${' '}
          <code>Host</code> on.
        </p>
        <form method="post" action="/dashboard/domains" class="stack">
          ${csrfField(csrf)}
          ${field({
            name: 'hostname',
            label: 'Hostname',
            value: values['hostname'] ?? '',
            hint: 'For example go.example.com',
            fault: faults['hostname'],
            required: true,
            maxLength: 253,
          })}
          ${field({
            name: 'id',
            label: 'ID (optional)',
            value: values['id'] ?? '',
            hint: 'What requests name it by; the hostname, if you leave it empty.',
            fault: faults['id'],
            maxLength: 75,
          })}
          ${select({
            name: 'owner',
            label: 'Who may use it',
            value: values['owner'] ?? '',
            options: [['', 'Everybody'], ...owners.map(({ id, name }) => [id, name] as const)],
            fault: faults['owner'],
          })}
          <button>Add the domain</button>
        </form>
      </section>`,
    ],
  })
}
