import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { checkDomain } from '../domain-rules.ts'
import { addDomain, listDomains } from '../store/domains.ts'
import { listAllOwners } from '../store/owners.ts'
import type { DashboardDeps } from './deps.ts'
import { formValues } from './form-values.ts'
import { sendDashboardPage } from './send-page.ts'
import { domainsPage } from './domains-page.ts'
import { EMPTY_FORM, type FilledForm } from './layout.ts'

export function domainRoutes({
  database: { db },
  addresses,
  now,
}: DashboardDeps): FastifyPluginAsync {
  async function sendDomains(reply: FastifyReply, form: FilledForm, status = 200) {
    const csrf = reply.generateCsrf()
    const [domains, owners] = [await listDomains(db), await listAllOwners(db)]
    return sendDashboardPage(reply, domainsPage({ csrf, addresses, domains, owners, form }), status)
  }

  return async (scope) => {
    scope.get('/dashboard/domains', (_request, reply) => sendDomains(reply, EMPTY_FORM))

    scope.post('/dashboard/domains', async (request, reply) => {
      const values = formValues(request)
      const checked = checkDomain(addresses, {
        hostname: values['hostname'] ?? '',
        id: values['id'] || undefined,
      })
      const owner = (await listAllOwners(db)).find(({ id }) => id === values['owner'])
      const faults: Record<string, string> = 'faults' in checked ? { ...checked.faults } : {}
      if (values['owner'] && !owner) faults['owner'] = 'Choose who may use it.'
      if ('faults' in checked || faults['owner']) return sendDomains(reply, { values, faults }, 422)
      const { id, domain_name } = checked.domain
      const row = { id, domain_name, owner_id: owner?.id ?? null, created_at: now() }
      if (await addDomain(db, row)) return reply.redirect('/dashboard/domains', 303)
      faults['id'] = `There is a domain record “${id}” already. Choose another ID.`
      return sendDomains(reply, { values, faults }, 422)
    })
  }
}
