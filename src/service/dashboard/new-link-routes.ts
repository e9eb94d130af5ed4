import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { validate as isUuid } from 'uuid'
import { html } from '../../web/layout.ts'
import { formatNumber } from '../../web/numbers.ts'
import { BUILT_IN_DOMAIN } from '../store/domains.ts'
import { TOO_MANY_GIVEN_UP } from '../store/given-up.ts'
import { findOwnerById } from '../store/owners.ts'
import type { FilledForm } from './form.ts'
import { readLinkForm, toLinkInput, type EnteredLink } from './link-form-values.ts'
import { linkForm, MAX_FIELD_BYTES } from './link-form.ts'
import { prepareLink, type LinkMakerContext } from './link-maker.ts'
import { listMenus, NO_OWNERS } from './menus.ts'
import { dashboardPage, sendDashboardPage } from './page.ts'
import { acceptUploads } from './uploads.ts'

/** UTM parameters and a preview take effect if they are filled in. */
const NEW_LINK = {
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

/** The form that creates a link, by the same rules as the API. */
export function newLinkRoutes(context: LinkMakerContext): FastifyPluginAsync {
  const { db, addresses, now } = context

  async function sendForm(
    reply: FastifyReply,
    { values, image }: Omit<EnteredLink, 'shown'>,
    errors: FilledForm['errors'] = {},
    status = 200,
    alert?: { text: string; linkId?: string },
  ): Promise<FastifyReply> {
    const csrf = reply.generateCsrf()
    const { owners, domains, complete } = await listMenus(context)
    const page = dashboardPage({
      section: '/dashboard',
      title: 'New link',
      csrf,
      content: [
        alert &&
          html`<p class="alert" role="alert">
            ${alert.text}${' '}
            ${alert.linkId && html`<a href=${`/dashboard/links/${alert.linkId}`}>Open the link</a>`}
          </p>`,
        !complete &&
          html`<p>The form does not list all owners or domains. For others, use the API.</p>`,
        owners.length === 0
          ? NO_OWNERS
          : linkForm({
              csrf,
              action: PATH,
              submit: 'Create link',
              cancel: '/dashboard',
              owners,
              domains,
              today: new Date(now()).toISOString().slice(0, 10),
              form: { values, errors },
              image: errors['preview_image'] ? undefined : image,
            }),
      ],
    })
    return sendDashboardPage(reply, page, status)
  }

  return async (scope) => {
    acceptUploads(scope, MAX_FIELD_BYTES)

    scope.get(PATH, (_request, reply) => sendForm(reply, NEW_LINK))

    scope.post(PATH, async (request, reply) => {
      const entered = readLinkForm(request)
      const { owner: ownerId = '', _csrf: token = '' } = entered.values
      const owner = isUuid(ownerId) ? await findOwnerById(db, ownerId) : undefined
      const input = toLinkInput(entered)
      const make = await prepareLink(context, owner, input, { formToken: token })
      const result = await make()
      switch (result.outcome) {
        case 'invalid': {
          const ownerError = !owner && { owner: 'Choose an owner.' }
          return sendForm(reply, entered, { ...result.errors, ...ownerError }, 422)
        }
        case 'created':
          return reply.redirect(`/dashboard/links/${result.link.id}`, 303)
        case 'form_used': {
          const { link } = result
          if (link) return reply.redirect(`/dashboard/links/${link.id}`, 303)
          return sendForm(reply, NEW_LINK, {}, 409, { text: ALREADY_CREATED })
        }
        case 'duplicate': {
          const shortUrl = addresses.shortUrl(result.link)
          const text = `This destination already has a short link on this domain: ${shortUrl}.`
          return sendForm(reply, entered, { destination_url: text }, 409, {
            text,
            linkId: result.link.id,
          })
        }
        case 'back_half_taken':
          return sendForm(
            reply,
            entered,
            { back_half: 'This back-half is taken on this domain. Choose another one.' },
            409,
          )
        case 'too_many_given_up':
          return sendForm(reply, entered, { owner: TOO_MANY_GIVEN_UP }, 409)
        case 'quota_reached': {
          const text = `This owner’s quota of short links (${formatNumber(result.maxLinks)}) is used up.`
          return sendForm(reply, entered, { owner: text }, 409)
        }
      }
    })
  }
}
