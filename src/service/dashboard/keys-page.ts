import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { KEYS_AT_ONCE, type ListedKey } from '../store/api-keys.ts'
import { type DomainRow, DOMAINS_AT_ONCE } from '../store/domains.ts'
import { accessOf, LINK_SCOPES, SIGN_IN_SCOPE } from '../store/scopes.ts'
import { KEY_TYPES, type Owner, OWNERS_AT_ONCE } from '../store/owners.ts'
import { copyButton } from './copy.ts'
import { csrfField, type FilledForm, formInputs } from './form.ts'
import { KEY_ACTIONS } from './key-actions.ts'
import { ownerOptions } from './menus.ts'
import { alertBox, type DashboardPage, day, pager, table } from './page.ts'

/** A page of the keys, and the form for a new one. */
export function keysPage({
  valid,
  ended,
  alert,
  page,
  newKey,
}: {
  valid: { keys: readonly ListedKey[]; hasMore: boolean }
  /** The last of the revoked and expired keys. */
  ended: readonly ListedKey[]
  /** A problem with the last request that no field caused. */
  alert?: string | undefined
  /** Which page of the valid keys it shows, from 1. */
  page: number
  /** False: the viewer only sees keys. */
  newKey: NewKeyForm | false
}): DashboardPage {
  return {
    section: '/dashboard/keys',
    title: 'API keys',
    content: (csrf) => [
      alert && alertBox(alert),
      valid.keys.length === 0
        ? html`<p class="lead">No valid keys.</p>`
        : table(
            'API keys',
            ['Name', 'Key', 'Owner', 'Permissions', 'Last used', 'Expires', newKey && 'Actions'],
            valid.keys.map((key) => [...keyRow(key), keyActions(key)]),
          ),
      pager('/dashboard/keys', page, valid.hasMore),
      ended.length > 0 &&
        html`<details>
          <summary>${endedSummary(ended.length)}</summary>
          ${table(
            'Revoked and expired API keys',
            ['Name', 'Key', 'Owner', 'Ended'],
            ended.map((key) => [
              key.name,
              html`<code>${key.prefix}…</code>`,
              key.owner_name,
              day(key.revoked_at ?? key.expires_at ?? 0),
            ]),
          )}
        </details>`,
      newKey &&
        html`<section id="new">
          <h2>New key</h2>
          ${
            newKey.owners.length === 0
              ? html`<p>
                  Every key needs an owner. Add an organization first:${' '}
                  <code>npm run admin -- orgs add NAME</code>
                </p>`
              : newKeyForm(csrf, newKey)
          }
        </section>`,
    ],
  }
}

function keyRow(key: ListedKey): ComponentChildren[] {
  return [
    html`<div>
      <bdi>${key.name}</bdi>
      ${key.description !== null && html`<small><bdi>${key.description}</bdi></small>`}
    </div>`,
    html`<code>${key.prefix}…</code>`,
    `${key.owner_name} (${KEY_TYPES[key.owner_kind]})`,
    permissionsText(key),
    key.last_used_at === null ? 'Never' : day(key.last_used_at),
    key.expires_at === null ? 'Never' : day(key.expires_at),
  ]
}

function keyActions(key: ListedKey): ComponentChildren {
  const signIn = accessOf(key).scopes.has(SIGN_IN_SCOPE) ? 'stop-sign-in' : 'allow-sign-in'
  return html`<div class="actions">
    ${([signIn, 'rotate', 'revoke'] as const).map((action) => {
      const { label } = KEY_ACTIONS[action]
      return html`<a
        class=${action === 'revoke' && 'danger'}
        href=${`/dashboard/keys/${key.id}/${action}`}
        aria-label=${`${label}: ${key.name}`}
        >${label}</a
      >`
    })}
  </div>`
}

function permissionsText({ permissions, scopes, domain_ids: domainIds }: ListedKey): string {
  const level = { all: ['All'], read_only: ['Read only'], restricted: [] }[permissions]
  const limit = domainIds === null ? [] : ['on some domains']
  return [...level, ...(JSON.parse(scopes) as string[]), ...limit].join(', ')
}

function endedSummary(count: number): string {
  return count < KEYS_AT_ONCE
    ? formatCount(count, 'revoked or expired key')
    : `The last ${KEYS_AT_ONCE} revoked or expired keys`
}

const PERMISSIONS = [
  ['all', 'All: read, create, change and delete'],
  ['read_only', 'Read only'],
  ['restricted', 'Restricted: choose below'],
] as const

/** When a key expires, in days. */
export const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In one year'],
] as const

/** The form for a new key, with what was entered and the errors. */
interface NewKeyForm {
  owners: readonly Owner[]
  domains: readonly DomainRow[]
  form: FilledForm
}

function newKeyForm(csrf: string, { owners, domains, form }: NewKeyForm): ComponentChildren {
  const { values, errors } = form
  const { field, menu } = formInputs(form, { permissions: 'all' })
  const restrictedError = [errors['scopes'], errors['domainIds']].filter(Boolean).join(' ')
  const checkbox = (name: string, value: string, text: string): ComponentChildren =>
    html`<label class="checkbox">
      <input
        type="checkbox"
        name=${name}
        value=${value}
        checked=${values[`${name}:${value}`] === 'on'}
        autofocus=${Boolean(restrictedError)}
      />
      ${text}
    </label>`
  return html`<form method="post" action="/dashboard/keys" class="stack">
    ${csrfField(csrf)}
    ${field('name', 'Name', {
      hint: 'For example, where the key is used.',
      required: true,
    })}
    ${field('description', 'Description (optional)')}
    ${menu('owner', 'Owner', ownerOptions(owners))}
    ${
      (owners.length === OWNERS_AT_ONCE || domains.length === DOMAINS_AT_ONCE) &&
      html`<p>
        The form does not list all owners or domains. For others, use${' '}
        <code>npm run admin -- keys create</code>
      </p>`
    }
    ${menu('permissions', 'Permissions', PERMISSIONS)}
    <fieldset aria-describedby=${restrictedError ? 'scopes-error' : undefined}>
      <legend>For restricted keys</legend>
      ${LINK_SCOPES.map((scope) => checkbox('scopes', scope, scope))}
      ${domains.map(({ id, domain_name: name }) =>
        checkbox('domains', id, `Only on ${name || 'the built-in domain'} (${id})`),
      )}
      ${restrictedError && html`<small class="error" id="scopes-error">${restrictedError}</small>`}
    </fieldset>
    ${checkbox(
      'scopes',
      SIGN_IN_SCOPE,
      `Sign people in to this dashboard, from Slack for example (${SIGN_IN_SCOPE})`,
    )}
    ${menu('expires', 'Expires', EXPIRIES)}
    <button>Create key</button>
  </form>`
}

/** Shows a new key. It can't be shown again. */
export function keyCreatedPage({ key }: { key: string }): DashboardPage {
  return {
    section: '/dashboard/keys',
    title: 'Your new key',
    copies: true,
    content: () => [
      html`<p class="lead">Copy the key now. You can’t see it again later.</p>`,
      html`<p class="secret">
        <code id="key">${key}</code>
        ${copyButton(key, 'Copy the key')}
      </p>`,
      html`<p><a href="/dashboard/keys">Back to the keys</a></p>`,
    ],
  }
}
