import { h, type FunctionComponent } from 'preact'
import type { ValueElement } from '../../../simulator/protocol.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { asObject } from '../../../values/unknown-values.ts'
import { html } from '../html.ts'
import { plain, text } from '../mrkdwn/render.ts'
import { useWorkspace } from '../workspace.ts'
import { fieldAttributes, type ControlProps } from './field.ts'
import { useRef, useState } from 'preact/hooks'

const CONTROLS: Record<ValueElement, FunctionComponent<ControlProps>> = {
  plain_text_input: TextInput,
  url_text_input: TextInput,
  datetimepicker: DateTimeInput,
  static_select: Select,
  multi_static_select: OptionList,
  radio_buttons: OptionList,
  checkboxes: OptionList,
  conversations_select: Select,
  file_input: FileInput,
}

export function Control(props: ControlProps) {
  return h(CONTROLS[props.element.type as ValueElement], props)
}

function TextInput({ element, value, field, change }: ControlProps) {
  const type = element.type === 'url_text_input' ? 'url' : 'text'
  const attributes = {
    ...fieldAttributes(element, field),
    value: string(value),
    placeholder: plain(element.placeholder),
    autocomplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      change(currentTarget.value || null)
    },
  }
  return element.multiline === true
    ? html`<textarea class="text-input" rows="3" ...${attributes}></textarea>`
    : html`<input class="text-input" type=${type} inputmode=${type} ...${attributes} />`
}

function DateTimeInput({ element, value, field, change }: ControlProps) {
  return html`<input
    class="text-input"
    type="datetime-local"
    value=${typeof value === 'number' ? localTime(value) : ''}
    onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const time = new Date(currentTarget.value).getTime()
      change(Number.isNaN(time) ? null : time / 1000)
    }}
    ...${fieldAttributes(element, field)}
  />`
}

/** Formats a time in the browser's time zone: `2026-12-24T18:00`. */
function localTime(seconds: number): string {
  const time = new Date(seconds * 1000)
  const offset = time.getTimezoneOffset() * 60_000
  return new Date(time.getTime() - offset).toISOString().slice(0, 16)
}

/** Uses the browser's own `<select>`, which works with keyboards and on phones as people expect. */
function Select({ element, value, field, change }: ControlProps) {
  const { conversations } = useWorkspace().state
  const isStatic = element.type === 'static_select'
  const { include } = asObject(element.filter)
  const items = isStatic
    ? objects(element.options).map((option) => ({
        value: string(option.value),
        label: plain(option.text),
        choice: option,
      }))
    : conversations
        .filter(({ kind }) => !include || kind === 'channel')
        .map(({ id, kind, name }) => ({
          value: id,
          label: kind === 'channel' ? `#${name}` : name,
          choice: id,
        }))
  const current = string(isStatic ? asObject(value).value : value)
  const choose = ({ currentTarget }: { currentTarget: HTMLSelectElement }): void => {
    const selected = items.find((item) => item.value === currentTarget.value)
    change(selected?.choice ?? null)
  }
  return html`<select
    class="text-input"
    value=${current}
    onChange=${choose}
    ...${fieldAttributes(element, field)}
  >
    ${
      (field.clearable || current === '') &&
      html`<option value="" disabled=${!field.clearable}>
        ${plain(element.placeholder) || `Choose ${isStatic ? 'an option' : 'a conversation'}`}
      </option>`
    }
    ${items.map(
      (item) =>
        html`<option value=${item.value} selected=${item.value === current}>${item.label}</option>`,
    )}
  </select>`
}

function OptionList({ element, value, field, change }: ControlProps) {
  const options = objects(element.options)
  const isRadio = element.type === 'radio_buttons'
  const checked = isRadio
    ? [string(asObject(value).value)]
    : objects(value).map((option) => string(option.value))

  const check = (checkedValue: string, isChecked: boolean): void => {
    const others = isRadio ? [] : checked.filter((other) => other !== checkedValue)
    const values = isChecked ? [...others, checkedValue] : others
    const selected = options.filter((option) => values.includes(string(option.value)))
    change(isRadio ? (selected[0] ?? null) : selected)
  }
  return html`<div>
    ${options.map((option, index) => {
      const optionValue = string(option.value)
      return html`<label class="row tick">
        <input
          type=${isRadio ? 'radio' : 'checkbox'}
          id=${index === 0 ? field.id : `${field.id}-${index}`}
          name=${field.id}
          checked=${checked.includes(optionValue)}
          aria-invalid=${field.invalid}
          data-focus-on-load=${element.focus_on_load === true}
          onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            check(optionValue, currentTarget.checked)}
        />
        <span>${text(option.text)}</span>
      </label>`
    })}
  </div>`
}

/** Uploads a file when it is picked. The server checks its size, and the app its type. */
function FileInput({ element, value, field, change }: ControlProps) {
  const { upload } = useWorkspace()
  const [failure, setFailure] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const [file] = objects(value)
  const types = Array.isArray(element.filetypes) ? element.filetypes.map(string) : []

  const send = async ([picked]: Iterable<File>): Promise<void> => {
    setFailure(undefined)
    const result = picked && (await upload(picked))
    const failed = result && 'message' in result
    change(result && !failed ? [result] : [])
    if (failed) setFailure(result.message)
  }
  const remove = (): void => {
    if (input.current) input.current.value = ''
    input.current?.focus()
    void send([])
  }
  return html`<div>
    <input
      ref=${input}
      class="text-input"
      type="file"
      accept=${types.map((type) => `.${type}`).join(',') || undefined}
      onChange=${() => void send(input.current?.files ?? [])}
      ...${fieldAttributes(element, { ...field, invalid: field.invalid || failure !== undefined })}
    />
    ${
      file &&
      html`<p class="row muted">
        Uploaded ${string(file.name)}
        <button type="button" class="link-button" onClick=${remove}>Remove</button>
      </p>`
    }
    ${failure && html`<p class="input-error" role="alert">${failure}</p>`}
  </div>`
}
