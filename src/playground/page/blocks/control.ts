import { h, type ComponentChildren, type FunctionComponent } from 'preact'
import type { SlackJson } from '../../protocol.ts'
import { html } from '../html.ts'
import { string } from '../json.ts'
import { OptionList } from './option-list.ts'
import { FileInput } from './file-input.ts'
import { PeoplePicker, PlacePicker } from './pickers.ts'
import { StaticSelect } from './static-select.ts'
import { DateInput, TextInput } from './text-input.ts'

/** An element that holds a value. */
export interface ControlProps {
  element: SlackJson
  state: SlackJson
  field: Field
  change: (state: SlackJson) => void
  /** Says that something is being done about what is wrong with it. */
  settle?: () => void
  /** What Enter does in a line of text, where it does not send the form. */
  enter?: () => void
}

/** What assistive technology is told of a control. */
export interface Field {
  id: string
  /** The element's action_id. */
  action: string
  /** Its name, where no label stands beside it. */
  name: string
  describedBy?: string | undefined
  required: boolean
  /** Whether a choice can be taken back: only in an input that may stay empty. */
  clearable: boolean
  invalid: boolean
  /** Whether it asks for the focus when it appears. */
  focusOnLoad: boolean
}

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

/** A control's attributes. */
export function fieldAttributes(field: Field) {
  const { id, action, name, describedBy, required, invalid, focusOnLoad } = field
  return {
    id,
    'data-action': action,
    'aria-label': name,
    'aria-describedby': describedBy,
    'aria-required': required,
    'aria-invalid': invalid,
    'data-focus-on-load': focusOnLoad,
  }
}
