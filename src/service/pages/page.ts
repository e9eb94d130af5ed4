import { createHash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { html, renderDocument } from './html.ts'
import { STYLE } from './style.ts'

/** For a content security policy that allows this style and no other. */
export function styleHash(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

export const PAGE_STYLE_HASH = styleHash(STYLE)

/** Two halves of a link, joined or apart. */
const DRAWINGS = {
  whole: ['M68 20H46a20 20 0 0 0 0 40h22', 'M92 20h22a20 20 0 0 1 0 40H92', 'M56 40h48'],
  broken: [
    'M60 20H40a20 20 0 0 0 0 40h20',
    'M100 20h20a20 20 0 0 1 0 40h-20',
    'M50 40h14',
    'M96 40h14',
  ],
}

/** A page with one thing to say. */
export function page({
  title,
  drawing,
  head,
  content,
}: {
  title: string
  drawing: keyof typeof DRAWINGS
  /** What else stands in the head. */
  head?: ComponentChildren
  content: ComponentChildren
}): string {
  const style = { dangerouslySetInnerHTML: { __html: STYLE } }
  return renderDocument(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${head}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style ...${style} />
      </head>
      <body>
        <main>
          <svg
            viewBox="16 8 128 64"
            fill="none"
            stroke-width="6"
            stroke-linecap="round"
            aria-hidden="true"
          >
            ${DRAWINGS[drawing].map((line) => html`<path class="line" d=${line} />`)}
          </svg>
          ${content}
        </main>
      </body>
    </html>`,
  )
}
