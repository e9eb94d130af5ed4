import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import { dayOf } from '../store/days.ts'
import { validateChanges } from '../store/link-rules.ts'
import type { LinkRow } from '../store/links.ts'
import type { FilledForm } from './form.ts'
import { historyTable } from './history-section.ts'
import {
  linkValues,
  mergeEntered,
  readLinkForm,
  toLinkInput,
  type EnteredLink,
} from './link-form-values.ts'
import { linkForm, MAX_FIELD_BYTES } from './link-form.ts'
import { UNUSABLE_DOMAIN, type LinkMakerContext } from './link-maker.ts'
import { previewImagePath } from './link-page.ts'
import { withoutScheme } from './links-page.ts'
import { listFilterMenus } from './menus.ts'
import { dashboardPage, sendDashboardPage, sendNotFound } from './page.ts'
import { changesSince, findLiveLink, withKeyNames } from './send-link.ts'
import { acceptUploads } from './uploads.ts'

const TAKEN = 'This back-half is taken on this domain. Choose another one.'

/** The form that changes a link, by the same rules as the API. */
export function editRoutes(context: LinkMakerContext): FastifyPluginAsync {
  const { addresses, now } = context

  async function sendForm(
    reply: FastifyReply,
    link: LinkRow,
    { values, image }: Omit<EnteredLink, 'shown'>,
    errors: FilledForm['errors'] = {},
    status = 200,
    alert?: ComponentChildren,
  ): Promise<FastifyReply> {
    const csrf = reply.generateCsrf()
    const chosen = { owner: undefined, domain: link.domain_id }
    const { domains } = await listFilterMenus(context, chosen)
    const today = dayOf(now())
    const path = `/dashboard/links/${link.id}`
    const page = dashboardPage({
      section: '/dashboard',
      title: `Edit ${withoutScheme(addresses.shortUrl(link))}`,
      csrf,
      content: [
        alert && html`<div class="alert" role="alert">${alert}</div>`,
        linkForm({
          csrf,
          action: `${path}/edit`,
          submit: 'Save',
          cancel: path,
          owners: undefined,
          domains,
          // The day of a link that has expired stays valid.
          today: [today, values['expires_at'] || today].sort()[0] ?? today,
          form: { values, errors },
          image: errors['preview_image'] ? undefined : image,
          link: {
            revision: link.revision,
            shown: linkValues(link),
            imageUrl: previewImagePath(link, addresses),
          },
        }),
      ],
    })
    return sendDashboardPage(reply, page, status)
  }

  /** Shows what changed meanwhile, and keeps what was typed. */
  async function sendStale(
    reply: FastifyReply,
    link: LinkRow,
    entered: EnteredLink,
  ): Promise<FastifyReply> {
    const { image } = entered
    const { values, conflicts, differs } = mergeEntered(entered, link)
    // The form was submitted twice.
    if (!differs && !image && values['remove_image'] !== 'true') {
      return reply.redirect(`/dashboard/links/${link.id}`, 303)
    }
    const changes = await changesSince(context, link, Number(values['revision']))
    const alert = [
      html`<p>
        <b>Not saved: this link was changed while you were editing it.</b> Your changes are still in
        the form. The other fields show the new values. Check them, and save again.
      </p>`,
      historyTable(await withKeyNames(context, changes)),
    ]
    return sendForm(reply, link, { values, image }, conflicts, 412, alert)
  }

  return async (scope) => {
    acceptUploads(scope, MAX_FIELD_BYTES)

    scope.get<{ Params: { id: string } }>(
      '/dashboard/links/:id/edit',
      async ({ params }, reply) => {
        const link = await findLiveLink(context, params.id)
        if (!link) return sendNotFound(reply, '/dashboard')
        return sendForm(reply, link, { values: linkValues(link), image: undefined })
      },
    )

    scope.post<{ Params: { id: string } }>('/dashboard/links/:id/edit', async (request, reply) => {
      const page = `/dashboard/links/${request.params.id}`
      const link = await findLiveLink(context, request.params.id)
      if (!link) return reply.redirect(page, 303)
      const entered = readLinkForm(request)
      const revision = Number(entered.values['revision'])
      if (revision !== link.revision) return sendStale(reply, link, entered)
      const input = toLinkInput(entered)
      const changes = await validateChanges(context, { ownerId: link.owner_id }, link, input)
      if (!changes) {
        const errors = input.messages()
        if (errors['domain'] !== undefined) errors['domain'] = UNUSABLE_DOMAIN
        return sendForm(reply, link, entered, errors, 422)
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
        case 'duplicate': {
          const text = `This destination already has a short link on this domain: ${addresses.shortUrl(result.link)}.`
          const alert = html`<p>
            ${text}${' '}<a href=${`/dashboard/links/${result.link.id}`}>Open the link</a>
          </p>`
          return sendForm(reply, link, entered, { destination_url: text }, 409, alert)
        }
        case 'back_half_taken':
          return sendForm(reply, link, entered, { back_half: TAKEN }, 409)
        case 'domain_gone':
          return sendForm(reply, link, entered, { domain: UNUSABLE_DOMAIN }, 422)
      }
    })
  }
}
