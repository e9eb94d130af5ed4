import type { FastifyReply } from 'fastify'
import { DAY_MS } from '../../timing/days.ts'
import {
  addApiKeyOnce,
  allowSignIn,
  findListedKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../store/api-keys.ts'
import type { ServiceContext } from '../store/context.ts'
import { listDomains } from '../store/domains.ts'
import { validateKey } from '../store/key-rules.ts'
import { listOwners } from '../store/owners.ts'
import { needs, type ViewerScope } from './access.ts'
import { EMPTY_FORM, formList, formValues, type FilledForm } from './form.ts'
import { confirmKeyPage, type KeyAction } from './key-actions.ts'
import { EXPIRIES, keyCreatedPage, keysPage } from './keys-page.ts'
import { chosenOwner } from './menus.ts'
import { pageAsked, sendDashboardPage, sendNotFound } from './page.ts'
import { ownerOf } from './viewer.ts'

type ById = { Params: { id: string } }

const ADMINISTRATOR = needs('administrator')

/** Shown after a second click, or if the page with the new key is loaded again. */
const ALREADY_CREATED =
  'You already submitted this form, and the key was created. If you didn’t see the key, rotate it to get a new one.'
const ALREADY_REVOKED =
  'This key is no longer valid. If it was rotated and you didn’t see the new key, rotate the new one to get another.'

export function keyRoutes({ db, write, now }: ServiceContext) {
  /** What an action does, and a key that it creates. False: the key is no longer valid. */
  const actions: Record<KeyAction, (id: string) => Promise<boolean | { key: string } | undefined>> =
    {
      rotate: (id) => write(rotateApiKey(id, now())),
      revoke: async (id) => {
        await revokeApiKey(db, id, now())
        return true
      },
      'allow-sign-in': (id) => allowSignIn(db, id, true, now()),
      'stop-sign-in': (id) => allowSignIn(db, id, false, now()),
    }

  async function sendKeys(
    reply: FastifyReply,
    form: FilledForm,
    status = 200,
    alert?: string,
  ): Promise<FastifyReply> {
    const { viewer } = reply.request
    const [ownerId, page] = [ownerOf(viewer), pageAsked(reply.request)]
    const valid = await listApiKeys(db, ownerId, 'valid', now(), page)
    const { keys: ended } = await listApiKeys(db, ownerId, 'ended', now())
    // Only the administrator creates keys.
    const newKey = ownerId === undefined && {
      owners: await listOwners(db),
      domains: await listDomains(db),
      form,
    }
    const shown = keysPage({ valid, ended, newKey, alert, page })
    return sendDashboardPage(reply, shown, status)
  }

  return async (scope: ViewerScope) => {
    scope.get('/dashboard/keys', needs('owner_access'), (_request, reply) =>
      sendKeys(reply, EMPTY_FORM),
    )

    scope.post('/dashboard/keys', ADMINISTRATOR, async (request, reply) => {
      const values = formValues(request)
      const [scopes, domainIds] = [formList(request, 'scopes'), formList(request, 'domains')]
      for (const one of scopes) values[`scopes:${one}`] = 'on'
      for (const one of domainIds) values[`domains:${one}`] = 'on'
      const owner = await chosenOwner({ db }, request.viewer, values['owner'])
      if (!owner) return sendKeys(reply, { values, errors: { owner: 'Choose an owner.' } }, 422)
      const result = await validateKey(db, owner, {
        name: values['name'] ?? '',
        description: values['description'] || undefined,
        permissions: values['permissions'] ?? '',
        scopes,
        domainIds,
      })
      const expires = values['expires'] ?? ''
      const errors: Record<string, string> = 'errors' in result ? { ...result.errors } : {}
      if (!EXPIRIES.some(([days]) => days === expires)) {
        errors['expires'] = 'Choose when the key expires.'
      }
      if ('errors' in result || errors['expires']) return sendKeys(reply, { values, errors }, 422)
      const expiresAt = expires === '' ? undefined : now() + Number(expires) * DAY_MS
      const newKey = { ...result.key, expiresAt }
      const created = await write(addApiKeyOnce(newKey, values['_csrf'] ?? '', now()))
      if (!created) return sendKeys(reply, EMPTY_FORM, 409, ALREADY_CREATED)
      return sendDashboardPage(reply, keyCreatedPage(created))
    })

    for (const [action, run] of Object.entries(actions)) {
      const path = `/dashboard/keys/:id/${action}`
      scope.get<ById>(path, ADMINISTRATOR, async ({ params }, reply) => {
        const key = await findListedKey(db, params.id)
        if (!key) return sendNotFound(reply, '/dashboard/keys')
        return sendDashboardPage(reply, confirmKeyPage(action as KeyAction, key))
      })
      scope.post<ById>(path, ADMINISTRATOR, async ({ params }, reply) => {
        const done = await run(params.id)
        if (!done) return sendKeys(reply, EMPTY_FORM, 409, ALREADY_REVOKED)
        if (done === true) return reply.redirect('/dashboard/keys', 303)
        return sendDashboardPage(reply, keyCreatedPage(done))
      })
    }
  }
}
