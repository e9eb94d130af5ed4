import type { FastifyReply } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { html } from 'htm/preact'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createContext, type ComponentChildren, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

export { html }

export const LOGO = html`<svg
  class="logo"
  xmlns="http://www.w3.org/2000/svg"
  viewBox="0 0 32 32"
  aria-hidden="true"
>
  <rect width="32" height="32" rx="8" fill="#1f4f46" />
  <g fill="none" stroke="#fbfaf7" stroke-width="3" stroke-linecap="round">
    <path d="M14 11h-3a5 5 0 0 0 0 10h3" />
    <path d="M18 11h3a5 5 0 0 1 0 10h-3" />
    <path d="M12.5 16h7" />
  </g>
</svg>`

export const LOGO_SVG = renderToString(LOGO)

const LOGO_DATA_URL = `data:image/svg+xml,${encodeURIComponent(LOGO_SVG)}`

const DRAWINGS = {
  joined: ['M68 20H46a20 20 0 0 0 0 40h22', 'M92 20h22a20 20 0 0 1 0 40H92', 'M56 40h48'],
  broken: [
    'M60 20H40a20 20 0 0 0 0 40h20',
    'M100 20h20a20 20 0 0 1 0 40h-20',
    'M50 40h14',
    'M96 40h14',
  ],
}

export function linkDrawing(state: keyof typeof DRAWINGS): VNode {
  return html`<svg
    class="drawing"
    viewBox="16 8 128 64"
    fill="none"
    stroke-width="6"
    stroke-linecap="round"
    aria-hidden="true"
  >
    ${DRAWINGS[state].map((line) => html`<path d=${line} />`)}
  </svg>`
}

export function readAsset(file: string, moduleUrl: string): string {
  return readFileSync(new URL(file, moduleUrl), 'utf8')
}

const BASE_STYLE = readAsset('base.css', import.meta.url)

const WIDTH_STYLES = {
  narrow: readAsset('narrow.css', import.meta.url),
  wide: readAsset('wide.css', import.meta.url),
}

export interface HtmlPage {
  html: string
  policy: ReturnType<typeof pagePolicy>
}

interface LayoutOptions {
  width: 'narrow' | 'wide'
  css?: string
  forms?: boolean
  embedIcon?: boolean
  pictures?: boolean
}

interface PageParts {
  title: string
  head?: ComponentChildren
  header?: ComponentChildren
  content: ComponentChildren
  script?: string
  csrf?: string
}

export const CsrfToken = createContext('')

/** The pages' Content-Security-Policy allows only their own style and script, and images of the same server. */
export function defineLayout({
  width,
  css = '',
  forms = false,
  embedIcon = false,
  pictures = !embedIcon,
}: LayoutOptions) {
  const style = BASE_STYLE + WIDTH_STYLES[width] + css
  const icon = embedIcon ? LOGO_DATA_URL : '/favicon.svg'
  const directives = {
    'default-src': ["'none'"],
    'style-src': [sourceHash(style)],
    'img-src': [...(embedIcon ? ['data:'] : []), ...(pictures ? ["'self'"] : [])],
    'base-uri': ["'none'"],
    'form-action': [forms ? "'self'" : "'none'"],
    'frame-ancestors': ["'none'"],
  }
  const policy = pagePolicy(directives)
  return {
    policy,
    render({ title, head, header, content, script = '', csrf = '' }: PageParts): HtmlPage {
      const document = html`<html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title}</title>
          ${head}
          <link rel="icon" href=${icon} type="image/svg+xml" />
          <style ...${rawContent(style)} />
        </head>
        <body>
          ${header}
          <main>${content}</main>
          ${script && html`<script ...${rawContent(script)} />`}
        </body>
      </html>`
      return {
        html: `<!doctype html>\n${renderPart(document, csrf)}\n`,
        policy: script ? pagePolicy({ ...directives, 'script-src': [sourceHash(script)] }) : policy,
      }
    },
  }
}

function pagePolicy(directives: Record<string, string[]>) {
  return { contentSecurityPolicy: { useDefaults: false, directives } }
}

function sourceHash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`
}

export function renderPart(content: ComponentChildren, csrf = ''): string {
  return renderToString(html`<${CsrfToken.Provider} value=${csrf}>${content}<//>`)
}

function rawContent(source: string) {
  return { dangerouslySetInnerHTML: { __html: source } }
}

export function addSecurityHeaders(
  { request, raw }: FastifyReply,
  policy: Pick<HelmetOptions, 'contentSecurityPolicy' | 'crossOriginResourcePolicy'>,
): void {
  const addHeaders = helmet({
    strictTransportSecurity: false,
    // The URLs of these pages can contain secrets, such as one-time links.
    referrerPolicy: { policy: 'no-referrer' },
    ...policy,
  })
  addHeaders(request.raw, raw, (error) => {
    if (error) throw error as Error
  })
}

export function sendPage(
  reply: FastifyReply,
  status: number,
  { html, policy }: HtmlPage,
  cacheControl = 'no-cache',
): FastifyReply {
  addSecurityHeaders(reply, policy)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', cacheControl)
    .send(html)
}

/** For a browser, an SVG by itself is a document. It can use its own styles, but can't run scripts or load anything. */
const IMAGE_POLICY = {
  ...pagePolicy({ 'default-src': ["'none'"], 'style-src': ["'unsafe-inline'"], sandbox: [] }),
  // Slack and other sites show these images in their pages.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
} as const

/** Sends an image. An image can be replaced or removed, so browsers must ask each time whether it has changed. */
export function sendImage(
  reply: FastifyReply,
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
): FastifyReply {
  addSecurityHeaders(reply, IMAGE_POLICY)
  return reply.type(mediaType).header('cache-control', 'public, no-cache').send(Buffer.from(bytes))
}
