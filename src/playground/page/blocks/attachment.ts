import { h, type ComponentChildren } from 'preact'
import type { SlackJson, WorkspaceState } from '../../../simulator/protocol.ts'
import { objects, string } from '../../shared/json.ts'
import { html } from '../html.ts'
import { link, Mrkdwn } from '../mrkdwn/render.ts'
import { safeLink } from '../safe-url.ts'
import { image } from './image.ts'

/**
 * The older kind of content beside a message: words, fields and a picture behind a coloured bar.
 *
 * @param blocks draws blocks, which may stand in it too
 */
export function attachment(
  one: SlackJson,
  state: WorkspaceState,
  blocks: (blocks: SlackJson[]) => ComponentChildren,
): ComponentChildren {
  const inside = objects(one.blocks)
  const title = string(one.title)
  const titleLink = safeLink(one.title_link)
  const picture = string(one.image_url) || string(one.thumb_url)
  return html`<div class="attachment" style=${{ '--bar': barColour(string(one.color)) }}>
    ${inside.length > 0 && blocks(inside)}
    ${one.pretext !== undefined && h(Mrkdwn, { text: string(one.pretext) })}
    ${one.author_name !== undefined && html`<p class="muted">${string(one.author_name)}</p>`}
    ${title && html`<p><strong>${titleLink === undefined ? title : link(titleLink, title)}</strong></p>`}
    ${one.text !== undefined && h(Mrkdwn, { text: string(one.text) })}
    ${objects(one.fields).map(
      (field) =>
        html`<div>
          <strong>${string(field.title)}</strong>${h(Mrkdwn, { text: string(field.value) })}
        </div>`,
    )}
    ${picture && image({ image_url: picture, alt_text: title || string(one.fallback) }, state)}
    ${one.footer !== undefined && html`<p class="muted">${string(one.footer)}</p>`}
  </div>`
}

function barColour(colour: string): string {
  const named: Record<string, string> = { good: '#2f8a5b', warning: '#c98a12', danger: '#b3261e' }
  if (Object.hasOwn(named, colour)) return named[colour] ?? ''
  return /^#?[0-9a-f]{6}$/i.test(colour) ? `#${colour.replace('#', '')}` : 'var(--line)'
}
