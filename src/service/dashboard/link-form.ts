import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { eachField, someFields, type FieldGroup } from '../../contract/field-spec.ts'
import {
  CREATE_FIELDS,
  FIELD_GROUPS,
  FIELD_SPECS,
  fieldsOfKind,
  GROUP_FIELDS,
  GROUP_FLAGS,
  without,
  type CreateField,
} from '../../contract/link-fields.ts'
import type { ImageFile } from '../../contract/preview-image.ts'
import { DEFAULT_COLOR, isScannable } from '../../qr/qr-code.ts'
import { html } from '../../web/pages.ts'
import { FieldErrors } from '../store/field-errors.ts'
import type { LinkInput } from '../store/link-rules.ts'
import { fieldValues } from '../store/link-values.ts'
import type { LinkRow } from '../store/links.ts'
import type { DashboardContext } from './access.ts'
import * as forms from './form.ts'
import { linkPagePath, previewImagePath } from './link-elements.ts'

export const NEW_LINK_PATH = '/dashboard/links/new'

interface LinkForm {
  owners?: forms.Options | undefined
  domains: forms.Options
  usedTags: readonly string[]
  form: forms.FilledForm
  link: LinkRow | undefined
}

const PLAIN_FIELDS = CREATE_FIELDS.filter(
  (name) => !FIELD_SPECS[name].group && !FIELD_SPECS[name].turnsOn && name !== 'destination_url',
)

const CHECKBOXES: Record<FieldGroup, string> = {
  utm: 'Add them to the destination',
  preview: 'Show this where the link is posted',
  qr: 'Show the QR code in Slack, and to everyone at the short URL followed by /qr.png',
}

export function linkForm(linkForm: LinkForm) {
  const { owners, form, link } = linkForm
  const { lookalike, needs_image } = form.values
  const inputs = forms.formInputs(form, { qr_code_color: DEFAULT_COLOR })
  const { menu, checkbox } = inputs
  const action = link ? `${linkPagePath(link)}/edit` : NEW_LINK_PATH
  const hidden = { revision: link?.revision, lookalike, needs_image }
  return html`<${forms.PostForm} action=${action} upload class="stack link-form" hidden=${hidden}>
    ${fieldInput('destination_url', inputs, linkForm)}
    <div class="pair">${PLAIN_FIELDS.map((name) => fieldInput(name, inputs, linkForm))}</div>
    ${owners && menu('owner', 'Workspace', owners)}
    ${FIELD_GROUPS.map((group) => {
      const flag = GROUP_FLAGS[group]
      const grouped = GROUP_FIELDS[group].map((name) => fieldInput(name, inputs, linkForm))
      return html`<fieldset>
        <legend>${FIELD_SPECS[flag].label}</legend>
        ${checkbox(flag, CHECKBOXES[group])}
        ${group === 'utm' ? html`<div class="pair">${grouped}</div>` : grouped}
      </fieldset>`
    })}
    <div class="actions">
      <button>${link ? 'Save' : 'Create link'}</button>
      <a href=${link ? linkPagePath(link) : '/dashboard'}>Cancel</a>
    </div>
  </${forms.PostForm}>`
}

function fieldInput(
  name: CreateField,
  inputs: forms.FormInputs,
  linkForm: LinkForm,
): ComponentChildren {
  const { link, domains, usedTags } = linkForm
  const { field, menu, checkbox, tagField, textArea } = inputs
  const { kind, group, example, isRequired, isPermanent, ...spec } = FIELD_SPECS[name]
  const required = (isRequired ?? (link && isPermanent)) === true
  const label = required || group ? spec.label : `${spec.label} (optional)`
  const { hint = group && example ? `For example ${example}` : undefined } = spec
  switch (kind) {
    case 'domain':
      return menu(name, label, domains)
    case 'lines':
      return textArea(name, label)
    case 'color':
      return field(name, label, { type: 'color' })
    case 'image': {
      const current = link && previewImagePath(link)
      return [
        current && [
          html`<img class="preview-image" src=${current} alt="The link’s preview image" />`,
          checkbox('remove_image', 'Remove this image'),
        ],
        field(name, label, {
          type: 'file',
          accept: '.jpeg,.jpg,.png,.svg',
          hint: `${current ? 'Choose a file to replace the image. ' : ''}JPEG, PNG or SVG, at most 10 MB. It is shrunk if it is larger than 500 KB.`,
        }),
      ]
    }
    case 'instant':
      return field(name, label, {
        type: 'datetime-local',
        hint: 'In UTC. Then the short link stops working.',
      })
    case 'tags':
      return tagField(name, label, usedTags, hint)
    case 'url':
      return field(name, label, {
        hint: `The page that the short link opens, for example ${example ?? ''}`,
        required,
        inputMode: 'url',
      })
    default:
      return field(name, label, {
        required,
        hint:
          kind === 'back_half' && link
            ? 'If you change it, the earlier short URL still leads to this link.'
            : hint,
      })
  }
}

const TEXTS = fieldsOfKind('url', 'domain', 'back_half', 'text', 'lines', 'tags', 'instant')

/** Completes the value of a browser's time input: `2027-03-01T12:00` becomes `2027-03-01T12:00:00Z`. */
export const toInstant = (text: string): string => (/T\d\d:\d\d$/.test(text) ? `${text}:00Z` : text)

const INPUTS = without(CREATE_FIELDS, fieldsOfKind('image'))

/** The checkbox of an empty group is checked, so that the group takes effect as soon as the user fills it in. */
export function linkValues(link: LinkRow): forms.FormValues {
  const values = fieldValues(link)
  const texts: forms.FormValues = eachField(CREATE_FIELDS, (name) => {
    const value = values[name] ?? ''
    if (typeof value === 'boolean') return value ? 'true' : ''
    if (FIELD_SPECS[name].kind === 'instant') return value.slice(0, 'YYYY-MM-DDThh:mm'.length)
    // Browsers send a text back in this form if the user doesn't edit it.
    return value.replaceAll(/\r\n?/g, '\n').trim()
  })
  for (const group of FIELD_GROUPS) {
    if (!isFilled(group, texts)) texts[GROUP_FLAGS[group]] = 'true'
  }
  return { ...texts, qr_code_color: texts['qr_code_color']?.toLowerCase() || DEFAULT_COLOR }
}

/** The QR code always counts as filled, because its only field is optional. */
function isFilled(group: FieldGroup, values: Partial<forms.FormValues>): boolean {
  return group === 'qr' || GROUP_FIELDS[group].some((name) => values[name])
}

const COULD_NOT_SHRINK =
  'This image couldn’t be shrunk. Save it again as PNG or JPEG, or try again in a minute.'

/** Returns the fields that the user changed, and the texts of the form. @param shown what the form showed first */
export async function readLinkForm(
  request: FastifyRequest,
  { pictures }: DashboardContext,
  shown: forms.FormValues = {},
): Promise<{ values: forms.FormValues; input: LinkInput }> {
  const values = forms.formValues(request)
  const form: Record<string, string | ImageFile> = {}
  const errors = new FieldErrors()
  for (const name of TEXTS) {
    const text = values[name]
    if (text === undefined || text === (shown[name] ?? '')) continue
    form[name] = FIELD_SPECS[name].kind === 'instant' ? toInstant(text) : text
  }
  const { qr_code_color: color = '', remove_image } = values
  const removed = remove_image === 'true'
  // A browser's color input is never empty, so the default color means that none was chosen.
  const isColored = color !== '' && color !== (shown['qr_code_color'] ?? DEFAULT_COLOR)
  if (isColored) form['qr_code_color'] = color === DEFAULT_COLOR ? '' : color
  const image = await forms.formFile(request, 'preview_image')
  if (image) {
    const fitted = await pictures.fit(image)
    if (!fitted) errors.add('preview_image', COULD_NOT_SHRINK)
    form['preview_image'] = fitted ?? image
    values['needs_image'] = 'true'
  } else if (removed) form['preview_image'] = ''
  const imageName = image?.filename ?? (removed ? '' : shown['preview_image'])
  const present = { ...values, preview_image: imageName }
  for (const group of FIELD_GROUPS) {
    const flag = GROUP_FLAGS[group]
    form[flag] = String(values[flag] === 'true' && isFilled(group, present))
  }
  if (form['qr_code_color'] && !isScannable(color)) {
    // The color input itself accepts every color.
    errors.add('qr_code_color', 'Phones can’t scan this color on white. Choose a darker one.')
  }
  return { values, input: { values: form, errors } }
}

export function staleTexts(values: forms.FormValues, link: LinkRow): forms.FormValues {
  const currentValues = linkValues(link)
  return someFields(INPUTS, (name) => {
    const current = currentValues[name] ?? ''
    if (current === (values[name] ?? '')) return undefined
    if (!current) return 'The link now has nothing here.'
    const isTime = FIELD_SPECS[name].kind === 'instant'
    return `The link now has “${isTime ? `${current.replace('T', ' ')} UTC` : current}”.`
  })
}
