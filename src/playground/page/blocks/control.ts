import { h, type ComponentChildren, type FunctionComponent } from 'preact'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { string } from '../../shared/json.ts'
import { html } from '../html.ts'
import type { ControlProps } from './field.ts'
import { FileInput } from './file-input.ts'
import { OptionList } from './option-list.ts'
import { PeoplePicker, PlacePicker } from './pickers.ts'
import { StaticSelect } from './static-select.ts'
import { DateInput, TextInput } from './text-input.ts'

const CONTROLS: Record<string, FunctionComponent<ControlProps>> = {
  plain_text_input: TextInput,
  url_text_input: TextInput,
  email_text_input: TextInput,
  number_input: TextInput,
  datepicker: DateInput,
  timepicker: DateInput,
  static_select: StaticSelect,
  multi_static_select: OptionList,
  radio_buttons: OptionList,
  checkboxes: OptionList,
  conversations_select: PlacePicker,
  multi_conversations_select: PlacePicker,
  channels_select: PlacePicker,
  users_select: PeoplePicker,
  multi_users_select: PeoplePicker,
  file_input: FileInput,
}

export function Control(props: ControlProps): ComponentChildren {
  const type = string(props.element.type)
  const component = Object.hasOwn(CONTROLS, type) ? CONTROLS[type] : undefined
  return component
    ? h(component, props)
    : html`<p class="unknown-block">
        An element of the type “${type}”, which the playground doesn’t show.
      </p>`
}

/** Whether an element is several controls, which need a group's label. */
export function isGroup({ type }: SlackJson): boolean {
  return ['radio_buttons', 'checkboxes'].includes(string(type)) || string(type).startsWith('multi_')
}
