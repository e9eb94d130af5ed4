import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
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

/** For whoever clicked twice, or loaded the page of the new key again. */
const MADE_ALREADY =
  'That form was sent before, and its key was made then. If you didn’t see the key, rotate it to get another one.'
const ENDED_ALREADY =
  'That key ended before. If it was rotated and you didn’t see the new one, rotate that to get another one.'

export function keyRoutes({ database: { db }, now }: DashboardDeps): FastifyPluginAsync {
  /** Forms that made a key, by the token of the page that each was on: a new one on every page. */
  const sent = new LRUCache<string, true>({ max: 1000 })

  async function sendKeys(
    reply: FastifyReply,
    form: FilledForm,
    status = 200,
    problem?: string,
  ): Promise<FastifyReply> {
    const csrf = reply.generateCsrf()
    const [keys, owners, domains] = [
      await listApiKeys(db),
      await listAllOwners(db),
      await listDomains(db),
    ]
    return sendDashboardPage(
      reply,
      keysPage({ csrf, keys, owners, domains, form, problem, now: now() }),
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
      const token = values['_csrf'] ?? ''
      if (sent.has(token)) return sendKeys(reply, EMPTY_FORM, 409, MADE_ALREADY)
      sent.set(token, true)
      const expiresAt = expires === '' ? undefined : now() + Number(expires) * DAY_MS
      const made = await addApiKey(db, { ...checked.choice, expiresAt }, now()).catch(
        (error: unknown) => {
          sent.delete(token)
          throw error
        },
      )
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
        if (!isUuid(params.id)) return reply.redirect('/dashboard/keys', 303)
        const made = await rotateApiKey(db, params.id, now())
        if (!made) return sendKeys(reply, EMPTY_FORM, 409, ENDED_ALREADY)
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
