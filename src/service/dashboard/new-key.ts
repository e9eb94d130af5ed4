import type { ComponentChildren } from 'preact'
import { html, type HtmlPage } from '../../web/layout.ts'
import { DOMAINS_AT_ONCE, type DomainRow } from '../store/domains.ts'
import { MAX_LINE_LENGTH, SCOPES } from '../store/key-rules.ts'
import { OWNERS_AT_ONCE, type Owner } from '../store/owners.ts'
import { csrfField, field, select, type FilledForm } from './form.ts'
import { dashboardPage } from './page.ts'

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
export function newKeyForm({
  csrf,
  owners,
  domains,
  form: { values, errors },
}: {
  csrf: string
  owners: readonly Owner[]
  domains: readonly DomainRow[]
  form: FilledForm
}): ComponentChildren {
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
    ${field({
      name: 'name',
      label: 'Name',
      value: values['name'] ?? '',
      hint: 'For example, where the key is used.',
      error: errors['name'],
      required: true,
      maxLength: MAX_LINE_LENGTH,
    })}
    ${field({
      name: 'description',
      label: 'Description (optional)',
      value: values['description'] ?? '',
      error: errors['description'],
      maxLength: MAX_LINE_LENGTH,
    })}
    ${select({
      name: 'owner',
      label: 'Owner',
      value: values['owner'] ?? '',
      options: owners.map(({ id, name, kind }) => [
        id,
        `${name} (${kind === 'organization' ? 'Organization' : 'Self'})`,
      ]),
      error: errors['owner'],
    })}
    ${
      (owners.length === OWNERS_AT_ONCE || domains.length === DOMAINS_AT_ONCE) &&
      html`<p>
        The form does not list all owners or domains. For others, use${' '}
        <code>npm run admin -- keys create</code>
      </p>`
    }
    ${select({
      name: 'permissions',
      label: 'Permissions',
      value: values['permissions'] ?? 'all',
      options: PERMISSIONS,
      error: errors['permissions'],
    })}
    <fieldset aria-describedby=${restrictedError ? 'scopes-error' : undefined}>
      <legend>For restricted keys</legend>
      ${SCOPES.map((scope) => checkbox('scopes', scope, scope))}
      ${domains.map(({ id, domain_name: name }) =>
        checkbox('domains', id, `Only on ${name || 'the built-in domain'} (${id})`),
      )}
      ${restrictedError && html`<small class="error" id="scopes-error">${restrictedError}</small>`}
    </fieldset>
    ${select({
      name: 'expires',
      label: 'Expires',
      value: values['expires'] ?? '',
      options: EXPIRIES,
      error: errors['expires'],
    })}
    <button>Create key</button>
  </form>`
}

/** Shows a new key. It can't be shown again. */
export function keyCreatedPage({ csrf, key }: { csrf: string; key: string }): HtmlPage {
  return dashboardPage({
    section: '/dashboard/keys',
    title: 'Your new key',
    csrf,
    script: COPY_SCRIPT,
    content: [
      html`<p class="lead">Copy the key now. You can’t see it again later.</p>`,
      html`<p class="secret">
        <code id="key">${key}</code>
        <button type="button" id="copy" hidden>Copy</button>
        <span id="copied" role="status"></span>
      </p>`,
      html`<p><a href="/dashboard/keys">Back to the keys</a></p>`,
    ],
  })
}
