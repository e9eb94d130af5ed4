import { createHash } from 'node:crypto'
import { createContext, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { html } from 'htm/preact'
import { LOGO_DATA_URL } from './logo.ts'
import { BASE_STYLE, NARROW_STYLE, WIDE_STYLE } from './style.ts'

/** Markup with one root. Values in it become text, never markup. */
export { html }

/** A finished document, and the security policy that it is sent with. */
export interface HtmlPage {
  html: string
  policy: PagePolicy
}

/** Options of helmet. */
interface PagePolicy {
  contentSecurityPolicy: { useDefaults: false; directives: Record<string, string[]> }
}

interface LayoutOptions {
  /** `narrow`: one centered column, for a few sentences. `wide`: for tables and documentation. */
  width: 'narrow' | 'wide'
  /** CSS for what only these pages contain. */
  css?: string
  /** Whether the pages may submit forms to their own server. */
  forms?: boolean
  /** Embeds the icon, for a server without `/favicon.svg`. */
  embedIcon?: boolean
  /** Whether the pages show pictures from their own server; by default, if the icon comes from there. */
  pictures?: boolean
}

interface PageParts {
  title: string
  /** Further elements of the head. */
  head?: ComponentChildren
  /** Comes before the main content. */
  header?: ComponentChildren
  content: ComponentChildren
  /** A script that runs when the page has loaded. */
  script?: string
  /** The token that proves that this server sent the forms of the page. */
  csrf?: string
}

/** The token of the page that is rendered, for its forms. */
export const CsrfToken = createContext('')

/**
 * Defines the look of a group of pages. Their policy allows their own style and script, images from
 * their own server, and nothing else; no site can show them in a frame.
 */
export function defineLayout({
  width,
  css = '',
  forms = false,
  embedIcon = false,
  pictures = !embedIcon,
}: LayoutOptions) {
  const style = BASE_STYLE + (width === 'narrow' ? NARROW_STYLE : WIDE_STYLE) + css
  const icon = embedIcon ? LOGO_DATA_URL : '/favicon.svg'
  const directives = {
    'default-src': ["'none'"],
    'style-src': [sourceHash(style)],
    'img-src': [...(embedIcon ? ['data:'] : []), ...(pictures ? ["'self'"] : [])],
    'base-uri': ["'none'"],
    'form-action': [forms ? "'self'" : "'none'"],
    'frame-ancestors': ["'none'"],
  }
  const policy = policyOf(directives)
  return {
    /** The policy of the pages without a script, for headers that are set before a page is known. */
    policy,
    render({ title, head, header, content, script, csrf = '' }: PageParts): HtmlPage {
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
          ${script !== undefined && html`<script ...${rawContent(script)} />`}
        </body>
      </html>`
      const withToken = html`<${CsrfToken.Provider} value=${csrf}>${document}<//>`
      return {
        html: `<!doctype html>\n${renderToString(withToken)}\n`,
        policy:
          script === undefined
            ? policy
            : policyOf({ ...directives, 'script-src': [sourceHash(script)] }),
      }
    },
  }
}

function policyOf(directives: Record<string, string[]>): PagePolicy {
  return { contentSecurityPolicy: { useDefaults: false, directives } }
}

/** Allows this style or script in a content security policy. */
function sourceHash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`
}

/** A part of a page, for one that is sent in parts. */
export function renderPart(content: ComponentChildren, csrf = ''): string {
  return renderToString(html`<${CsrfToken.Provider} value=${csrf}>${content}<//>`)
}

/** Content that is not escaped. */
function rawContent(source: string) {
  return { dangerouslySetInnerHTML: { __html: source } }
}
