import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { SCOPES } from '../caller.ts'
import { addApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../store/api-keys.ts'
import { listDomains } from '../store/domains.ts'
import { listOwners } from '../store/owners.ts'
import type { DashboardDeps } from './deps.ts'
import { formList, formValues } from './form-values.ts'
import { sendDashboardPage } from './send-page.ts'
import { confirmKeyPage, keyMadePage, keysPage } from './keys-page.ts'
import { EMPTY_FORM, type FilledForm } from './layout.ts'

const DAY_MS = 86_400_000

const PERMISSIONS = ['all', 'read_only', 'restricted'] as const

export function keyRoutes({ database: { db }, now }: DashboardDeps): FastifyPluginAsync {
  const allOwners = async () => [
    ...(await listOwners(db, 'organization')),
    ...(await listOwners(db, 'account')),
  ]

  async function sendKeys(reply: FastifyReply, form: FilledForm, status = 200) {
    const csrf = reply.generateCsrf()
    const [keys, owners, domains] = [
      await listApiKeys(db),
      await allOwners(),
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
      const scopes = formList(request, 'scopes').filter((one) => SCOPES.some((is) => is === one))
      const domains = formList(request, 'domains')
      for (const one of scopes) values[`scopes:${one}`] = 'on'
      for (const one of domains) values[`domains:${one}`] = 'on'
      const permissions = PERMISSIONS.find((one) => one === values['permissions']) ?? 'all'
      const owner = (await allOwners()).find(({ id }) => id === values['owner'])
      const faults = keyFaults(values, permissions, scopes, domains)
      if (!owner || Object.keys(faults).length > 0) return sendKeys(reply, { values, faults }, 422)
      const reachable = (await listDomains(db)).filter(
        ({ owner_id: ownerId }) => ownerId === null || ownerId === owner.id,
      )
      const unreachable = domains.find((id) => !reachable.some((record) => record.id === id))
      if (unreachable !== undefined) {
        const scopesFault = `${owner.name} can’t use the domain record ${unreachable}.`
        return sendKeys(reply, { values, faults: { scopes: scopesFault } }, 422)
      }
      const days = Number(values['expires'] ?? '')
      const made = await addApiKey(
        db,
        {
          ownerId: owner.id,
          name: values['name'] ?? '',
          description: values['description'] || undefined,
          permissions,
          scopes,
          domainIds: permissions === 'restricted' && domains.length > 0 ? domains : undefined,
          expiresAt: days > 0 ? now() + days * DAY_MS : undefined,
        },
        now(),
      )
      return sendDashboardPage(reply, keyMadePage({ csrf: reply.generateCsrf(), key: made.key }))
    })

    for (const action of ['rotate', 'revoke'] as const) {
      scope.get<{ Params: { id: string } }>(
        `/dashboard/keys/:id/${action}`,
        async ({ params }, reply) => {
          const key = (await listApiKeys(db)).find(({ id }) => id === params.id)
          if (!key) return reply.callNotFound()
          const csrf = reply.generateCsrf()
          return sendDashboardPage(reply, confirmKeyPage({ csrf, action, key }))
        },
      )
    }

    scope.post<{ Params: { id: string } }>(
      '/dashboard/keys/:id/rotate',
      async ({ params }, reply) => {
        const made = await rotateApiKey(db, params.id, now())
        if (!made) return reply.redirect('/dashboard/keys', 303)
        return sendDashboardPage(reply, keyMadePage({ csrf: reply.generateCsrf(), key: made.key }))
      },
    )

    scope.post<{ Params: { id: string } }>(
      '/dashboard/keys/:id/revoke',
      async ({ params }, reply) => {
        await revokeApiKey(db, params.id, now())
        return reply.redirect('/dashboard/keys', 303)
      },
    )
  }
}

function keyFaults(
  values: Record<string, string>,
  permissions: (typeof PERMISSIONS)[number],
  scopes: readonly string[],
  domains: readonly string[],
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [name, required] of [
    ['name', true],
    ['description', false],
  ] as const) {
    const text = values[name] ?? ''
    if (required && !text) faults[name] = 'Give it a name, so that you know it again.'
    else if (text.length > 200 || /\p{Cc}/u.test(text)) {
      faults[name] = 'Use one line of at most 200 characters.'
    }
  }
  if (permissions === 'restricted' && scopes.length === 0) {
    faults['scopes'] = 'Tick what the key may do.'
  } else if (permissions !== 'restricted' && scopes.length + domains.length > 0) {
    faults['scopes'] = 'These count for a restricted key only. Choose Restricted, or tick none.'
  }
  return faults
}
