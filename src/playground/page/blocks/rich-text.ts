import type { ComponentChildren } from 'preact'
import type { SlackJson, WorkspaceState } from '../../../simulator/protocol.ts'
import { object, objects, string } from '../../shared/json.ts'
import { html } from '../html.ts'
import { emoji } from '../mrkdwn/emoji.ts'
import { link, mention } from '../mrkdwn/render.ts'
import { safeLink } from '../safe-url.ts'
import { nameOf, useWorkspace } from '../workspace.ts'

/** Text that is marked up by structure instead of characters. */
export function RichText({ block }: { block: SlackJson }): ComponentChildren {
  const { state } = useWorkspace()
  return html`<div class="mrkdwn">
    ${objects(block.elements).map((element) => passage(element, state))}
  </div>`
}

function passage(element: SlackJson, state: WorkspaceState): ComponentChildren {
  const inside = objects(element.elements)
  const run = (): ComponentChildren[] => inside.map((one) => inline(one, state))
  switch (element.type) {
    case 'rich_text_quote':
      return html`<blockquote>${run()}</blockquote>`
    case 'rich_text_preformatted':
      return html`<pre>${run()}</pre>`
    case 'rich_text_list': {
      const items = inside.map((item) => html`<li>${passage(item, state)}</li>`)
      return element.style === 'ordered'
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`
    }
    default:
      return html`<p>${run()}</p>`
  }
}

function inline(element: SlackJson, state: WorkspaceState): ComponentChildren {
  return styled(object(element.style), content(element, state))
}

function content(element: SlackJson, state: WorkspaceState): ComponentChildren {
  switch (element.type) {
    case 'link': {
      const label = string(element.text) || string(element.url)
      const href = safeLink(element.url)
      return href === undefined ? label : link(href, label)
    }
    case 'emoji':
      return emoji(string(element.name))
    case 'user':
      return mention(`@${nameOf(state, string(element.user_id))}`)
    case 'channel': {
      const id = string(element.channel_id)
      return mention(`#${state.conversations.find((one) => one.id === id)?.name ?? id}`)
    }
    case 'broadcast':
      return mention(`@${string(element.range)}`)
    default:
      return string(element.text)
  }
}

function styled(style: SlackJson, inner: ComponentChildren): ComponentChildren {
  let shown = inner
  if (style.code === true) shown = html`<code>${shown}</code>`
  if (style.strike === true) shown = html`<s>${shown}</s>`
  if (style.italic === true) shown = html`<em>${shown}</em>`
  if (style.bold === true) shown = html`<strong>${shown}</strong>`
  return shown
}
