import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import { DOMAINS_AT_ONCE, type DomainRow } from '../store/domains.ts'
import { MAX_LINE_LENGTH, SCOPES } from '../store/key-rules.ts'
import { OWNERS_AT_ONCE, type Owner } from '../store/owners.ts'
import { csrfField, formInputs, type FilledForm } from './form.ts'
import { ownerOptions } from './menus.ts'
import type { DashboardPage } from './page.ts'

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

/** Shows the copy button if the browser has a clipboard. Without one, the key can be selected. */
const COPY_SCRIPT = `
const button = document.getElementById('copy')
if (navigator.clipboard) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const status = document.getElementById('copied')
    try {
      await navigator.clipboard.writeText(document.getElementById('key').textContent)
      status.textContent = 'Copied'
    } catch {
      status.textContent = 'Your browser didn’t allow it. Select the key and copy it.'
    }
  })
}
`

/** The form for a new key, with what was entered and the errors. */
export interface NewKeyForm {
  owners: readonly Owner[]
  domains: readonly DomainRow[]
  form: FilledForm
}

export function newKeyForm(csrf: string, { owners, domains, form }: NewKeyForm): ComponentChildren {
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
      maxLength: MAX_LINE_LENGTH,
    })}
    ${field('description', 'Description (optional)', { maxLength: MAX_LINE_LENGTH })}
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
      ${SCOPES.map((scope) => checkbox('scopes', scope, scope))}
      ${domains.map(({ id, domain_name: name }) =>
        checkbox('domains', id, `Only on ${name || 'the built-in domain'} (${id})`),
      )}
      ${restrictedError && html`<small class="error" id="scopes-error">${restrictedError}</small>`}
    </fieldset>
    ${menu('expires', 'Expires', EXPIRIES)}
    <button>Create key</button>
  </form>`
}

/** Shows a new key. It can't be shown again. */
export function keyCreatedPage({ key }: { key: string }): DashboardPage {
  return {
    section: '/dashboard/keys',
    title: 'Your new key',
    script: COPY_SCRIPT,
    content: () => [
      html`<p class="lead">Copy the key now. You can’t see it again later.</p>`,
      html`<p class="secret">
        <code id="key">${key}</code>
        <button type="button" id="copy" hidden>Copy</button>
        <span id="copied" role="status"></span>
      </p>`,
      html`<p><a href="/dashboard/keys">Back to the keys</a></p>`,
    ],
  }
}
