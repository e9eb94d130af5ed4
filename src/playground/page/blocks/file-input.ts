import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_UPLOAD_BYTES, stateOf } from '../../../simulator/shared/element-state.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { html, icon } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { fieldAttributes, type ControlProps } from './field.ts'

/** One file, dropped or picked. It is uploaded at once, and another file replaces it. */
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
    const error = others.length > 0 ? 'Choose only one file.' : fileError(picked, types)
    setFailure(error)
    if (error !== undefined) return
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

/**
 * Checks a file before it is uploaded.
 *
 * @param types the accepted extensions, such as `png`; none accepts all files
 */
function fileError({ name, size }: File, types: readonly string[]): string | undefined {
  if (types.length > 0 && !types.map(extension).includes(extension(name))) {
    return `${name} is not a supported type of file. Choose ${listTypes(types)} file.`
  }
  if (size === 0) return `${name} is empty. Choose another file.`
  if (size > MAX_UPLOAD_BYTES) return `${name} is too large. A file can be at most 10 MB.`
  return undefined
}

/** The text after the last dot in lowercase, with one spelling for JPEG. */
function extension(name: string): string {
  const last = name.toLowerCase().split('.').at(-1) ?? ''
  return last === 'jpeg' ? 'jpg' : last
}

/** “a PNG or JPG” */
function listTypes(types: readonly string[]): string {
  const names = types.map((type) => type.toUpperCase())
  const article = /^[AEFHILMNORSX]/.test(names[0] ?? '') ? 'an' : 'a'
  return `${article} ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}`
}
