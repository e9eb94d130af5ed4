import type { ComponentChildren } from 'preact'
import {
  CREATE_FIELDS,
  FIELD_GROUPS,
  GROUP_FIELDS,
  GROUP_FLAGS,
  FIELD_SPECS,
  type CreateField,
} from '../../contract/link-fields.ts'
import type { FieldGroup } from '../../contract/field-spec.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { html } from '../../web/layout.ts'
import type { LinkRow } from '../store/links.ts'
import { formInputs, PostForm, type FilledForm, type FormInputs, type Options } from './form.ts'
import { linkPagePath, previewImagePath } from './link-elements.ts'

export const NEW_LINK_PATH = '/dashboard/links/new'

interface LinkForm {
  owners?: Options | undefined
  domains: Options
  usedTags: readonly string[]
  form: FilledForm
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
  const inputs = formInputs(form, { qr_code_color: DEFAULT_COLOR })
  const { menu, checkbox } = inputs
  return html`<${PostForm}
    action=${link ? `${linkPagePath(link)}/edit` : NEW_LINK_PATH}
    enctype="multipart/form-data"
    class="stack link-form"
    hidden=${{ revision: link?.revision, lookalike, needs_image }}
  >
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
  </${PostForm}>`
}

function fieldInput(name: CreateField, inputs: FormInputs, linkForm: LinkForm): ComponentChildren {
  const { link, domains, usedTags } = linkForm
  const { field, menu, tagField, textArea } = inputs
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
    case 'image':
      return imageInput(name, label, inputs, link)
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

function imageInput(name: string, label: string, inputs: FormInputs, link: LinkRow | undefined) {
  const { field, checkbox } = inputs
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
