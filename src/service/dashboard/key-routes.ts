import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { validate as isUuid } from 'uuid'
import { checkKey } from '../key-rules.ts'
import { addApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../store/api-keys.ts'
import { listDomains } from '../store/domains.ts'
import { listAllOwners } from '../store/owners.ts'
import type { DashboardDeps } from './deps.ts'
import { formList, formValues } from './form-values.ts'
import { sendDashboardPage, sendMissing } from './send-page.ts'
import { confirmKeyPage, keyMadePage, keysPage } from './keys-page.ts'
import { EXPIRIES } from './new-key-form.ts'
import { EMPTY_FORM, type FilledForm } from './layout.ts'

const DAY_MS = 86_400_000

export function keyRoutes({ database: { db }, now }: DashboardDeps): FastifyPluginAsync {
  async function sendKeys(reply: FastifyReply, form: FilledForm, status = 200) {
    const csrf = reply.generateCsrf()
    const [keys, owners, domains] = [
      await listApiKeys(db),
      await listAllOwners(db),
      await listDomains(db),
    ]
    return sendDashboardPage(
      reply,
      keysPage({ csrf, keys, owners, domains, form, now: now() }),
      status,
    )
  }

  return async (scope) => {
    scope.get('/dashboard/keys', (_request, reply) => sendKeys(reply, EMPTY_FORM))

    scope.post('/dashboard/keys', async (request, reply) => {
      const values = formValues(request)
      const [scopes, domainIds] = [formList(request, 'scopes'), formList(request, 'domains')]
      for (const one of scopes) values[`scopes:${one}`] = 'on'
      for (const one of domainIds) values[`domains:${one}`] = 'on'
      const owner = (await listAllOwners(db)).find(({ id }) => id === values['owner'])
      if (!owner) return sendKeys(reply, { values, faults: { owner: 'Choose an owner.' } }, 422)
      const checked = await checkKey(db, owner, {
        name: values['name'] ?? '',
        description: values['description'] || undefined,
        permissions: values['permissions'] ?? '',
        scopes,
        domainIds,
      })
      const expires = values['expires'] ?? ''
      const faults: Record<string, string> = 'faults' in checked ? { ...checked.faults } : {}
      if (!EXPIRIES.some(([days]) => days === expires)) faults['expires'] = 'Choose when it ends.'
      if ('faults' in checked || faults['expires']) return sendKeys(reply, { values, faults }, 422)
      const expiresAt = expires === '' ? undefined : now() + Number(expires) * DAY_MS
      const made = await addApiKey(db, { ...checked.choice, expiresAt }, now())
      return sendDashboardPage(reply, keyMadePage({ csrf: reply.generateCsrf(), key: made.key }))
    })

    for (const action of ['rotate', 'revoke'] as const) {
      scope.get<{ Params: { id: string } }>(
        `/dashboard/keys/:id/${action}`,
        async ({ params }, reply) => {
          const key = (await listApiKeys(db)).find(({ id }) => id === params.id)
          if (!key) return sendMissing(reply, '/dashboard/keys')
          const csrf = reply.generateCsrf()
          return sendDashboardPage(reply, confirmKeyPage({ csrf, action, key }))
        },
      )
    }

    scope.post<{ Params: { id: string } }>(
      '/dashboard/keys/:id/rotate',
      async ({ params }, reply) => {
        const made = isUuid(params.id) && (await rotateApiKey(db, params.id, now()))
        if (!made) return reply.redirect('/dashboard/keys', 303)
        return sendDashboardPage(reply, keyMadePage({ csrf: reply.generateCsrf(), key: made.key }))
      },
    )

    scope.post<{ Params: { id: string } }>(
      '/dashboard/keys/:id/revoke',
      async ({ params }, reply) => {
        if (isUuid(params.id)) await revokeApiKey(db, params.id, now())
        return reply.redirect('/dashboard/keys', 303)
      },
    )
  }
}
