import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createContext, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { html } from 'htm/preact'
import { LOGO_DATA_URL } from './logo.ts'

export { html }

export function readStyle(file: string, moduleUrl: string): string {
  return readFileSync(new URL(file, moduleUrl), 'utf8')
}

const BASE_STYLE = readStyle('base.css', import.meta.url)

const WIDTH_STYLES = {
  narrow: readStyle('narrow.css', import.meta.url),
  wide: readStyle('wide.css', import.meta.url),
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
