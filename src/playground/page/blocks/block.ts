import { h, type ComponentChildren } from 'preact'
import type { SlackJson, WorkspaceState } from '../../../simulator/protocol.ts'
import {
  isObject,
  object,
  objects,
  slackFileId,
  string,
} from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'
import { plain, text } from '../mrkdwn/render.ts'
import { safeImage } from '../safe-url.ts'
import { useWorkspace } from '../workspace.ts'
import { ActingElement } from './element.ts'
import { InputBlock } from './input-block.ts'
import { isDrawn, notDrawn, placeholders } from './not-drawn.ts'

/**
 * A block of a message, a modal or the Home tab.
 *
 * @param end what follows the block's text on its last line
 */
export function Block({
  block,
  end,
}: {
  block: SlackJson
  end?: ComponentChildren
}): ComponentChildren {
  const { state } = useWorkspace()
  return [isDrawn(block) && drawn(block, state, end), placeholders(notDrawn(block))]
}

/** Whether text can follow a block's own text. */
export function hasText({ type, text: words }: SlackJson): boolean {
  return type === 'context' || (type === 'section' && isObject(words))
}

function drawn(block: SlackJson, state: WorkspaceState, end: ComponentChildren): ComponentChildren {
  switch (block.type) {
    case 'section': {
      const { accessory } = block
      const fields = objects(block.fields)
      return html`<div class="section-block">
        <div class="section-text">
          ${isObject(block.text) && text(block.text, end)}
          ${
            fields.length > 0 &&
            html`<div class="section-fields">
              ${fields.map((field) => html`<div>${text(field)}</div>`)}
            </div>`
          }
        </div>
        ${
          isObject(accessory) &&
          html`<div class="section-accessory">${acting(block, accessory)}</div>`
        }
      </div>`
    }
    case 'context': {
      const elements = objects(block.elements)
      return html`<div class="context-block">
        ${elements.map((one, at) =>
          one.type === 'image'
            ? placeholders(['context.image'])
            : html`<span>${text(one, at === elements.length - 1 ? end : undefined)}</span>`,
        )}
      </div>`
    }
    case 'header':
      return html`<h3 class="header-block">${plain(block.text)}</h3>`
    case 'divider':
      return html`<hr />`
    case 'image':
      return html`<figure class="image-block">${image(block, state)}</figure>`
    case 'actions':
      return html`<div class="actions-block">
        ${objects(block.elements).map((element) => acting(block, element))}
      </div>`
    case 'input':
      return h(InputBlock, { block })
    case 'rich_text':
      return objects(block.elements).map((element) => [
        element.type === 'rich_text_preformatted' && preformatted(element),
        placeholders(notDrawn(element)),
      ])
    default:
      return undefined
  }
}

function acting(block: SlackJson, element: SlackJson): ComponentChildren {
  return h(ActingElement, {
    key: string(element.action_id),
    blockId: string(block.block_id),
    element,
  })
}

/** The text of a code block, in which the app puts nothing but text. */
function preformatted({ elements }: SlackJson): ComponentChildren {
  const parts = objects(elements)
  const others = parts.filter(({ type }) => type !== 'text')
  return html`<div class="mrkdwn">
    <pre>${parts.map(({ text }) => string(text))}</pre>
    ${placeholders(others.map(({ type }) => `rich_text.${string(type)}`))}
  </div>`
}

/** An image from a URL or an uploaded file, or else its description. */
function image(block: SlackJson, state: WorkspaceState): ComponentChildren {
  const description = string(block.alt_text)
  const source = safeImage(imageUrl(block, state))
  return source === undefined
    ? html`<span class="image-missing">${description || 'This image can’t be shown.'}</span>`
    : html`<img src=${source} alt=${description} title=${description} />`
}

function imageUrl(block: SlackJson, state: WorkspaceState): unknown {
  const id = slackFileId(object(block.slack_file))
  if (id === undefined) return block.image_url
  const file = state.files[id]
  return file && new URL(file.url, document.baseURI).href
}
