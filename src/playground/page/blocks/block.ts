import { h, type ComponentChildren } from 'preact'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { isObject, objects, string } from '../../shared/json.ts'
import { html } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { ActingElement } from './element.ts'
import { image, imageBlock } from './image.ts'
import { InputBlock } from './input-block.ts'
import { RichText } from './rich-text.ts'
import { plain, text } from './text.ts'
import { Mrkdwn } from '../mrkdwn/render.ts'

/** One block of a message, a modal or the Home tab. */
export function Block({ block }: { block: SlackJson }): ComponentChildren {
  const { state } = useWorkspace()
  switch (block.type) {
    case 'section':
      return h(Section, { block })
    case 'header':
      return html`<h3 class="header-block">${plain(block.text)}</h3>`
    case 'divider':
      return html`<hr />`
    case 'context':
      return html`<div class="context-block">
        ${objects(block.elements).map((one) =>
          one.type === 'image' ? image(one, state) : html`<span>${text(one)}</span>`,
        )}
      </div>`
    case 'image':
      return imageBlock(block, state)
    case 'actions':
      return html`<div class="actions-block">
        ${objects(block.elements).map((element) => acting(block, element))}
      </div>`
    case 'input':
      return h(InputBlock, { block })
    case 'rich_text':
      return h(RichText, { block })
    case 'markdown':
      return h(Mrkdwn, { text: string(block.text) })
    default:
      return html`<p class="unknown-block">
        A block of the type “${string(block.type)}”, which the playground doesn’t show.
      </p>`
  }
}

function Section({ block }: { block: SlackJson }): ComponentChildren {
  const { state } = useWorkspace()
  const { accessory } = block
  const fields = objects(block.fields)
  return html`<div class="section-block">
    <div class="section-words">
      ${isObject(block.text) && text(block.text)}
      ${
        fields.length > 0 &&
        html`<div class="section-fields">
          ${fields.map((field) => html`<div>${text(field)}</div>`)}
        </div>`
      }
    </div>
    ${
      isObject(accessory) &&
      html`<div class="section-accessory">
        ${accessory.type === 'image' ? image(accessory, state) : acting(block, accessory)}
      </div>`
    }
  </div>`
}

function acting(block: SlackJson, element: SlackJson): ComponentChildren {
  return h(ActingElement, {
    key: string(element.action_id),
    blockId: string(block.block_id),
    element,
  })
}
