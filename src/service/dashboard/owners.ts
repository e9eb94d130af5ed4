import type { FastifyInstance, FastifyReply } from 'fastify'
import { formatNumber } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import type { ServiceContext } from '../store/context.ts'
import { erasePerson } from '../store/erasure.ts'
import { isOneLine, ONE_LINE } from '../store/key-rules.ts'
import * as store from '../store/owners.ts'
import { type ById, found, needs } from './access.ts'
import { confirmButton, EMPTY_FORM, formValues, renameForm } from './form.ts'
import { actionLink, day, pageAsked, pager, sendDashboardPage, sendForm, table } from './page.ts'

const PATH = '/dashboard/owners'
const NEEDS = needs('administrator')

export async function ownerRoutes(scope: FastifyInstance, context: ServiceContext) {
  const { db } = context

  async function rename(reply: FastifyReply, owner: store.Owner) {
    const values = formValues(reply.request)
    const { name = '' } = values
    const reject = (error: string) => sendRename(reply, owner, { values, errors: { name: error } })
    if (name === '') return reject('Enter a name.')
    if (!isOneLine(name)) return reject(ONE_LINE)
    if (await store.renameOwner(db, owner, name)) return reply.redirect(PATH, 303)
    return reject('Another workspace has this name. Choose a different one.')
  }

  async function eraseNames(reply: FastifyReply, owner: store.Owner) {
    await erasePerson(context, owner.id, null)
    return reply.redirect(PATH, 303)
  }

  scope.get(PATH, NEEDS, async (request, reply) => {
    const page = pageAsked(request)
    const owners = await store.listOwners(db, undefined, page)
    const rows = owners.map(({ id, name, kind, max_links: quota, created_at: added }) => [
      html`<bdi>${name}</bdi>`,
      store.KEY_TYPES[kind],
      quota === null ? 'No limit' : formatNumber(quota),
      day(added),
      html`<div class="actions">
        ${actionLink(`${PATH}/${id}/rename`, 'Rename', name)}
        ${actionLink(`${PATH}/${id}/erase-names`, 'Erase names', name, true)}
      </div>`,
    ])
    const content = [
      html`<p class="lead">
        Every link and every API key belongs to an organization or to a personal account.
      </p>`,
      table('Workspaces', ['Name', 'Type', 'Quota', 'Added', 'Actions'], rows),
      pager(PATH, page, owners.length === store.OWNERS_AT_ONCE),
    ]
    return sendDashboardPage(reply, { title: 'Workspaces', content })
  })

  const forms = [
    ['get', 'rename', sendRename],
    ['post', 'rename', rename],
    ['get', 'erase-names', sendConfirmation],
    ['post', 'erase-names', eraseNames],
  ] as const
  for (const [method, action, respond] of forms) {
    scope[method]<ById>(`${PATH}/:id/${action}`, NEEDS, async ({ params }, reply) =>
      respond(reply, found(await store.findOwnerById(db, params.id))),
    )
  }
}

function sendRename(reply: FastifyReply, { id, name }: store.Owner, form = EMPTY_FORM) {
  const hint = 'People who sign in through one of this workspace’s API keys see this name.'
  const content = renameForm({ action: `${PATH}/${id}/rename`, name, hint, back: PATH }, form)
  return sendForm(reply, { title: `Rename “${name}”`, content }, form)
}

function sendConfirmation(reply: FastifyReply, { id, name }: store.Owner): FastifyReply {
  const action = `${PATH}/${id}/erase-names`
  const content = [
    html`<p class="lead">
      This erases the names and IDs of all people from this workspace’s links and their history, and
      signs these people out. The links stay. Use it after a workspace has uninstalled the app. This
      can’t be undone, and backups that were made earlier still have the names.
    </p>`,
    confirmButton({ action, label: 'Erase names', about: name }, PATH),
  ]
  return sendDashboardPage(reply, { title: `Erase all names from “${name}”?`, content })
}
