import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { validate as isUuid } from 'uuid'
import type { ServiceContext } from '../store/context.ts'
import { validateDomain } from '../store/domain-rules.ts'
import { addDomain, listDomains } from '../store/domains.ts'
import { findOwnerById, listMenuOwners } from '../store/owners.ts'
import { domainsPage } from './domains-page.ts'
import { EMPTY_FORM, formValues, type FilledForm } from './form.ts'
import { pageNumber, sendDashboardPage } from './page.ts'

export function domainRoutes({ db, addresses, now }: ServiceContext): FastifyPluginAsync {
  async function sendDomains(reply: FastifyReply, form: FilledForm, status = 200, page = 1) {
    const [domains, owners] = [await listDomains(db, page), await listMenuOwners(db)]
    const shown = domainsPage({ addresses, domains, owners, form, page })
    return sendDashboardPage(reply, shown, status)
  }

  return async (scope) => {
    scope.get<{ Querystring: { page?: string } }>('/dashboard/domains', ({ query }, reply) =>
      sendDomains(reply, EMPTY_FORM, 200, pageNumber.parse(query.page)),
    )

    scope.post('/dashboard/domains', async (request, reply) => {
      const values = formValues(request)
      const result = validateDomain(addresses, {
        hostname: values['hostname'] ?? '',
        id: values['id'] || undefined,
      })
      const ownerId = values['owner'] ?? ''
      const owner = isUuid(ownerId) ? await findOwnerById(db, ownerId) : undefined
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
