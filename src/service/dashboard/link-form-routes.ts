import type { FastifyInstance, FastifyReply } from 'fastify'
import { UPLOADED_IMAGE_MAX_BYTES } from '../../contract/preview-image.ts'
import { html } from '../../web/pages.ts'
import { notFound } from '../api/errors.ts'
import { createLinkOnce } from '../store/create-link.ts'
import { BUILT_IN_DOMAIN } from '../store/domains.ts'
import { validateChanges } from '../store/link-rules.ts'
import { findLookalike } from '../store/link-search.ts'
import { findOwnLink, type LinkRow, type RefusedWrite } from '../store/links.ts'
import { listTags } from '../store/tags.ts'
import { needs, type DashboardContext, readQueue, linkTarget } from './access.ts'
import { acceptUploads, type FilledForm, type FormValues } from './form.ts'
import { linkPagePath, withoutScheme } from './link-elements.ts'
import { linkForm, linkValues, NEW_LINK_PATH, readLinkForm, staleTexts } from './link-form.ts'
import { OUT_OF_REACH, prepareLink, refusal } from './link-input.ts'
import { chosenOwner, listMenus, NO_OWNERS } from './menus.ts'
import { redirectWithNotice } from './notice.ts'
import { sendForm } from './page.ts'

const NEW_LINK = {
  domain: BUILT_IN_DOMAIN,
  utm_analytics_enabled: 'true',
  is_custom_preview: 'true',
  qr_code_enabled: 'true',
}

/** Shown at the image field if the form is shown again, because browsers forget which file was chosen. */
const CHOOSE_AGAIN = { preview_image: 'Choose the image again.' }

const ALREADY_CREATED = 'You already submitted this form, and the link was created.'

export async function linkFormRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { db, addresses, inTurn } = context

  async function sendLinkForm(reply: FastifyReply, link: LinkRow | undefined, filled: FilledForm) {
    const { viewer } = reply.request
    const errors = { ...(filled.values['needs_image'] && CHOOSE_AGAIN), ...filled.errors }
    const form = { ...filled, errors }
    const menus = await listMenus(context, viewer, { domain: link?.domain_id })
    const { domains, complete } = menus
    // The owner of a link can't be changed, and members have only one.
    const owners = link || viewer.kind === 'member' ? undefined : menus.owners
    const ownerId = link?.owner_id ?? viewer.ownerId
    const tags = ownerId
      ? await inTurn(readQueue(viewer), () => listTags(context, viewer.reach, { ownerId }))
      : []
    const usedTags = tags.map(({ name }) => name)
    const content = [
      !link &&
        viewer.kind === 'member' &&
        html`<p>
          The naming rules in Slack’s settings don’t apply to links that you create here.
        </p>`,
      !link &&
        !complete &&
        html`<p>The form does not list all workspaces or domains. For others, use the API.</p>`,
      owners?.length === 0 ? NO_OWNERS : linkForm({ form, link, owners, domains, usedTags }),
    ]
    const title = link ? `Edit ${withoutScheme(addresses.shortUrl(link))}` : 'New link'
    return sendForm(reply, { title, content }, filled)
  }

  function sendStale(reply: FastifyReply, link: LinkRow, values: FormValues) {
    const errors = staleTexts(values, link)
    const changesImage = values['needs_image'] || values['remove_image'] === 'true'
    // The link already has all values, so the form was probably submitted twice.
    if (Object.keys(errors).length === 0 && !changesImage) {
      return redirectWithNotice(reply, linkPagePath(link), 'changed')
    }
    const alert = html`<p>
      <b>Not saved: this link was changed while you were editing it.</b> The form still has what you
      entered. Below each field that differs is what the link has now.${' '}
      <a href=${linkPagePath(link)} target="_blank">The link’s page</a> says who changed it. If you
      save the form again, it replaces these changes.
    </p>`
    return sendLinkForm(reply, link, { values, errors, alert, status: 412 })
  }

  function refusedForm(values: FormValues, result: RefusedWrite): FilledForm {
    const { field, text } = refusal(result, addresses)
    const alert = result.outcome === 'duplicate' ? linkTo(text, result.link) : !field && text
    return { values, errors: field ? { [field]: text } : {}, alert, status: 409 }
  }

  acceptUploads(scope, UPLOADED_IMAGE_MAX_BYTES)

  scope.get(NEW_LINK_PATH, needs('shortlinks:create'), (_request, reply) =>
    sendLinkForm(reply, undefined, { values: NEW_LINK, errors: {} }),
  )

  scope.post(NEW_LINK_PATH, needs('shortlinks:create'), async (request, reply) => {
    const { values, input } = await readLinkForm(request, context)
    const { owner: ownerId, lookalike, _csrf: formToken = '' } = values
    const { viewer } = request
    const owner = await chosenOwner(context, viewer, ownerId)
    const link = await prepareLink(context, viewer, owner, input)
    if (!link) {
      const errors = { ...input.errors.texts(), ...(!owner && { owner: 'Choose a workspace.' }) }
      return sendLinkForm(reply, undefined, { values, errors })
    }
    const wasWarned = lookalike === link.backHalf
    const other =
      !wasWarned && (await inTurn(readQueue(viewer), () => findLookalike(context, link)))
    if (other) {
      values['lookalike'] = link.backHalf ?? ''
      const text = `${withoutScheme(addresses.shortUrl(other))} differs only in upper and lower case. On a poster, both look the same. Change the back-half, or press Create link again to use it.`
      const alert = linkTo(text, other)
      return sendLinkForm(reply, undefined, { values, errors: {}, alert })
    }
    const result = await context.links.create(link, (planned, time) =>
      createLinkOnce(planned, time, formToken),
    )
    if (result.outcome !== 'created' && result.outcome !== 'form_used') {
      return sendLinkForm(reply, undefined, refusedForm(values, result))
    }
    if (result.link) return redirectWithNotice(reply, linkPagePath(result.link), 'created')
    const form = { values: NEW_LINK, errors: {}, alert: ALREADY_CREATED }
    return sendLinkForm(reply, undefined, form)
  })

  scope.get('/dashboard/links/:id/edit', needs('shortlinks:update'), async ({ link }, reply) => {
    if (link.deleted_at !== null) throw notFound()
    return sendLinkForm(reply, link, { values: linkValues(link), errors: {} })
  })

  scope.post('/dashboard/links/:id/edit', needs('shortlinks:update'), async (request, reply) => {
    const { link, viewer } = request
    const page = linkPagePath(link)
    if (link.deleted_at !== null) return reply.redirect(page, 303)
    const { values, input } = await readLinkForm(request, context, linkValues(link))
    const revision = Number(values['revision'])
    if (revision !== link.revision) return sendStale(reply, link, values)
    const target = linkTarget(viewer, link)
    const reach = { ...viewer, ownerId: link.owner_id }
    const changes = await validateChanges(context, reach, link, input)
    if (!changes) return sendLinkForm(reply, link, { values, errors: input.errors.texts() })
    const result = await context.links.update({ ...target, revisions: [revision] }, changes)
    switch (result.outcome) {
      case 'changed':
        return redirectWithNotice(reply, page, 'changed')
      case 'unchanged':
      case 'not_found':
        return reply.redirect(page, 303)
      case 'address_out_of_reach':
        return sendLinkForm(reply, link, { values, errors: {}, alert: OUT_OF_REACH, status: 403 })
      case 'stale': {
        const current = await findOwnLink(db, target, link.id)
        return current ? sendStale(reply, current, values) : reply.redirect(page, 303)
      }
      default:
        return sendLinkForm(reply, link, refusedForm(values, result))
    }
  })
}

function linkTo(text: string, link: LinkRow) {
  return html`<p>${text}${' '}<a href=${linkPagePath(link)}>Open the link</a></p>`
}
