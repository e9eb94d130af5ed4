import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { ImageFile } from '../../contract/preview-image.ts'
import { html } from '../../web/layout.ts'

/** What was entered into a form, and the error of each invalid field. */
export interface FilledForm {
  values: Record<string, string>
  errors: Record<string, string>
}

export const EMPTY_FORM: FilledForm = { values: {}, errors: {} }

/** The trimmed fields of a submitted form. If a field was sent several times, the last value counts. */
export function formValues(request: FastifyRequest): Record<string, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const text: unknown = Array.isArray(value) ? value.at(-1) : value
      return typeof text === 'string' ? [[name, text.trim()]] : []
    }),
  )
}

/** All values of a field that can be sent several times. */
export function formList(request: FastifyRequest, name: string): string[] {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name]
  return [value].flat().filter((text) => typeof text === 'string')
}

/** A file that was uploaded in a form; undefined if none was chosen. */
export function formFile(request: FastifyRequest, name: string): ImageFile | undefined {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name]
  return typeof value === 'object' && value !== null && 'bytes' in value
    ? (value as ImageFile)
    : undefined
}

/** Every form contains this token, which proves that the dashboard sent the form. */
export function csrfField(csrf: string): ComponentChildren {
  return html`<input type="hidden" name="_csrf" value=${csrf} />`
}

/** A button that performs one action on one record. */
export function postButton({
  action,
  csrf,
  label,
  about,
  danger = false,
  fields = {},
}: {
  action: string
  csrf: string
  label: string
  /** Names the record, for screen readers that read the button without its context. */
  about: string
  danger?: boolean
  /** Further values to send. */
  fields?: Record<string, string | number>
}): ComponentChildren {
  return html`<form method="post" action=${action}>
    ${csrfField(csrf)}
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name=${name} value=${value} />`,
    )}
    <button class=${danger ? 'plain danger' : 'plain'} aria-label=${`${label}: ${about}`}>
      ${label}
    </button>
  </form>`
}

/** A labeled input, with its error below. The page opens at the first field with an error. */
export function field({
  name,
  label,
  value = '',
  hint,
  error,
  ...attributes
}: {
  name: string
  label: string
  value?: string
  hint?: string
  error?: string | undefined
  required?: boolean
  maxLength?: number
  type?: string
  autocomplete?: string
  inputMode?: string
  accept?: string
  min?: string
}): ComponentChildren {
  const describedBy = error ? `${name}-error` : hint ? `${name}-hint` : undefined
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      value=${value}
      aria-describedby=${describedBy}
      aria-invalid=${error ? 'true' : undefined}
      autofocus=${Boolean(error)}
      ...${attributes}
    />
    ${hint && html`<small id=${`${name}-hint`}>${hint}</small>`}
    ${error && html`<small class="error" id=${`${name}-error`}>${error}</small>`}
  </div>`
}

/** A labeled input for text of several lines, with its error below. */
export function textArea({
  name,
  label,
  value,
  error,
  maxLength,
}: {
  name: string
  label: string
  value: string
  error: string | undefined
  maxLength?: number
}): ComponentChildren {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <textarea
      id=${name}
      name=${name}
      rows="3"
      maxlength=${maxLength}
      aria-describedby=${error ? `${name}-error` : undefined}
      aria-invalid=${error ? 'true' : undefined}
      autofocus=${Boolean(error)}
      value=${value}
    ></textarea>
    ${error && html`<small class="error" id=${`${name}-error`}>${error}</small>`}
  </div>`
}

/** A checkbox that sends `true`. */
export function checkbox(name: string, label: string, checked: boolean): ComponentChildren {
  return html`<label class="checkbox">
    <input type="checkbox" name=${name} value="true" checked=${checked} />
    ${label}
  </label>`
}

/** A labeled menu, with its error below. */
export function select({
  name,
  label,
  value,
  options,
  error,
}: {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  error?: string | undefined
}): ComponentChildren {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select
      id=${name}
      name=${name}
      aria-describedby=${error ? `${name}-error` : undefined}
      aria-invalid=${error ? 'true' : undefined}
      autofocus=${Boolean(error)}
    >
      ${options.map(
        ([option, text]) =>
          html`<option value=${option} selected=${option === value}>${text}</option>`,
      )}
    </select>
    ${error && html`<small class="error" id=${`${name}-error`}>${error}</small>`}
  </div>`
}
