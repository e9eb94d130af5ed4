import { h, type ComponentChildren, type FunctionComponent } from 'preact'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { string } from '../../../simulator/shared/slack-json.ts'
import type { ControlProps } from './field.ts'
import { FileInput } from './file-input.ts'
import { notDrawn, placeholders } from './not-drawn.ts'
import { OptionList } from './option-list.ts'
import { ConversationSelect, StaticSelect } from './select.ts'
import { DateInput, DateTimeInput, TextInput } from './text-input.ts'

const CONTROLS: Record<string, FunctionComponent<ControlProps>> = {
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

/** An element that holds a value, or a placeholder for one that the page does not draw. */
export function Control(props: ControlProps): ComponentChildren {
  const type = string(props.element.type)
  const component = Object.hasOwn(CONTROLS, type) ? CONTROLS[type] : undefined
  return component
    ? [h(component, props), placeholders(notDrawn(props.element))]
    : placeholders([type])
}

/** Whether an element consists of several controls, which need a group label. */
export function isGroup({ type }: SlackJson): boolean {
  return ['radio_buttons', 'checkboxes', 'multi_static_select'].includes(string(type))
}
