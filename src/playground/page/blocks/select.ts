import { h, type ComponentChildren } from 'preact'
import { stateOf } from '../../../simulator/shared/element-state.ts'
import { object, objects, string } from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'
import { plain } from '../mrkdwn/render.ts'
import { useWorkspace } from '../workspace.ts'
import { fieldAttributes, type ControlProps } from './field.ts'
import { SearchSelect, type SelectProps } from './search-select.ts'

/** A menu of the app's own options. */
export function StaticSelect({ element, state, field, change }: ControlProps): ComponentChildren {
  const options = objects(element.options)
  return h(Select, {
    field,
    placeholder: plain(element.placeholder) || 'Choose an option',
    choices: options.map((option) => ({ value: string(option.value), label: plain(option.text) })),
    value: string(object(state.selected_option).value),
    change: (value) => change(stateOf(element, options.find((one) => one.value === value) ?? null)),
  })
}

/** A menu of the workspace's conversations. */
export function ConversationSelect(props: ControlProps): ComponentChildren {
  const { element, state, field, change } = props
  const { conversations } = useWorkspace().state
  return h(Select, {
    field,
    placeholder: plain(element.placeholder) || 'Choose a conversation',
    choices: conversations.map(({ id, kind, name }) => ({
      value: id,
      label: kind === 'channel' ? `#${name}` : name,
    })),
    value: string(state.selected_conversation),
    change: (value) => change(stateOf(element, value || null)),
  })
}

/** A menu with more choices than this can be searched. */
const MAX_PLAIN_CHOICES = 10

function Select(props: SelectProps): ComponentChildren {
  return h(props.choices.length > MAX_PLAIN_CHOICES ? SearchSelect : PlainSelect, props)
}

/** The browser's own menu, which works with keyboards and on phones as people expect. */
function PlainSelect({
  field,
  placeholder,
  choices,
  value,
  change,
}: SelectProps): ComponentChildren {
  return html`<select
    class="select"
    data-empty=${value === ''}
    value=${value}
    onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      change(currentTarget.value)}
    ...${fieldAttributes(field)}
  >
    ${
      (field.clearable || value === '') &&
      html`<option value="" disabled=${!field.clearable}>${placeholder}</option>`
    }
    ${choices.map(
      (choice) =>
        html`<option value=${choice.value} selected=${choice.value === value}>
          ${choice.label}
        </option>`,
    )}
  </select>`
}
