import type { FastifyPluginAsync } from 'fastify'
import type { LinksTable } from '../../database/links-table.ts'
import { defineLayout, html, type HtmlPage, linkDrawing, LOGO_SVG } from '../../web/pages.ts'
import { linkState } from '../store/links.ts'

export const FRIENDLY_LAYOUT = defineLayout({ width: 'narrow' })

const ICON_CACHE = 'public, max-age=86400'
const ROBOTS = 'User-agent: *\nDisallow: /api/\n'

export const homePage = FRIENDLY_LAYOUT.render({
  title: 'Backhalf',
  content: [
    linkDrawing('joined'),
    html`<h1>Short links live here.</h1>`,
    html`<p>
      This is a Backhalf link service. Every short link created here takes you to a longer address
      somewhere else.
    </p>`,
    html`<p>Did someone give you a link? Use all of it, including what comes after the slash.</p>`,
  ],
})

/** Browsers don't store the page of an ended link, because a link that is turned off might work again. */
export const ENDED_CACHE_CONTROL = 'no-store'

function problemPage(title: string, heading: string, ...texts: ReturnType<typeof html>[]) {
  return FRIENDLY_LAYOUT.render({
    title: `${title} · Backhalf`,
    content: [linkDrawing('broken'), html`<h1>${heading}</h1>`, ...texts],
  })
}

export const notFoundPage = problemPage(
  'Link not found',
  'This link doesn’t work.',
  html`<p>There is no short link at this address.</p>`,
  html`<ul>
    <li>Did you type it? Case matters, and 0 and O look alike.</li>
    <li>Did you copy it? The end might be missing.</li>
    <li>Otherwise, ask the person who sent it for a new one.</li>
  </ul>`,
)

const offPage = problemPage(
  'Link turned off',
  'This link is turned off.',
  html`<p>It might work again later.</p>`,
  html`<p>If you need it, ask the person who gave it to you.</p>`,
)

const expiredPage = problemPage(
  'Expired link',
  'This link has expired.',
  html`<p>If you need it, ask the person who gave it to you for a new one.</p>`,
)

export const deletedPage = problemPage(
  'Deleted link',
  'This link was deleted.',
  html`<p>It won’t work again, and its address won’t lead anywhere else.</p>`,
  html`<p>If you need it, ask the person who gave it to you for a new one.</p>`,
)

export function endedPage(
  link: Pick<LinksTable, 'enabled' | 'expires_at' | 'deleted_at'>,
  now: number,
): HtmlPage | undefined {
  if (link.deleted_at !== null) return deletedPage
  return { off: offPage, expired: expiredPage, active: undefined }[linkState(link, now)]
}

export const blockedPage = problemPage(
  'Blocked link',
  'This link is blocked.',
  html`<p>
    It leads to an address that this service has blocked, for example because it was used to deceive
    people.
  </p>`,
  html`<p>If you think this is a mistake, tell the person who gave you the link.</p>`,
)

export const failedPage = problemPage(
  'Something went wrong',
  'Something went wrong here.',
  html`<p>The problem is in the link service, not with you. Try again later.</p>`,
)

export const unavailablePage = problemPage(
  'Back in a moment',
  'This will be back in a moment.',
  html`<p>
    The link service can’t respond right now. Nothing was changed. Try again in a minute.
  </p>`,
)

export const fileRoutes: FastifyPluginAsync = async (scope) => {
  for (const path of ['/favicon.ico', '/favicon.svg']) {
    scope.get(path, (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', ICON_CACHE).send(LOGO_SVG),
    )
  }
  scope.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(ROBOTS),
  )
}
