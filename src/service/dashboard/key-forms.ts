import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readHosts } from '../../contract/allowed-hosts.ts'
import { DAY_MS } from '../../timing/days.ts'
import { formatNumber } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { notFound } from '../api/errors.ts'
import { findListedKey, type ListedKey, setKeyDestinations } from '../store/api-keys.ts'
import type { ServiceContext } from '../store/context.ts'
import { validateKey } from '../store/key-rules.ts'
import { ERASE_SCOPE, LINK_SCOPES, parseList, SIGN_IN_SCOPE } from '../store/scopes.ts'
import { type ById, found, needs, type Viewer } from './access.ts'
import { EMPTY_FORM, type FilledForm, formInputs, formList, formValues, PostForm } from './form.ts'
import { chosenOwner, listMenus, NO_OWNERS } from './menus.ts'
import { copyButton, type DashboardPage, sendForm } from './page.ts'

const PERMISSIONS = [
  ['all', 'All: read, create, change and delete'],
  ['read_only', 'Read only'],
  ['restricted', 'Restricted: choose below'],
] as const

const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In one year'],
] as const

/** Limited, because each request that creates a link compares its destination with the whole list. */
const MAX_HOSTS = 200

const SHOWN_LENGTH = 60

const DESTINATIONS_HINT =
  'One hostname per line, such as example.com, which includes its subdomains. If empty, links can lead anywhere.'

export async function newKeyForm(context: ServiceContext, viewer: Viewer, form: FilledForm) {
  const { owners, domains, complete } = await listMenus(context, viewer)
  if (owners.length === 0) return NO_OWNERS
  const { errors } = form
  const { field, menu, checkbox, textArea } = formInputs(form, { permissions: 'all' })
  const restrictedError = [errors['scopes'], errors['domainIds']].filter(Boolean).join(' ')
  return html`<${PostForm} action="/dashboard/keys" class="stack">
    ${field('name', 'Name', { hint: 'For example, where the key is used.', required: true })}
    ${field('description', 'Description (optional)')}
    ${menu('owner', 'Workspace', owners)}
    ${
      !complete &&
      html`<p>
        The form does not list all workspaces or domains. For others, use${' '}
        <code>npm run admin -- keys create</code>
      </p>`
    }
    ${menu('permissions', 'Permissions', PERMISSIONS)}
    <fieldset
      aria-describedby=${restrictedError ? 'scopes-error' : undefined}
      tabindex="-1"
      autofocus=${Boolean(restrictedError)}
    >
      <legend>For restricted keys</legend>
      ${LINK_SCOPES.map((scope) => checkbox('scopes', scope, scope))}
      ${domains.map(([id, name]) => checkbox('domains', `Only on ${name} (${id})`, id))}
      ${restrictedError && html`<small class="error" id="scopes-error">${restrictedError}</small>`}
    </fieldset>
    ${checkbox(
      'scopes',
      `Sign people in to this dashboard, from Slack for example (${SIGN_IN_SCOPE})`,
      SIGN_IN_SCOPE,
    )}
    ${checkbox('scopes', `Erase people from all links of the workspace (${ERASE_SCOPE})`, ERASE_SCOPE)}
    ${textArea('destinations', 'Destinations (optional)', DESTINATIONS_HINT)}
    ${menu('expires', 'Expires', EXPIRIES)}
    <button>Create key</button>
  </${PostForm}>`
}

export async function readNewKey(context: ServiceContext, request: FastifyRequest) {
  const scopes = formList(request, 'scopes')
  const domainIds = formList(request, 'domains')
  const values = formValues(request)
  values['scopes'] = scopes.join()
  values['domains'] = domainIds.join()
  const owner = await chosenOwner(context, request.viewer, values['owner'])
  if (!owner) return { invalid: { values, errors: { owner: 'Choose a workspace.' } } }
  const result = await validateKey(context.db, owner, {
    name: values['name'] ?? '',
    description: values['description'] || undefined,
    permissions: values['permissions'] ?? '',
    scopes,
    domainIds,
  })
  const expires = values['expires'] ?? ''
  const errors: Record<string, string> = 'errors' in result ? { ...result.errors } : {}
  const destinations = readDestinations({ values, errors })
  if (!EXPIRIES.some(([days]) => days === expires)) {
    errors['expires'] = 'Choose when the key expires.'
  }
  if ('errors' in result || Object.keys(errors).length > 0) return { invalid: { values, errors } }
  const expiresAt = expires === '' ? undefined : context.now() + Number(expires) * DAY_MS
  return { key: { ...result.key, expiresAt, destinations } }
}

export function keyCreatedPage({ key }: { key: string }): DashboardPage {
  return {
    title: 'Your new key',
    copies: true,
    content: [
      html`<p class="lead">Copy the key now. You can’t see it again later.</p>`,
      html`<p class="secret">
        <code id="key">${key}</code>
        ${copyButton(key, 'Copy the key')}
      </p>`,
      html`<p><a href="/dashboard/keys">Back to the keys</a></p>`,
    ],
  }
}

export const destinationsPath = ({ id }: Pick<ListedKey, 'id'>): string =>
  `/dashboard/keys/${id}/destinations`

function readDestinations({ values, errors }: FilledForm): string[] {
  const { hosts, invalid } = readHosts(values['destinations'] ?? '')
  const [firstInvalid] = invalid
  if (firstInvalid) {
    const shown = firstInvalid.line.slice(0, SHOWN_LENGTH)
    errors['destinations'] =
      `Line ${firstInvalid.number}, “${shown}”, is not a hostname. Use one like example.com.`
  } else if (hosts.length > MAX_HOSTS) {
    errors['destinations'] =
      `The list has ${formatNumber(hosts.length)} hostnames, but a key can have at most ${MAX_HOSTS}. One hostname includes all of its subdomains.`
  }
  return hosts
}

export function destinationsRoutes(scope: FastifyInstance, { db, now }: ServiceContext): void {
  const administrator = needs('administrator')
  const path = destinationsPath({ id: ':id' })

  scope.get<ById>(path, administrator, async ({ params }, reply) =>
    sendDestinations(reply, found(await findListedKey(db, params.id))),
  )

  scope.post<ById>(path, administrator, async (request, reply) => {
    const key = found(await findListedKey(db, request.params.id))
    const form = { values: formValues(request), errors: {} }
    const hosts = readDestinations(form)
    if (Object.keys(form.errors).length > 0) return sendDestinations(reply, key, form)
    if (!(await setKeyDestinations(db, key.id, hosts, now()))) throw notFound()
    return reply.redirect('/dashboard/keys', 303)
  })
}

function sendDestinations(reply: FastifyReply, key: ListedKey, form = EMPTY_FORM) {
  const { textArea } = formInputs(form, { destinations: parseList(key.destinations).join('\n') })
  const content = [
    html`<p class="lead">
      Links that are created with this key can lead only to these hostnames. The same applies to
      people who sign in with it. Existing links keep working.
    </p>`,
    html`<${PostForm} action=${destinationsPath(key)} class="stack">
      ${textArea('destinations', 'Destinations', DESTINATIONS_HINT)}
      <div class="actions"><button>Save</button> <a href="/dashboard/keys">Cancel</a></div>
    </${PostForm}>`,
  ]
  return sendForm(reply, { title: `Destinations of “${key.name}”`, content }, form)
}
