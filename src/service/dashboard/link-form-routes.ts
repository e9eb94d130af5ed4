import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { validate as isUuid } from 'uuid'
import { html } from '../../web/layout.ts'
import { formatNumber } from '../../web/numbers.ts'
import { dayOf } from '../store/click-report.ts'
import { BUILT_IN_DOMAIN } from '../store/domains.ts'
import { TOO_MANY_GIVEN_UP } from '../store/given-up.ts'
import { validateChanges } from '../store/link-rules.ts'
import type { LinkRow } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { acceptUploads } from './form.ts'
import { historyTable } from './history-section.ts'
import {
  currentValues,
  linkValues,
  readLinkForm,
  toLinkInput,
  type EnteredLink,
} from './link-form-values.ts'
import { linkForm, MAX_FIELD_BYTES, type LinkForm } from './link-form.ts'
import { prepareLink, UNUSABLE_DOMAIN, type LinkMakerContext } from './link-maker.ts'
import { previewImagePath } from './link-page.ts'
import { withoutScheme } from './links-page.ts'
import { listFilterMenus, listMenus, NO_OWNERS } from './menus.ts'
import { alertBox, sendDashboardPage, sendNotFound } from './page.ts'
import { changesSince, findLiveLink, withKeyNames } from './link-routes.ts'

/** Why a form is shown again. */
interface Problem {
  /** By the names of the form's inputs. */
  errors?: Record<string, string>
  alert?: ComponentChildren
  status?: number
}

/** Why a valid link is not written. */
type Refused =
  | { outcome: 'duplicate'; link: LinkRow }
  | { outcome: 'back_half_taken' | 'too_many_given_up' }
  | { outcome: 'quota_reached'; maxLinks: number }

/** UTM parameters and a preview take effect if they are filled in. */
const NEW_LINK: EnteredLink = {
  values: {
    domain: BUILT_IN_DOMAIN,
    utm_analytics_enabled: 'true',
    is_custom_preview: 'true',
    qr_code_enabled: 'true',
  },
  image: undefined,
}

const ALREADY_CREATED = 'You already submitted this form, and the link was created.'

const PATH = '/dashboard/links/new'

/** The form that creates a link, and the form that changes one, by the same rules as the API. */
export function linkFormRoutes(context: LinkMakerContext): FastifyPluginAsync {
  const { db, addresses, now } = context

  const formOf = (
    { values, image }: EnteredLink,
    { errors = {} }: Problem,
  ): Pick<LinkForm, 'form' | 'image' | 'today'> => ({
    form: { values, errors },
    image: errors['preview_image'] ? undefined : image,
    today: dayOf(now()),
  })

  async function sendNewLinkForm(
    reply: FastifyReply,
    entered: EnteredLink,
    problem: Problem = {},
  ): Promise<FastifyReply> {
    const { owners, domains, complete } = await listMenus(context)
    const form = {
      ...formOf(entered, problem),
      action: PATH,
      submit: 'Create link',
      owners,
      domains,
    }
    const content = (csrf: string) => [
      problem.alert && alertBox(problem.alert),
      !complete &&
        html`<p>The form does not list all owners or domains. For others, use the API.</p>`,
      owners.length === 0 ? NO_OWNERS : linkForm(csrf, { ...form, cancel: '/dashboard' }),
    ]
    return sendDashboardPage(reply, { title: 'New link', content }, problem.status)
  }

  async function sendEditForm(
    reply: FastifyReply,
    link: LinkRow,
    entered: EnteredLink,
    problem: Problem = {},
  ): Promise<FastifyReply> {
    const chosen = { owner: undefined, domain: link.domain_id }
    const { domains } = await listFilterMenus(context, chosen)
    const path = `/dashboard/links/${link.id}`
    const form = formOf(entered, problem)
    // The day of a link that has expired stays valid.
    const days = [form.today, entered.values['expires_at'] || form.today].sort()
    const content = (csrf: string) => [
      problem.alert && alertBox(problem.alert),
      linkForm(csrf, {
        ...form,
        action: `${path}/edit`,
        submit: 'Save',
        cancel: path,
        domains,
        today: days[0] ?? form.today,
        link: {
          revision: link.revision,
          imageUrl: previewImagePath(link, addresses),
        },
      }),
    ]
    const title = `Edit ${withoutScheme(addresses.shortUrl(link))}`
    return sendDashboardPage(reply, { title, content }, problem.status)
  }

  /** Shows what changed meanwhile, and keeps what was entered. */
  async function sendStale(
    reply: FastifyReply,
    link: LinkRow,
    entered: EnteredLink,
  ): Promise<FastifyReply> {
    const { values, image } = entered
    const errors = currentValues(entered, link)
    // The form was submitted twice.
    if (Object.keys(errors).length === 0 && !image && values['remove_image'] !== 'true') {
      return reply.redirect(`/dashboard/links/${link.id}`, 303)
    }
    const changes = await changesSince(context, link, Number(values['revision']))
    const alert = [
      html`<p>
        <b>Not saved: this link was changed while you were editing it.</b> The form still has what
        you entered. If you save it again, it replaces these changes:
      </p>`,
      historyTable(await withKeyNames(context, changes)),
    ]
    return sendEditForm(reply, link, entered, { errors, alert, status: 412 })
  }

  /** What prevented a write, at its field. @param ownerField where problems of the owner are shown */
  function refusal(result: Refused, ownerField: 'owner' | 'back_half'): Problem {
    switch (result.outcome) {
      case 'duplicate': {
        const text = `This destination already has a short link on this domain: ${addresses.shortUrl(result.link)}.`
        const alert = linkTo(text, result.link)
        return { errors: { destination_url: text }, alert, status: 409 }
      }
      case 'back_half_taken': {
        const text = 'This back-half is taken on this domain. Choose another one.'
        return { errors: { back_half: text }, status: 409 }
      }
      case 'too_many_given_up':
        return { errors: { [ownerField]: TOO_MANY_GIVEN_UP }, status: 409 }
      case 'quota_reached': {
        const text = `This owner’s quota of short links (${formatNumber(result.maxLinks)}) is used up.`
        return { errors: { [ownerField]: text }, status: 409 }
      }
    }
  }

  return async (scope) => {
    acceptUploads(scope, MAX_FIELD_BYTES)

    scope.get(PATH, (_request, reply) => sendNewLinkForm(reply, NEW_LINK))

    scope.post(PATH, async (request, reply) => {
      const entered = readLinkForm(request)
      const { owner: ownerId = '', _csrf: token = '' } = entered.values
      const owner = isUuid(ownerId) ? await findOwnerById(db, ownerId) : undefined
      const make = await prepareLink(context, owner, toLinkInput(entered), { formToken: token })
      const result = await make()
      switch (result.outcome) {
        case 'invalid': {
          const errors = { ...result.errors, ...(!owner && { owner: 'Choose an owner.' }) }
          return sendNewLinkForm(reply, entered, { errors, status: 422 })
        }
        case 'created':
          return reply.redirect(`/dashboard/links/${result.link.id}`, 303)
        case 'form_used':
          if (result.link) return reply.redirect(`/dashboard/links/${result.link.id}`, 303)
          return sendNewLinkForm(reply, NEW_LINK, { alert: ALREADY_CREATED, status: 409 })
        default:
          return sendNewLinkForm(reply, entered, refusal(result, 'owner'))
      }
    })

    scope.get<{ Params: { id: string } }>(
      '/dashboard/links/:id/edit',
      async ({ params }, reply) => {
        const link = await findLiveLink(context, params.id)
        if (!link) return sendNotFound(reply, '/dashboard')
        return sendEditForm(reply, link, { values: linkValues(link), image: undefined })
      },
    )

    scope.post<{ Params: { id: string } }>('/dashboard/links/:id/edit', async (request, reply) => {
      const page = `/dashboard/links/${request.params.id}`
      const link = await findLiveLink(context, request.params.id)
      if (!link) return reply.redirect(page, 303)
      const entered = readLinkForm(request)
      const revision = Number(entered.values['revision'])
      if (revision !== link.revision) return sendStale(reply, link, entered)
      const input = toLinkInput(entered, linkValues(link))
      const changes = await validateChanges(context, { ownerId: link.owner_id }, link, input)
      const noDomain = { domain: UNUSABLE_DOMAIN }
      if (!changes) {
        const { domain, ...errors } = input.messages()
        const shown = { ...errors, ...(domain !== undefined && noDomain) }
        return sendEditForm(reply, link, entered, { errors: shown, status: 422 })
      }
      const target = { linkId: link.id, ownerId: link.owner_id, revisions: [revision] }
      const result = await context.links.update({ ...target, madeBy: 'dashboard' }, changes)
      switch (result.outcome) {
        case 'changed':
        case 'unchanged':
        case 'not_found':
          return reply.redirect(page, 303)
        case 'stale': {
          const current = await findLiveLink(context, link.id)
          return current ? sendStale(reply, current, entered) : reply.redirect(page, 303)
        }
        case 'domain_gone':
          return sendEditForm(reply, link, entered, { errors: noDomain, status: 422 })
        default:
          return sendEditForm(reply, link, entered, refusal(result, 'back_half'))
      }
    })
  }
}

function linkTo(text: string, { id }: LinkRow): ComponentChildren {
  return html`<p>${text}${' '}<a href=${`/dashboard/links/${id}`}>Open the link</a></p>`
}
