import type { ComponentChildren } from 'preact'
import type { SlackJson, WorkspaceState } from '../../../simulator/protocol.ts'
import { object, string } from '../../shared/json.ts'
import { html } from '../html.ts'
import { slackFileId } from '../../shared/slack-file.ts'
import { safeImage } from '../safe-url.ts'
import { plain } from './text.ts'

/** An image block, with its title where it has one. */
export function imageBlock(block: SlackJson, state: WorkspaceState): ComponentChildren {
  const title = plain(block.title)
  return html`<figure class="image-block">
    ${title && html`<figcaption>${title}</figcaption>`} ${image(block, state)}
  </figure>`
}

/** An image at an address, or one that was uploaded; its description where there is none. */
export function image(element: SlackJson, state: WorkspaceState): ComponentChildren {
  const description = string(element.alt_text)
  const source = safeImage(imageAddress(element, state))
  return source === undefined
    ? html`<span class="image-missing">${description || 'An image that can’t be shown'}</span>`
    : html`<img src=${source} alt=${description} title=${description} />`
}

function imageAddress(element: SlackJson, state: WorkspaceState): unknown {
  const id = slackFileId(object(element.slack_file))
  if (id === undefined) return element.image_url
  const file = state.files[id]
  return file && new URL(file.url, document.baseURI).href
}
