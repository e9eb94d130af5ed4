import type { ComponentChildren } from 'preact'
import { SCOPES } from '../caller.ts'
import { html } from '../pages/html.ts'
import type { DomainRow } from '../store/domains.ts'
import type { Owner } from '../store/owners.ts'
import { csrfField, field, select, type FilledForm } from './layout.ts'

const PERMISSIONS = [
  ['all', 'All: read and create'],
  ['read_only', 'Read only'],
  ['restricted', 'Restricted: what is ticked below'],
] as const

/** In days. */
export const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** The form for a new key, with what was typed and what is wrong with it. */
export function newKeyForm({
  csrf,
  owners,
  domains,
  form: { values, faults },
}: {
  csrf: string
  owners: readonly Owner[]
  domains: readonly DomainRow[]
  form: FilledForm
}): ComponentChildren {
  const restricted = [faults['scopes'], faults['domainIds']].filter(Boolean).join(' ')
  const tick = (name: string, value: string, text: string): ComponentChildren =>
    html`<label class="tick">
      <input
        type="checkbox"
        name=${name}
        value=${value}
        checked=${values[`${name}:${value}`] === 'on'}
        autofocus=${Boolean(restricted)}
      />
      ${text}
    </label>`
  return html`<form method="post" action="/dashboard/keys" class="stack">
    ${csrfField(csrf)}
    ${field({
      name: 'name',
      label: 'Name',
      value: values['name'] ?? '',
      hint: 'For you: where the key is used.',
      fault: faults['name'],
      required: true,
      maxLength: 200,
    })}
    ${field({
      name: 'description',
      label: 'Description (optional)',
      value: values['description'] ?? '',
      fault: faults['description'],
      maxLength: 200,
    })}
    ${select({
      name: 'owner',
      label: 'Owner',
      value: values['owner'] ?? '',
      options: owners.map(({ id, name, kind }) => [
        id,
        `${name} (${kind === 'organization' ? 'Organization' : 'Self'})`,
      ]),
      fault: faults['owner'],
    })}
    ${select({
      name: 'permissions',
      label: 'Permissions',
      value: values['permissions'] ?? 'all',
      options: PERMISSIONS,
      fault: faults['permissions'],
    })}
    <fieldset aria-describedby=${restricted ? 'scopes-fault' : undefined}>
      <legend>For a restricted key</legend>
      ${SCOPES.map((scope) => tick('scopes', scope, scope))}
      ${domains.map(({ id, domain_name: name }) =>
        tick('domains', id, `only on ${name || 'the built-in domain'} (${id})`),
      )}
      ${restricted && html`<small class="fault" id="scopes-fault">${restricted}</small>`}
    </fieldset>
    ${select({
      name: 'expires',
      label: 'Ends',
      value: values['expires'] ?? '',
      options: EXPIRIES,
      fault: faults['expires'],
    })}
    <button>Make the key</button>
  </form>`
}
