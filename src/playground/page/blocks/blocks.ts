import { h, type FunctionComponent } from 'preact'
import { useRef } from 'preact/hooks'
import type { BlockType, Container, SlackJson } from '../../../simulator/protocol.ts'
import { string, objects } from '../../../simulator/shared/slack-json.ts'
import { useKeptFocus } from '../focus.ts'
import { html } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { useHeldValues, type HeldValues } from './held-values.ts'
import { asObject, isObject } from '../../../values/unknown-values.ts'
import { codeBlock, plain, text } from '../mrkdwn/render.ts'
import { safeUrl } from '../mrkdwn/parse.ts'
import { ActionElement, InputBlock, type BlockProps, type Surface } from './element.ts'

interface BlocksProps {
  blocks: readonly SlackJson[]
  container: Container
  errors?: Record<string, string>
  held?: HeldValues
}

export function Blocks({ blocks, container, errors = {}, held }: BlocksProps) {
  const { perform } = useWorkspace()
  // A modal holds the values itself, because it submits them.
  const ownValues = useHeldValues(blocks)
  const { values, hold } = held ?? ownValues
  const root = useRef<HTMLDivElement>(null)
  useKeptFocus(root)

  const surface: Surface = {
    values: values.current,
    errors,
    hold,
    use(blockId, element, outcome) {
      perform({
        type: 'block_action',
        container,
        values: values.current,
        blockId,
        element: { ...element, ...outcome },
      })
    },
  }
  const keys = blockKeys(blocks)
  const shown = blocks.map((block, index) =>
    h(BLOCKS[block.type as BlockType], { key: keys[index], block, surface }),
  )
  return html`<div ref=${root} class="blocks">${shown}</div>`
}

/** A redrawn block with the same key keeps its elements and the focus. An input with another block_id is a new one. */
function blockKeys(blocks: readonly SlackJson[]): string[] {
  const counts = new Map<string, number>()
  return blocks.map((block) => {
    const type = string(block.type)
    if (type === 'input') return string(block.block_id)
    const count = counts.get(type) ?? 0
    counts.set(type, count + 1)
    return `${type} ${count}`
  })
}

export function hasControl({ type, accessory }: SlackJson): boolean {
  return type === 'input' || type === 'actions' || isObject(accessory)
}

const BLOCKS: Record<BlockType, FunctionComponent<BlockProps>> = {
  section: Section,
  context: ({ block }) =>
    html`<div class="row context-block muted">
      ${objects(block.elements).map((element) => html`<span>${text(element)}</span>`)}
    </div>`,
  header: ({ block }) => html`<h2>${plain(block.text)}</h2>`,
  divider: () => html`<hr />`,
  image: Image,
  actions: ({ block, surface }) =>
    html`<div class="row actions-block">
      ${objects(block.elements).map((element) => actionElement(block, element, surface))}
    </div>`,
  input: InputBlock,
  rich_text: ({ block }) =>
    objects(block.elements).map(
      ({ elements }) =>
        html`<div class="mrkdwn">
          ${codeBlock(objects(elements).map(({ text }) => string(text)))}
        </div>`,
    ),
}

function Section({ block, surface }: BlockProps) {
  const { accessory } = block
  const fields = objects(block.fields)
  return html`<div class="section-block">
    <div class="section-text">
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
      html`<div class="section-accessory">${actionElement(block, accessory, surface)}</div>`
    }
  </div>`
}

function actionElement(block: SlackJson, element: SlackJson, surface: Surface) {
  return h(ActionElement, { key: string(element.action_id), block, element, surface })
}

function Image({ block }: BlockProps) {
  const { state } = useWorkspace()
  const file = state.files[string(asObject(block.slack_file).id)]
  const source = safeUrl(file ? new URL(file.url, document.baseURI).href : block.image_url)
  const description = string(block.alt_text)
  return html`<figure class="image-block">
    <img src=${source} alt=${description} title=${description} />
  </figure>`
}
