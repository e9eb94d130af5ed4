import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { buffer } from 'node:stream/consumers'
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { parseTags, tagKey } from '../../contract/tags.ts'
import { CsrfToken, html, sendPage } from '../../web/pages.ts'
import { type Part, readParts } from '../api/form.ts'
import { outdatedPage } from './problem-pages.ts'

export type FormValues = Record<string, string>

/** What the user has entered, and the errors to show: `errors` each at its field, and `alert` above the form. */
export interface FilledForm {
  values: FormValues
  errors: Record<string, string>
  alert?: ComponentChildren
  status?: number
}

export const EMPTY_FORM: FilledForm = { values: {}, errors: {} }

export function formValues({ body }: Pick<FastifyRequest, 'body'>): FormValues {
  const values: FormValues = {}
  for (const [name, value] of Object.entries(body ?? {})) {
    const text: unknown = [value].flat().at(-1)
    // Browsers send each line break of a text as CRLF.
    if (typeof text === 'string') values[name] = text.replaceAll('\r\n', '\n').trim()
  }
  return values
}

export function formList({ body }: FastifyRequest, name: string): string[] {
  const value = (body as Record<string, unknown> | undefined)?.[name]
  return [value].flat().filter((text) => typeof text === 'string')
}

export async function formFile({ body }: FastifyRequest, name: string) {
  const value = (body as Record<string, Part['value']> | undefined)?.[name]
  if (typeof value !== 'object') return undefined
  const { filename, bytes, file } = value
  if (!file) return { filename, bytes }
  return { filename, bytes: await buffer(file.createReadStream({ start: 0, autoClose: false })) }
}

/** The only text field that can be as large as a file. It carries data, such as a CSV file, to a form's next step. */
export const LARGE_TEXT = 'large_text'

export async function largeText(request: FastifyRequest): Promise<string> {
  return (await formFile(request, LARGE_TEXT))?.bytes.toString('latin1') ?? ''
}

/** Larger than any photo. A form with a photo that is too large is still read, and shown again with all its texts. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** The CSRF token of a form with files is in the URL, and checked before the body arrives. */
export function acceptUploads(scope: FastifyInstance, maxFileBytes: number, maxParts = 60): void {
  const limits = { maxParts, maxBytes: MAX_BODY_BYTES, maxFileBytes, fileField: LARGE_TEXT }
  const check = checkForm(scope)
  scope.addHook('onRequest', function (request, reply, done) {
    const type = request.headers['content-type'] ?? ''
    const isSmall = /^application\/x-www-form-urlencoded\b/i.test(type)
    return isSmall ? done() : check.call(this, request, reply, done)
  })
  scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
    const parts = await readParts(request, limits)
    // A browser also sends a file input for which no file was chosen. It is ignored.
    const sent = parts.filter(
      ({ value, size }) => typeof value === 'string' || value.filename || size,
    )
    return Object.fromEntries(sent.map(({ name, value }) => [name, value]))
  })
}

export function csrfToken({ query, body }: FastifyRequest): string | undefined {
  return ((body ?? query) as { _csrf?: string } | undefined)?._csrf
}

export function checkForm(scope: FastifyInstance): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method !== 'POST') return done()
    // The token alone is not enough, because another host of the same site could set the CSRF cookie.
    const { 'sec-fetch-site': from = 'none' } = request.headers
    if (from === 'same-origin' || from === 'none') scope.csrfProtection(request, reply, done)
    else sendPage(reply, 403, outdatedPage)
  }
}

interface PostFormProps {
  children: ComponentChildren
  action: string
  /** The form has files, or a text as large as a file. */
  upload?: boolean
  hidden?: Record<string, unknown>
}

export function PostForm({ children, action, upload, hidden, ...attributes }: PostFormProps) {
  const token = useContext(CsrfToken)
  const inputs: Record<string, unknown> = { _csrf: token, ...hidden }
  const url = upload ? `${action}?_csrf=${encodeURIComponent(token)}` : action
  const enctype = upload ? 'multipart/form-data' : undefined
  return html`<form method="post" action=${url} enctype=${enctype} ...${attributes}>
    ${Object.entries(inputs).map(
      ([name, value]) =>
        value !== undefined && html`<input type="hidden" name=${name} value=${value} />`,
    )}
    ${children}
  </form>`
}

interface PostButton {
  action: string
  label: string
  /** Names the record, for screen readers that read the button without its context. */
  about: string
  danger?: boolean
  sends?: { name: string; value: string }
}

export function postButton({ action, label, about, danger, sends }: PostButton) {
  return html`<${PostForm} action=${action}>
    <button
      class=${danger ? 'plain danger' : 'plain'}
      aria-label=${`${label}: ${about}`}
      ...${sends}
    >
      ${label}
    </button>
  </${PostForm}>`
}

export function confirmButton(button: PostButton, back: string) {
  return html`<div class="actions">
    ${postButton({ ...button, danger: true })}
    <a href=${back}>Cancel</a>
  </div>`
}

interface Attributes {
  hint?: string | undefined
  required?: boolean
  suggestions?: readonly string[] | undefined
  [name: string]: unknown
}

export type Options = readonly (readonly [value: string, text: string])[]

export type FormInputs = ReturnType<typeof formInputs>

export function formInputs(
  { values, errors }: FilledForm,
  defaults: Partial<Record<string, string | null>> = {},
) {
  const shownValue = (name: string): string => values[name] ?? defaults[name] ?? ''

  function labeled(
    tag: 'input' | 'textarea' | 'select',
    name: string,
    label: string,
    { hint, suggestions, ...attributes }: Attributes,
    children?: ComponentChildren,
  ) {
    const error = errors[name]
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <${tag}
        id=${name}
        name=${name}
        ...${attributes}
        aria-describedby=${error ? `${name}-error` : hint ? `${name}-hint` : undefined}
        list=${suggestions && `${name}-list`}
        aria-invalid=${error ? 'true' : undefined}
        autofocus=${Boolean(error)}
      >${children}</${tag}>
      ${
        suggestions &&
        html`<datalist id=${`${name}-list`}>
          ${suggestions.map((value) => html`<option value=${value} />`)}
        </datalist>`
      }
      ${hint && html`<small id=${`${name}-hint`}>${hint}</small>`}
      ${error && html`<small class="error" id=${`${name}-error`}>${error}</small>`}
    </div>`
  }

  return {
    tagField: (name: string, label: string, known: readonly string[], hint?: string) => {
      const entered = parseTags(shownValue(name))
      const keys = new Set(entered.map(tagKey))
      const others = known.filter((tag) => !keys.has(tagKey(tag)))
      const suggestions = others.map((tag) => [...entered, tag].join(', '))
      return labeled('input', name, label, { value: shownValue(name), hint, suggestions })
    },
    field: (name: string, label: string, attributes: Attributes = {}) =>
      labeled('input', name, label, { value: shownValue(name), ...attributes }),
    textArea: (name: string, label: string, hint?: string) =>
      labeled('textarea', name, label, { rows: '3', hint }, shownValue(name)),
    menu: (name: string, label: string, options: Options, attributes: Attributes = {}) => {
      const children = options.map(
        ([option, text]) =>
          html`<option value=${option} selected=${option === shownValue(name)}>${text}</option>`,
      )
      return labeled('select', name, label, attributes, children)
    },
    /** If boxes share a name, the value of this name has those that are checked, separated by commas. */
    checkbox: (name: string, label: string, value = 'true') => {
      const checked = shownValue(name).split(',').includes(value)
      return html`<label class="checkbox">
        <input type="checkbox" name=${name} value=${value} checked=${checked} /> ${label}
      </label>`
    },
  }
}

export function renameForm(
  { action, name, hint, back }: Record<'action' | 'name' | 'hint' | 'back', string>,
  form: FilledForm,
) {
  return html`<${PostForm} action=${action} class="stack">
    ${formInputs(form, { name }).field('name', 'Name', { hint, required: true })}
    <div class="actions"><button>Rename</button> <a href=${back}>Cancel</a></div>
  </${PostForm}>`
}
