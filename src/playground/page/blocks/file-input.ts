import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { toState } from '../../../simulator/shared/element-state.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { fieldAttributes, type ControlProps } from './field.ts'

/** Uploads a file when it is picked. The server checks its size, and the app its type. */
export function FileInput({ element, state, field, change }: ControlProps): ComponentChildren {
  const { upload } = useWorkspace()
  const [failure, setFailure] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const [file] = objects(state.files)
  const types = Array.isArray(element.filetypes) ? element.filetypes.map(string) : []

  const send = async ([picked]: Iterable<File>): Promise<void> => {
    setFailure(undefined)
    try {
      change(toState(element, picked ? [{ ...(await upload(picked)) }] : []))
    } catch (error) {
      change(toState(element, []))
      setFailure(error instanceof Error ? error.message : 'The file could not be uploaded.')
    }
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
      ...${fieldAttributes({ ...field, invalid: field.invalid || failure !== undefined })}
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
