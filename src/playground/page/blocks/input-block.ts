import { h, type ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { object, string } from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'
import { plain } from '../mrkdwn/render.ts'
import { Control, isGroup } from './control.ts'
import { useSurface } from './field.ts'

/** An input with its label, its hint and its error. */
export function InputBlock({ block }: { block: SlackJson }): ComponentChildren {
  const { values, errors, clearError, hold } = useSurface()
  const blockId = string(block.block_id)
  const element = object(block.element)
  const state = values[blockId]?.[string(element.action_id)] ?? {}
  const error = errors[blockId]
  const hint = plain(block.hint)
  const optional = block.optional === true
  const id = useId()
  const describedBy =
    [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

  const control = h(Control, {
    element,
    state,
    field: {
      id,
      action: string(element.action_id),
      name: plain(block.label),
      describedBy,
      required: !optional,
      clearable: optional,
      invalid: error !== undefined,
      focusOnLoad: element.focus_on_load === true,
    },
    clearError: () => clearError(blockId),
    change: (next) => hold(blockId, element, next),
  })
  const label = [plain(block.label), optional && html`<span class="optional">optional</span>`]
  const below = [
    error && html`<p class="input-error" id=${`${id}-error`}>${error}</p>`,
    hint && html`<p class="input-hint" id=${`${id}-hint`}>${hint}</p>`,
  ]
  return isGroup(element)
    ? html`<fieldset
        class="input-block"
        data-invalid=${error !== undefined}
        aria-describedby=${describedBy}
      >
        <legend>${label}</legend>
        ${control} ${below}
      </fieldset>`
    : html`<div class="input-block" data-invalid=${error !== undefined}>
        <label for=${id}>${label}</label>
        ${control} ${below}
      </div>`
}
