import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Markup with one root. Values in it are text, never markup. */
export { html } from 'htm/preact'

/** A whole document as text. */
export function renderDocument(root: VNode): string {
  return `<!doctype html>\n${renderToString(root)}\n`
}
