import type { FastifyInstance, FastifyReply } from 'fastify'
import { fieldsOfKind, GROUP_FLAGS, FIELD_SPECS } from '../../contract/link-fields.ts'
import type { LinkField } from '../../contract/link-fields.ts'
import { qrPng, qrSvg } from '../../qr/qr-code.ts'
import { dayOf, daysUntil } from '../../timing/days.ts'
import { html, sendImage } from '../../web/pages.ts'
import { readableUrl } from '../../web/readable-url.ts'
import { readClickReport } from '../store/clicks.ts'
import { findDestinationProblem, type DestinationProblem } from '../store/destination-problems.ts'
import { endedDestinations, earlierAddresses, linkHistory } from '../store/link-history.ts'
import { type LinkRow, linkState, findKeyName } from '../store/links.ts'
import { findOwnerById } from '../store/owners.ts'
import { findPreviewImage } from '../store/preview-images.ts'
import { needs, type DashboardContext, may, readQueue, type Viewer } from './access.ts'
import { postButton } from './form.ts'
import * as elements from './link-elements.ts'
import { clicksSection, destinationsSection, historySection, SHOWN_DAYS } from './link-sections.ts'
import { changeNotice, takeNotice } from './notice.ts'
import { copyButton, type Fact, factList, moment, pageAsked, sendDashboardPage } from './page.ts'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

const READ = needs('shortlinks:read')

const SHOWN_TEXTS = fieldsOfKind('text', 'lines').filter((name) => name !== 'title')

export async function linkRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { db, addresses, inTurn, now } = context

  async function permanentFacts(link: LinkRow): Promise<Fact[]> {
    const owner = await findOwnerById(db, link.owner_id)
    const earlier = await earlierAddresses(db, link.id)
    const urls = earlier.map((address) => elements.withoutScheme(addresses.shortUrl(address)))
    return [
      ['Workspace', owner?.name],
      ['Created', moment(link.created_at)],
      urls.length > 0 && ['Earlier short URLs', urls.map((url) => html`<div>${url}</div>`)],
    ]
  }

  async function historySections(reply: FastifyReply, link: LinkRow) {
    const page = pageAsked(reply.request)
    const created = { ...link, key_name: null, ...(await findKeyName(db, link.made_by)) }
    // Only the administrator sees these, because a link might have been deleted to hide where it led.
    const seesEnded = reply.request.viewer.kind === 'administrator'
    const ended = seesEnded ? await endedDestinations(db, link.id, { page, now: now() }) : []
    return [
      historySection(await linkHistory(db, link.id), created),
      destinationsSection(link.id, ended, page),
    ]
  }

  async function sendLink(reply: FastifyReply, link: LinkRow) {
    const { viewer } = reply.request
    const { destination_url: url } = link
    const shortUrl = addresses.shortUrl(link)
    const shownUrl = elements.withoutScheme(shortUrl)
    const badge = elements.stateBadge(link, now())
    const notice = takeNotice(reply, elements.linkPagePath(link))
    const days = daysUntil(dayOf(now()), SHOWN_DAYS)
    const report = await inTurn(readQueue(viewer), () => readClickReport(context, link.id, days))
    const active = linkState(link, now()) === 'active'
    const problem = active ? await findDestinationProblem(db, link) : undefined
    const content = [
      notice &&
        changeNotice(
          notice,
          shownUrl,
          active && copyButton(shortUrl, `Copy: ${shownUrl}`),
          notice === 'created' && html`<a href="/dashboard/links/new">Create another</a>`,
        ),
      html`<div class="split">
        <div>
          <p class="lead">
            <a href=${shortUrl}>${shownUrl}</a>${' '}${badge}${' '}
            ${copyButton(shortUrl, `Copy: ${shownUrl}`)}
          </p>
          ${actions(link, viewer, shortUrl, now())}
          ${factList([
            [
              'Destination',
              html`<a href=${url} rel="noreferrer">${readableUrl(url)}</a>
                ${problem && problemText(problem)}`,
            ],
            ['Expires', link.expires_at === null ? 'Never' : moment(link.expires_at)],
            ...(await permanentFacts(link)),
            ['Tags', elements.tagLinks(link) ?? 'None'],
            ...SHOWN_TEXTS.map((name): Fact => {
              const text = link[name]
              return text !== null && [FIELD_SPECS[name].label, ifEnabled(text, link, name)]
            }),
            imageFact(link),
          ])}
        </div>
        <figure>
          <img
            src=${elements.qrPath(link, 'svg')}
            alt=${`QR code of ${shortUrl}`}
            width="240"
            height="240"
          />
          <figcaption>Download: ${elements.qrDownloads(link, shortUrl)}</figcaption>
        </figure>
      </div>`,
      await clicksSection(report),
      ...(await historySections(reply, link)),
    ]
    return sendDashboardPage(reply, { title: link.title ?? shownUrl, copies: true, content })
  }

  async function sendDeleted(reply: FastifyReply, link: LinkRow) {
    const content = [
      html`<p class="lead">
        ${elements.stateBadge(link, now())}${' '}This short URL will never lead anywhere again, and
        no other link gets it.
      </p>`,
      factList(await permanentFacts(link)),
      ...(await historySections(reply, link)),
    ]
    const title = elements.withoutScheme(addresses.shortUrl(link))
    return sendDashboardPage(reply, { title, content })
  }

  scope.get('/dashboard/links/:id', READ, async ({ link }, reply) => {
    if (link.alias_of !== null) {
      return reply.redirect(elements.linkPagePath({ id: link.alias_of }), 303)
    }
    return link.deleted_at === null ? sendLink(reply, link) : sendDeleted(reply, link)
  })

  scope.get('/dashboard/links/:id/preview-image', READ, async ({ link }, reply) => {
    const image = await findPreviewImage(db, link.id)
    return image ? sendImage(reply, image) : reply.callNotFound()
  })

  for (const [extension, { type, draw }] of Object.entries(FORMATS)) {
    scope.get(`/dashboard/links/:id/qr.${extension}`, READ, async ({ link }, reply) => {
      if (link.deleted_at !== null) return reply.callNotFound()
      const color = link.qr_code_color ?? undefined
      // The color and the back-half of a link can change.
      reply.type(type).header('cache-control', 'private, no-cache')
      return reply.send(await draw(addresses.shortUrl(link), { color }))
    })
  }
}

function actions(link: LinkRow, viewer: Viewer, shortUrl: string, now: number) {
  const path = elements.linkPagePath(link)
  const mayUpdate = may(viewer, 'shortlinks:update', link)
  const isOn = link.enabled === 1
  return html`<div class="actions link-actions">
    ${mayUpdate && html`<a class="button" href=${`${path}/edit`}>Edit</a>`}
    ${
      // Not for an expired link, because turning it on would not make it work.
      mayUpdate &&
      linkState(link, now) !== 'expired' &&
      postButton({
        action: `${path}/turn-${isOn ? 'off' : 'on'}`,
        label: isOn ? 'Turn off' : 'Turn on',
        about: shortUrl,
      })
    }
    ${
      may(viewer, 'shortlinks:delete', link) &&
      html`<a class="button plain danger" href=${`${path}/delete`}>Delete</a>`
    }
  </div>`
}

function problemText({ status, reason }: DestinationProblem) {
  const texts = {
    dead: `This destination has failed on three days in a row (${reason}). Check the address.`,
    failing: `The last check failed (${reason}). The next one follows within a day.`,
    unclear: `The last check could not tell whether this destination works (${reason}).`,
  }
  return html`<div><small class=${status === 'dead' ? 'error' : ''}>${texts[status]}</small></div>`
}

function imageFact(link: LinkRow): Fact {
  const src = elements.previewImagePath(link)
  if (src === undefined) return false
  const name = ifEnabled(FIELD_SPECS.preview_image.label, link, 'preview_image')
  return [name, html`<img class="preview-image" src=${src} alt="The link’s preview image" />`]
}

function ifEnabled(text: string, link: LinkRow, name: LinkField): string {
  const { group } = FIELD_SPECS[name]
  return group && link[GROUP_FLAGS[group]] === 0 ? `${text} (not enabled)` : text
}
