import { h, type ComponentChildren, type FunctionComponent } from 'preact'
import type { SlackJson, ValueElement } from '../../../simulator/protocol.ts'
import { string } from '../../../simulator/shared/slack-json.ts'
import type { ControlProps } from './field.ts'
import { FileInput } from './file-input.ts'
import { OptionList } from './option-list.ts'
import { ConversationSelect, StaticSelect } from './select.ts'
import { DateInput, DateTimeInput, TextInput } from './text-input.ts'

const CONTROLS: Record<ValueElement, FunctionComponent<ControlProps>> = {
  plain_text_input: TextInput,
  url_text_input: TextInput,
  datepicker: DateInput,
  datetimepicker: DateTimeInput,
  static_select: StaticSelect,
  multi_static_select: OptionList,
  radio_buttons: OptionList,
  checkboxes: OptionList,
  conversations_select: ConversationSelect,
  file_input: FileInput,
}

/** An element that holds a value. */
export function Control(props: ControlProps): ComponentChildren {
  return h(CONTROLS[props.element.type as ValueElement], props)
}

/** Whether an element consists of several controls, which need a group label. */
export function isGroup({ type }: SlackJson): boolean {
  return ['radio_buttons', 'checkboxes', 'multi_static_select'].includes(string(type))
}
