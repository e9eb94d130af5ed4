import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { stateOf } from '../../shared/element-state.ts'
import { html } from '../html.ts'
import { icon } from '../icons.ts'
import { number, objects, string } from '../../shared/json.ts'
import type { Upload } from '../server.ts'
import { useWorkspace } from '../workspace.ts'
import { fieldAttributes, type ControlProps } from './field.ts'
import { fileFault } from './file-fault.ts'
import { useSurface } from './surface.ts'

interface Sending {
  name: string
  part: number
  cancel: () => void
}

/** Files, dropped or picked. They are uploaded at once; the form holds what came of it. */
export function FileInput(props: ControlProps): ComponentChildren {
  const { element, state, field, change, settle } = props
  const { upload } = useWorkspace()
  const { uploading } = useSurface()
  const [sending, setSending] = useState<Sending>()
  const [failure, setFailure] = useState<string>()
  const [over, setOver] = useState(false)
  const underWay = useRef<Upload>(undefined)
  useEffect(() => () => underWay.current?.cancel(), [])

  const files = objects(state.files)
  const limit = number(element.max_files) ?? 10
  const types = Array.isArray(element.filetypes) ? element.filetypes.map(string) : []

  const send = async (chosen: FileList | null | undefined): Promise<void> => {
    const picked = [...(chosen ?? [])]
    if (picked.length === 0 || sending) return
    settle?.()
    // Where there is room for one file only, another one takes its place.
    let kept = limit === 1 ? [] : files
    const fault =
      kept.length + picked.length > limit
        ? `Choose ${limit === 1 ? 'one file' : `at most ${limit} files`}.`
        : picked.map((file) => fileFault(file, types)).find((one) => one !== undefined)
    setFailure(fault)
    if (fault !== undefined) return
    uploading(1)
    try {
      for (const file of picked) {
        const begun = upload(file, (part) => setSending((now) => now && { ...now, part }))
        underWay.current = begun
        setSending({ name: file.name, part: 0, cancel: () => begun.cancel() })
        kept = [...kept, { ...(await begun.done) }]
        change(stateOf(element, kept))
      }
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'The file could not be uploaded.')
    } finally {
      setSending(undefined)
      uploading(-1)
    }
  }
  const remove = (id: unknown): void => {
    settle?.()
    setFailure(undefined)
    change(
      stateOf(
        element,
        files.filter((file) => file.id !== id),
      ),
    )
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
    ${files.map(
      (file) =>
        html`<div class="file-chip">
          ${icon('file')}<span>${string(file.name)}</span>
          <button
            type="button"
            class="icon-button"
            disabled=${sending !== undefined}
            aria-label=${`Remove ${string(file.name)}`}
            onClick=${() => remove(file.id)}
          >
            ${icon('close')}
          </button>
        </div>`,
    )}
    ${
      sending &&
      html`<div class="file-chip" role="status">
        <span>Uploading ${sending.name}</span>
        <progress value=${sending.part}></progress>
        <button type="button" class="button" onClick=${sending.cancel}>Cancel</button>
      </div>`
    }
    <label
      class="drop-zone"
      hidden=${(files.length >= limit && limit > 1) || sending !== undefined}
    >
      ${icon('upload')}
      <span
        ><strong>Choose ${limit === 1 && files.length > 0 ? 'another' : 'a'} file</strong> or drop
        it here</span
      >
      <input
        class="visually-hidden"
        type="file"
        multiple=${limit > 1}
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
