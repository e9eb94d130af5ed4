import { h, type FunctionComponent } from 'preact'
import type { SlackJson, ValueElement } from '../../../simulator/protocol.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { asObject } from '../../../values/unknown-values.ts'
import { html } from '../html.ts'
import { plain, text } from '../mrkdwn/render.ts'
import { useWorkspace } from '../workspace.ts'
import { useRef, useState } from 'preact/hooks'

export interface ControlProps {
  element: SlackJson
  value: unknown
  /** The attributes of the HTML element that a person uses. */
  attributes: { id: string } & Record<string, unknown>
  /** True if a person can remove the choice again, as in an optional input. */
  clearable: boolean
  change: (value: unknown) => void
}

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

function TextInput({ element, value, attributes, change }: ControlProps) {
  const type = element.type === 'url_text_input' ? 'url' : 'text'
  const all = {
    ...attributes,
    value: string(value),
    placeholder: plain(element.placeholder),
    autocomplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      change(currentTarget.value || null)
    },
  }
  return element.multiline === true
    ? html`<textarea class="text-input" rows="3" ...${all}></textarea>`
    : html`<input class="text-input" type=${type} inputmode=${type} ...${all} />`
}

function DateTimeInput({ value, attributes, change }: ControlProps) {
  return html`<input
    class="text-input"
    type="datetime-local"
    value=${typeof value === 'number' ? localTime(value) : ''}
    onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const time = new Date(currentTarget.value).getTime()
      change(Number.isNaN(time) ? null : time / 1000)
    }}
    ...${attributes}
  />`
}

/** Formats a time in the browser's time zone: `2026-12-24T18:00`. */
function localTime(seconds: number): string {
  const time = new Date(seconds * 1000)
  const offset = time.getTimezoneOffset() * 60_000
  return new Date(time.getTime() - offset).toISOString().slice(0, 16)
}

/** Uses the browser's own `<select>`, which works with keyboards and on phones as people expect. */
function Select({ element, value, attributes, clearable, change }: ControlProps) {
  const { conversations } = useWorkspace().state
  const isStatic = element.type === 'static_select'
  const { include } = asObject(element.filter)
  const options: SlackJson[] = isStatic
    ? objects(element.options)
    : conversations
        .filter(({ kind }) => !include || kind === 'channel')
        .map(({ id, kind, name }) => ({
          value: id,
          text: { text: kind === 'channel' ? `#${name}` : name },
        }))
  const current = string(isStatic ? asObject(value).value : value)
  const choose = ({ currentTarget }: { currentTarget: HTMLSelectElement }): void => {
    const selected = options.find((option) => option.value === currentTarget.value)
    change((isStatic ? selected : selected?.value) ?? null)
  }
  return html`<select class="text-input" value=${current} onChange=${choose} ...${attributes}>
    ${
      (clearable || current === '') &&
      html`<option value="" disabled=${!clearable}>
        ${plain(element.placeholder) || `Choose ${isStatic ? 'an option' : 'a conversation'}`}
      </option>`
    }
    ${options.map(
      (option) =>
        html`<option value=${option.value} selected=${option.value === current}>
          ${plain(option.text)}
        </option>`,
    )}
  </select>`
}

function OptionList({ element, value, attributes, change }: ControlProps) {
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
          id=${index === 0 ? attributes.id : `${attributes.id}-${index}`}
          name=${attributes.id}
          checked=${checked.includes(optionValue)}
          aria-invalid=${attributes['aria-invalid']}
          data-focus-on-load=${attributes['data-focus-on-load']}
          onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            check(optionValue, currentTarget.checked)}
        />
        <span>${text(option.text)}</span>
      </label>`
    })}
  </div>`
}

/** Uploads a file when it is picked. The server checks its size, and the app its type. */
function FileInput({ element, value, attributes, change }: ControlProps) {
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
      ...${attributes}
      ...${failure && { 'aria-invalid': true }}
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
