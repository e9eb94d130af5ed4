import type { ComponentChildren } from 'preact'
import { html, renderDocument } from './html.ts'
import { styleHash } from './page.ts'
import { WIDE_STYLE } from '../dashboard/style.ts'

export const WIDE_STYLE_HASH = styleHash(WIDE_STYLE)

/** A page with much on it. */
export function widePage({
  title,
  header,
  content,
  script,
}: {
  title: string
  /** What stands above the page's own content. */
  header?: ComponentChildren
  content: ComponentChildren
  /** Runs at the end; the policy must allow it (`scriptHash`). */
  script?: string
}): string {
  const style = { dangerouslySetInnerHTML: { __html: WIDE_STYLE } }
  return renderDocument(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style ...${style} />
      </head>
      <body>
        ${header}
        <main>${content}</main>
        ${script !== undefined && html`<script ...${{ dangerouslySetInnerHTML: { __html: script } }} />`}
      </body>
    </html>`,
  )
}
