import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '../../web/layout.ts'
import { formatNumber } from '../../web/numbers.ts'
import type { ServiceContext } from '../store/context.ts'
import { isOneLine, ONE_LINE } from '../store/key-rules.ts'
import {
  findOwnerById,
  KEY_TYPES,
  listOwners,
  type Owner,
  OWNERS_AT_ONCE,
  renameOwner,
} from '../store/owners.ts'
import { needs } from './access.ts'
import { EMPTY_FORM, type FilledForm, formValues, renameForm } from './form.ts'
import {
  type DashboardPage,
  day,
  pageAsked,
  pager,
  sendDashboardPage,
  sendNotFound,
  table,
} from './page.ts'

const PATH = '/dashboard/owners'

const NEEDS = needs('administrator')

type ById = { Params: { id: string } }

/** The organizations and accounts that own links. */
export function ownerRoutes({ db }: ServiceContext) {
  function sendForm(reply: FastifyReply, { id, name }: Owner, form: FilledForm, status = 200) {
    const hint = 'People who sign in through one of this owner’s API keys see this name.'
    const asked = { action: `${PATH}/${id}/rename`, name, hint, back: PATH }
    const page = {
      section: PATH,
      title: `Rename “${name}”`,
      content: renameForm(asked, form),
    } as const
    return sendDashboardPage(reply, page, status)
  }

  return async (scope: FastifyInstance) => {
    scope.get(PATH, NEEDS, async (request, reply) => {
      const page = pageAsked(request)
      return sendDashboardPage(reply, ownersPage(await listOwners(db, undefined, page), page))
    })

    scope.get<ById>(`${PATH}/:id/rename`, NEEDS, async ({ params }, reply) => {
      const owner = await findOwnerById(db, params.id)
      return owner ? sendForm(reply, owner, EMPTY_FORM) : sendNotFound(reply, PATH)
    })

    scope.post<ById>(`${PATH}/:id/rename`, NEEDS, async (request, reply) => {
      const owner = await findOwnerById(db, request.params.id)
      if (!owner) return sendNotFound(reply, PATH)
      const values = formValues(request)
      const { name = '' } = values
      const reject = (error: string) =>
        sendForm(reply, owner, { values, errors: { name: error } }, 422)
      if (name === '') return reject('Enter a name.')
      if (!isOneLine(name)) return reject(ONE_LINE)
      if (await renameOwner(db, owner, name)) return reply.redirect(PATH, 303)
      return reject('Another owner has this name. Choose a different one.')
    })
  }
}

function ownersPage(owners: readonly Owner[], page: number): DashboardPage {
  return {
    section: PATH,
    title: 'Owners',
    content: [
      html`<p class="lead">
        Every link and every API key belongs to an organization or to a personal account.
      </p>`,
      table(
        'Owners',
        ['Name', 'Type', 'Quota', 'Added', 'Actions'],
        owners.map(({ id, name, kind, max_links: quota, created_at: added }) => [
          html`<bdi>${name}</bdi>`,
          KEY_TYPES[kind],
          quota === null ? 'No limit' : formatNumber(quota),
          day(added),
          html`<a href=${`${PATH}/${id}/rename`} aria-label=${`Rename: ${name}`}>Rename</a>`,
        ]),
      ),
      pager(PATH, page, owners.length === OWNERS_AT_ONCE),
    ],
  }
}
