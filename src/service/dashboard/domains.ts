import type { FastifyReply } from 'fastify'
import { html } from '../../web/layout.ts'
import type { ServiceContext } from '../store/context.ts'
import { addDomain, DOMAINS_AT_ONCE, listDomains, validateDomain } from '../store/domains.ts'
import { listOwners } from '../store/owners.ts'
import { needs, type ViewerScope } from './access.ts'
import { csrfField, EMPTY_FORM, type FilledForm, formInputs, formValues } from './form.ts'
import { chosenOwner } from './menus.ts'
import { type DashboardPage, pageAsked, pager, sendDashboardPage, table } from './page.ts'

export function domainRoutes({ db, addresses, now }: ServiceContext) {
  /** Sends all domain records, and the form for a new one. */
  async function sendDomains(reply: FastifyReply, form: FilledForm, status = 200) {
    const page = pageAsked(reply.request)
    const [domains, owners] = [await listDomains(db, page), await listOwners(db)]
    const { field, menu } = formInputs(form)
    const shown: DashboardPage = {
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
        pager('/dashboard/domains', page, domains.length === DOMAINS_AT_ONCE),
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
            })}
            ${field('id', 'ID (optional)', {
              hint: 'Requests use it to select the domain. Leave it empty to use the hostname.',
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
    return sendDashboardPage(reply, shown, status)
  }

  return async (scope: ViewerScope) => {
    scope.get('/dashboard/domains', needs('administrator'), (_request, reply) =>
      sendDomains(reply, EMPTY_FORM),
    )

    scope.post('/dashboard/domains', needs('administrator'), async (request, reply) => {
      const values = formValues(request)
      const result = validateDomain(addresses, {
        hostname: values['hostname'] ?? '',
        id: values['id'] || undefined,
      })
      const ownerId = values['owner'] ?? ''
      const owner = await chosenOwner({ db }, request.viewer, ownerId)
      const errors: Record<string, string> = 'errors' in result ? { ...result.errors } : {}
      if (ownerId && !owner) errors['owner'] = 'Choose who can use it.'
      if ('errors' in result || errors['owner']) return sendDomains(reply, { values, errors }, 422)
      const { id, domain_name } = result.domain
      const row = { id, domain_name, owner_id: owner?.id ?? null, created_at: now() }
      if (await addDomain(db, row)) return reply.redirect('/dashboard/domains', 303)
      errors['id'] = `The domain record “${id}” already exists. Choose another ID.`
      return sendDomains(reply, { values, errors }, 422)
    })
  }
}
