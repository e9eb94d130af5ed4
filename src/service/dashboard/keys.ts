import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { hostNames } from '../../contract/allowed-hosts.ts'
import { formatCount } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import * as store from '../store/api-keys.ts'
import type { ServiceContext } from '../store/context.ts'
import { KEY_TYPES } from '../store/owners.ts'
import { parseList, toAccess, SIGN_IN_SCOPE } from '../store/scopes.ts'
import { type ById, found, needs } from './access.ts'
import * as forms from './form.ts'
import * as keyForms from './key-forms.ts'
import * as pages from './page.ts'

const PATH = '/dashboard/keys'
const FOR_ADMINISTRATORS = needs('administrator')

const ACTIONS = {
  rotate: {
    label: 'Rotate',
    title: 'Rotate',
    button: 'Rotate key',
    lead: 'You get a new key. Once the old one stops working, programs that use it fail until you give them the new one. If the old key has leaked, let it stop immediately.',
  },
  revoke: {
    label: 'Revoke',
    title: 'Revoke',
    button: 'Revoke key',
    lead: 'The key stops working immediately, and programs that use it fail. Its links stay.',
  },
  'allow-sign-in': {
    label: 'Allow sign-in',
    title: 'Allow sign-in with',
    button: 'Allow sign-in',
    lead: 'The program that has this key can then sign people in to this dashboard. There, these people can do no more than the key itself allows.',
  },
  'stop-sign-in': {
    label: 'Stop sign-in',
    title: 'Stop sign-in with',
    button: 'Stop sign-in',
    lead: 'The key can no longer sign people in to this dashboard. The people whom it has signed in are signed out immediately.',
  },
} as const

type Action = keyof typeof ACTIONS

const KEPT_DAYS = Array.from({ length: store.MAX_KEPT_DAYS + 1 }, (_, days) => {
  const text = days === 0 ? 'Stops working immediately' : `Works for ${formatCount(days, 'day')}`
  return [String(days), text] as const
})

const ALREADY_CREATED =
  'You already submitted this form, and the key was created. If you didn’t see the key, rotate it to get a new one.'
const ALREADY_REVOKED =
  'You already submitted this form, or this key is no longer valid. If it was rotated and you didn’t see the new key, rotate the new one to get another.'

export async function keyRoutes(scope: FastifyInstance, context: ServiceContext) {
  const { db, write, now } = context

  async function sendKeys(reply: FastifyReply, form: forms.FilledForm) {
    const { viewer } = reply.request
    const ownerId = viewer.ownerId
    const page = pages.pageAsked(reply.request)
    const { keys, hasMore } = await store.listApiKeys(db, ownerId, 'valid', now(), page)
    const { keys: ended } = await store.listApiKeys(db, ownerId, 'ended', now())
    const isAdministrator = ownerId === undefined
    const headings = ['Name', 'Key', 'Workspace', 'Permissions', 'Last used', 'Expires']
    const content = [
      keys.length === 0
        ? html`<p class="lead">No valid keys.</p>`
        : pages.table('API keys', [...headings, isAdministrator && 'Actions'], keys.map(keyRow)),
      pages.pager(PATH, page, hasMore),
      ended.length > 0 && endedKeys(ended),
      isAdministrator &&
        html`<section id="new">
          <h2>New key</h2>
          ${await keyForms.newKeyForm(context, viewer, form)}
        </section>`,
    ]
    return pages.sendForm(reply, { title: 'API keys', content }, form)
  }

  const sendAlert = (reply: FastifyReply, alert: string) =>
    sendKeys(reply, { ...forms.EMPTY_FORM, alert })

  scope.get(PATH, needs('owner_access'), (_request, reply) => sendKeys(reply, forms.EMPTY_FORM))

  scope.post(PATH, FOR_ADMINISTRATORS, async (request, reply) => {
    const { key, invalid } = await keyForms.readNewKey(context, request)
    if (invalid) return sendKeys(reply, invalid)
    const { _csrf: formToken = '' } = forms.formValues(request)
    const created = await write(store.addApiKeyOnce(key, formToken, now()))
    if (!created) return sendAlert(reply, ALREADY_CREATED)
    return pages.sendDashboardPage(reply, keyForms.keyCreatedPage(created))
  })

  for (const action of Object.keys(ACTIONS) as Action[]) {
    scope.get<ById>(`${PATH}/:id/${action}`, FOR_ADMINISTRATORS, async ({ params }, reply) =>
      sendConfirmation(reply, action, found(await store.findListedKey(db, params.id))),
    )
  }

  scope.post<ById>(`${PATH}/:id/rotate`, FOR_ADMINISTRATORS, async (request, reply) => {
    const { keep, _csrf: formToken } = forms.formValues(request)
    const days = KEPT_DAYS.findIndex(([value]) => value === keep)
    const { id } = request.params
    const rotated = await write(store.rotateApiKey(id, Math.max(0, days), now(), formToken))
    if (!rotated) return sendAlert(reply, ALREADY_REVOKED)
    return pages.sendDashboardPage(reply, keyForms.keyCreatedPage(rotated))
  })
  scope.post<ById>(`${PATH}/:id/revoke`, FOR_ADMINISTRATORS, async ({ params }, reply) => {
    await store.revokeApiKey(db, params.id, now())
    return reply.redirect(PATH, 303)
  })
  for (const action of ['allow-sign-in', 'stop-sign-in'] as const) {
    scope.post<ById>(`${PATH}/:id/${action}`, FOR_ADMINISTRATORS, async ({ params }, reply) => {
      const isAllowed = action === 'allow-sign-in'
      const isValid = await store.setSignInAllowed(db, params.id, isAllowed, now())
      return isValid ? reply.redirect(PATH, 303) : sendAlert(reply, ALREADY_REVOKED)
    })
  }
  keyForms.destinationsRoutes(scope, context)
}

function keyRow(key: store.ListedKey): ComponentChildren[] {
  const signIn = toAccess(key).scopes.has(SIGN_IN_SCOPE) ? 'stop-sign-in' : 'allow-sign-in'
  return [
    pages.withNote(key.name, key.description),
    html`<code>${key.prefix}…</code>`,
    `${key.owner_name} (${KEY_TYPES[key.owner_kind]})`,
    permissionsText(key),
    key.last_used_at === null ? 'Never' : pages.day(key.last_used_at),
    key.expires_at === null ? 'Never' : pages.day(key.expires_at),
    html`<div class="actions">
      ${([signIn, 'rotate', 'revoke'] as const).map((action) => {
        const path = `${PATH}/${key.id}/${action}`
        return pages.actionLink(path, ACTIONS[action].label, key.name, action === 'revoke')
      })}
      ${pages.actionLink(keyForms.destinationsPath(key), 'Destinations', key.name)}
    </div>`,
  ]
}

function permissionsText(key: store.ListedKey): string {
  const { permissions, scopes, domain_ids } = key
  const level = { all: ['All'], read_only: ['Read only'], restricted: [] }[permissions]
  const limits = domain_ids === null ? [] : ['on some domains']
  const hosts = parseList(key.destinations)
  if (hosts.length > 0) limits.push(`only links to ${hostNames(hosts)}`)
  return [...level, ...parseList(scopes), ...limits].join(', ')
}

function endedKeys(keys: readonly store.ListedKey[]): ComponentChildren {
  const rows = keys.map((key) => [
    key.name,
    html`<code>${key.prefix}…</code>`,
    key.owner_name,
    pages.day(key.revoked_at ?? key.expires_at ?? 0),
  ])
  return html`<details>
    <summary>
      ${
        keys.length < store.KEYS_AT_ONCE
          ? formatCount(keys.length, 'revoked or expired key')
          : `The last ${store.KEYS_AT_ONCE} revoked or expired keys`
      }
    </summary>
    ${pages.table('Revoked and expired API keys', ['Name', 'Key', 'Workspace', 'Ended'], rows)}
  </details>`
}

function sendConfirmation(reply: FastifyReply, action: Action, key: store.ListedKey) {
  const { title, button, lead } = ACTIONS[action]
  const path = `${PATH}/${key.id}/${action}`
  const about = `${key.name}, ${key.prefix}…`
  const content = [
    html`<p class="lead">${lead}</p>`,
    html`<p>
      The key is <code>${key.prefix}…</code>. It belongs to ${key.owner_name}.
      ${key.last_used_at === null ? ' It has never been used.' : html` It was last used on ${pages.day(key.last_used_at)}.`}
    </p>`,
    action === 'rotate'
      ? html`<${forms.PostForm} action=${path} class="stack">
          ${forms.formInputs(forms.EMPTY_FORM).menu('keep', 'The old key', KEPT_DAYS)}
          <div class="actions"><button>${button}</button><a href=${PATH}>Cancel</a></div>
        </${forms.PostForm}>`
      : forms.confirmButton({ action: path, label: button, about }, PATH),
  ]
  return pages.sendDashboardPage(reply, { title: `${title} “${key.name}”?`, content })
}
