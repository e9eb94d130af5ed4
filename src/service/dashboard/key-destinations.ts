import type { FastifyInstance, FastifyReply } from 'fastify'
import { readHosts } from '../../contract/allowed-hosts.ts'
import { html } from '../../web/layout.ts'
import { formatNumber } from '../../web/numbers.ts'
import { findListedKey, type ListedKey, setKeyDestinations } from '../store/api-keys.ts'
import type { ServiceContext } from '../store/context.ts'
import { notFound } from '../api/errors.ts'
import { parseList } from '../store/scopes.ts'
import { type ById, found, needs } from './access.ts'
import { EMPTY_FORM, type FilledForm, formInputs, formValues, PostForm } from './form.ts'
import { sendForm } from './page.ts'

/** Limited, because each request that creates a link compares its destination with the whole list. */
const MAX_HOSTS = 200

const SHOWN_LENGTH = 60

export const DESTINATIONS_HINT =
  'One hostname per line, such as example.com, which includes its subdomains. If empty, links can lead anywhere.'

export const destinationsPath = ({ id }: Pick<ListedKey, 'id'>): string =>
  `/dashboard/keys/${id}/destinations`

export function readDestinations({ values, errors }: FilledForm): string[] {
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
