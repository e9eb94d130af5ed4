import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { stateOf } from '../../../simulator/shared/element-state.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { html, icon } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { fieldAttributes, type ControlProps } from './field.ts'

/**
 * One file, dropped or picked. It is uploaded at once, and another file replaces it. The server checks its size, and the
 * app its type.
 */
export function FileInput(props: ControlProps): ComponentChildren {
  const { element, state, field, change, clearError } = props
  const { upload } = useWorkspace()
  const [failure, setFailure] = useState<string>()
  const [over, setOver] = useState(false)

  const [file] = objects(state.files)
  const types = Array.isArray(element.filetypes) ? element.filetypes.map(string) : []

  const send = async (files: FileList | null | undefined): Promise<void> => {
    const [picked, ...others] = files ?? []
    if (!picked) return
    clearError?.()
    if (others.length > 0) return setFailure('Choose only one file.')
    setFailure(undefined)
    try {
      change(stateOf(element, [{ ...(await upload(picked)) }]))
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : 'The file could not be uploaded.')
    }
  }
  const remove = (): void => {
    clearError?.()
    setFailure(undefined)
    change(stateOf(element, []))
    document.getElementById(field.id)?.focus()
  }

  return html`<div
    class="file-input"
    data-over=${over}
    onDragOver=${(event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }}
    onDragLeave=${() => setOver(false)}
    onDrop=${(event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void send(event.dataTransfer?.files)
    }}
  >
    ${
      file &&
      html`<div class="file-chip">
        ${icon('file')}<span>${string(file.name)}</span>
        <button
          type="button"
          class="icon-button"
          aria-label=${`Remove ${string(file.name)}`}
          onClick=${remove}
        >
          ${icon('close')}
        </button>
      </div>`
    }
    <label class="drop-zone">
      ${icon('upload')}
      <span><strong>Choose ${file ? 'another' : 'a'} file</strong> or drop it here</span>
      <input
        class="visually-hidden"
        type="file"
        accept=${types.map((type) => `.${type}`).join(',') || undefined}
        onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
          void send(currentTarget.files).then(() => (currentTarget.value = ''))
        }}
        ...${fieldAttributes({ ...field, invalid: field.invalid || failure !== undefined })}
      />
    </label>
    ${failure && !field.invalid && html`<p class="input-error" role="alert">${failure}</p>`}
  </div>`
}
