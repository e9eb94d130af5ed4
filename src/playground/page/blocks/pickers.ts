import { h, type ComponentChildren } from 'preact'
import type { Conversation, SlackJson } from '../../../simulator/protocol.ts'
import { number, string } from '../../shared/json.ts'
import { stateOf, valueField } from '../../shared/element-state.ts'
import { useWorkspace } from '../workspace.ts'
import type { ControlProps } from './field.ts'
import { Ticks } from './option-list.ts'
import type { Choice } from './choices.ts'
import { Select } from './static-select.ts'
import { plain } from './text.ts'

/** One of the workspace's conversations, or several. */
export function PlacePicker(props: ControlProps): ComponentChildren {
  const { state } = useWorkspace()
  const { type } = props.element
  const channelsOnly = type === 'channels_select'
  const choices = state.conversations
    .filter(({ kind }) => kind === 'channel' || !channelsOnly)
    .map((one) => ({ value: one.id, label: conversationLabel(one) }))
  return picker(props, choices, 'Choose a conversation')
}

/** One of the people, or several. */
export function PeoplePicker(props: ControlProps): ComponentChildren {
  const { state } = useWorkspace()
  const choices = state.people.map(({ id, realName }) => ({ value: id, label: realName }))
  return picker(props, choices, 'Choose a person')
}

function conversationLabel({ kind, name }: Conversation): string {
  return kind === 'channel' ? `#${name}` : name
}

function picker({ element, state, field, change }: ControlProps, choices: Choice[], ask: string) {
  const held = state[valueField(element) ?? '']
  const keep = (value: SlackJson[string]): void => change(stateOf(element, value))
  if (string(element.type).startsWith('multi_')) {
    const chosen = Array.isArray(held) ? held.map(string) : []
    const limit = number(element.max_selected_items)
    return h(Ticks, { field, ticks: choices, chosen, limit, change: keep })
  }
  return h(Select, {
    clearable: field.clearable,
    field,
    placeholder: plain(element.placeholder) || ask,
    groups: [{ label: '', choices }],
    value: string(held),
    change: (value) => keep(value || null),
  })
}
