import type { FastifyInstance, FastifyReply } from 'fastify'
import { checkDomainDns } from '../../http/domain-dns.ts'
import { formatCount } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { setDomainUrls } from '../store/domain-pages.ts'
import * as records from '../store/domains.ts'
import { isOneLine } from '../store/key-rules.ts'
import { listOwners } from '../store/owners.ts'
import { type DashboardContext, found, needs } from './access.ts'
import * as forms from './form.ts'
import { listPath } from './list-query.ts'
import { chosenOwner } from './menus.ts'
import { changeNotice, redirectWithNotice, takeNotice } from './notice.ts'
import * as pages from './page.ts'

const PATH = '/dashboard/domains'
const NEEDS = needs('administrator')
const EVERYONE = 'everyone'

const domainPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

const linksOn = (id: string, links: number | null) =>
  html`<a href=${listPath({ domain: id })}>${formatCount(links ?? 0, 'link')}</a>`

export async function domainRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { db, addresses, now } = context

  async function sendDomains(reply: FastifyReply, form: forms.FilledForm) {
    const page = pages.pageAsked(reply.request)
    const domains = await records.listDomains(db, page)
    const owners = await listOwners(db)
    const { field, menu } = forms.formInputs(form)
    const content = [
      pages.table(
        'Domain records',
        ['Hostname', 'ID', 'Available to', 'Links'],
        domains.map(({ id, domain_name: hostname, owner_name: owner, links }) => [
          html`<a href=${domainPath(id)}>${addresses.domainName(hostname)}</a>`,
          html`<code>${id}</code>`,
          owner ?? 'Everyone',
          linksOn(id, links),
        ]),
      ),
      pages.pager(PATH, page, domains.length === records.DOMAINS_AT_ONCE),
      html`<section id="new">
        <h2>New domain</h2>
        <${forms.PostForm} action=${PATH} class="stack">
          ${field('hostname', 'Hostname', {
            hint: 'For example go.example.com. The next page says which DNS record it needs.',
            required: true,
          })}
          ${field('id', 'ID (optional)', {
            hint: 'Requests use it to select the domain. Leave it empty to use the hostname.',
          })}
          ${menu('owner', 'Available to', [
            ['', 'Choose…'],
            [EVERYONE, 'Everyone'],
            ...owners.map(({ id, name }) => [id, name] as const),
          ])}
          <button>Add domain</button>
        </${forms.PostForm}>
      </section>`,
    ]
    return pages.sendForm(reply, { title: 'Domains', content }, form)
  }

  async function sendDomain(
    reply: FastifyReply,
    domain: records.ListedDomain,
    form = forms.EMPTY_FORM,
  ) {
    const { id, home_url, not_found_url } = domain
    const path = domainPath(id)
    const title = addresses.domainName(domain.domain_name)
    const isBuiltIn = id === records.BUILT_IN_DOMAIN
    const target = new URL(addresses.origin).hostname
    const url = `https://${title}/`
    const dns = isBuiltIn ? undefined : await checkDomainDns(domain.domain_name, target)
    const notice = takeNotice(reply, path)
    const { field } = forms.formInputs(form, { home_url, not_found_url })
    const content = [
      notice && changeNotice(notice, title),
      pages.factList([
        ['ID', html`<code>${id}</code>`],
        ['Available to', domain.owner_name ?? 'Everyone'],
        ['Links', linksOn(id, domain.links)],
      ]),
      dns &&
        html`<section>
          <h2>DNS</h2>
          <p>${dns.message}</p>
          ${
            dns.status === 'ok' &&
            html`<p>DNS is correct. To see whether https works, open <a href=${url}>${url}</a></p>`
          }
          <a class="button plain" href=${path}>Check DNS again</a>
        </section>`,
      html`<section>
        <h2>Home page and unknown back-halves</h2>
        <${forms.PostForm} action=${path} class="stack">
          ${field('home_url', 'The home page leads to', {
            hint: 'For example https://example.com. If it is empty, visitors see Backhalf’s own page. This applies to all domain records of the hostname.',
            inputMode: 'url',
          })}
          ${field('not_found_url', 'Unknown back-halves lead to', {
            hint: 'Links that are turned off, expired or deleted keep their own pages.',
            inputMode: 'url',
          })}
          <button>Save</button>
        </${forms.PostForm}>
      </section>`,
      !isBuiltIn &&
        html`<details>
          <summary>Remove this domain</summary>
          <p>
            You can remove a domain only if it has never had a link. You can add it again later.
          </p>
          ${
            !domain.links &&
            forms.postButton({
              action: path,
              label: 'Remove domain',
              about: title,
              danger: true,
              sends: { name: 'remove', value: 'true' },
            })
          }
        </details>`,
    ]
    return pages.sendForm(reply, { title, content }, form)
  }

  async function submit(reply: FastifyReply, domain: records.ListedDomain) {
    const values = forms.formValues(reply.request)
    if (values['remove'] === 'true') {
      const reason = await records.removeDomain(db, domain.id)
      return reason === undefined
        ? reply.redirect(PATH, 303)
        : sendDomain(reply, domain, { ...forms.EMPTY_FORM, alert: reason })
    }
    const { home_url = '', not_found_url = '' } = values
    const errors = await setDomainUrls(context, domain, { home_url, not_found_url })
    if (Object.keys(errors).length > 0) return sendDomain(reply, domain, { values, errors })
    return redirectWithNotice(reply, domainPath(domain.id), 'changed')
  }

  scope.get(PATH, NEEDS, (_request, reply) => sendDomains(reply, forms.EMPTY_FORM))

  scope.post(PATH, NEEDS, async (request, reply) => {
    const values = forms.formValues(request)
    const result = records.validateDomain(addresses, {
      hostname: values['hostname'] ?? '',
      id: values['id'] || undefined,
    })
    const owner = await chosenOwner(context, request.viewer, values['owner'])
    const errors: Record<string, string> = 'errors' in result ? { ...result.errors } : {}
    if (!owner && values['owner'] !== EVERYONE) errors['owner'] = 'Choose who can use it.'
    if ('errors' in result || errors['owner']) return sendDomains(reply, { values, errors })
    const { id, domain_name } = result.domain
    const row = { id, domain_name, owner_id: owner?.id ?? null, created_at: now() }
    if (await records.addDomain(db, row)) return redirectWithNotice(reply, domainPath(id), 'added')
    errors['id'] = `The domain record “${id}” already exists. Choose another ID.`
    return sendDomains(reply, { values, errors })
  })

  for (const method of ['get', 'post'] as const) {
    const respond = method === 'post' ? submit : sendDomain
    type ByDomain = { Params: { domain: string } }
    scope[method]<ByDomain>(`${PATH}/:domain`, NEEDS, async ({ params: { domain: id } }, reply) =>
      respond(reply, found(isOneLine(id) ? await records.findDomain(db, id) : undefined)),
    )
  }
}
