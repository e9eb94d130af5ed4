import {
  CREATE_FIELDS,
  fieldsOfKind,
  GROUP_FIELDS,
  GROUP_FLAGS,
  without,
} from '../../contract/link-fields.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { Settings, UtmTemplate } from '../../workspaces/settings.ts'
import { applyNaming, filledUtm, findTemplateByName } from '../../workspaces/utm.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { COMMAND } from '../ids.ts'
import { readTimeZone, type Caller } from '../platform/caller.ts'
import { cutValue, type FieldError, orList } from '../platform/field-errors.ts'
import type { UploadedFile } from '../platform/slack-files.ts'
import { endOfDay, isDate } from './expiry.ts'

/** Groups of fields that have no switch. A group counts as on if any of its fields is filled in. */
export const IMPLIED_GROUPS = ['utm', 'preview'] as const

export const DRAFT_FIELDS = without(
  CREATE_FIELDS,
  IMPLIED_GROUPS.map((group) => GROUP_FLAGS[group]),
)

export type DraftField = (typeof DRAFT_FIELDS)[number]

/** Fields that are text in a draft: the domain is an ID or a hostname, and `expires_at` is what `parseExpiry` reads. */
export const DRAFT_TEXTS = without(DRAFT_FIELDS, fieldsOfKind('flag', 'image'))

export type DraftText = (typeof DRAFT_TEXTS)[number]

/** What the user typed for a link, not checked yet: trimmed, and without empty fields. */
export interface Draft extends Partial<Record<DraftText, string>> {
  preview_image?: UploadedFile
  remove_image?: boolean
  allows_duplicate?: boolean
  conversation?: string | null // Where to send the link. Null if left empty; absent if the form did not ask.
  qr_code_enabled?: boolean // Absent if the workspace's settings decide.
  template?: string
}

export function draftText(draft: Draft): string {
  return [...DRAFT_TEXTS, 'template' as const]
    .flatMap((field) => (draft[field] ? [`${FIELD_LABELS[field]}: ${draft[field]}`] : []))
    .join('\n')
}

/** Replaces a typed date by the end of that day in the user's time zone. */
export async function withEndOfDay(caller: Caller, draft: Draft): Promise<Draft> {
  const { expires_at: date } = draft
  if (date === undefined || !isDate(date) || caller.userId === undefined) return draft
  return { ...draft, expires_at: endOfDay(date, await readTimeZone(caller, caller.userId)) }
}

export const wantedColor = ({ qr_code_enabled, qr_code_color }: Draft) =>
  qr_code_enabled ? (qr_code_color ?? DEFAULT_COLOR) : undefined

/** Adds the values of the template and the workspace's QR settings. Values that the user typed take precedence. */
export function applyDefaults(draft: Draft, { qr, templates }: Settings): Draft {
  const { template: templateName, ...typedValues } = draft
  const { qr_code_color: typedColor, qr_code_enabled: typedChoice } = typedValues
  const color = typedColor ?? qr.color
  const template = templateName !== undefined && findTemplateByName(templates, templateName)
  return {
    ...(template && templateValues(template)),
    ...typedValues,
    // A user who types a color wants a QR code.
    qr_code_enabled: typedChoice ?? (typedColor !== undefined || qr.enabled),
    ...(color && { qr_code_color: color }),
  }
}

export function completeDraft(
  typed: Draft,
  settings: Settings,
  capabilities: Capabilities | undefined,
): Draft {
  const completed = applyDefaults(typed, settings)
  const draft = { ...completed, ...applyNaming(completed, settings.naming) }
  // A template can have tags from before the workspace was connected to a service without tags.
  const hasTags = capabilities?.fields.includes('tags') ?? true
  if (!hasTags && typed.tags === undefined) delete draft.tags
  return draft
}

export function templateValues({ values, tags }: UtmTemplate): Draft {
  return { ...filledUtm(values), ...(tags && { tags }) }
}

export function findDomain(nameOrHost: string | undefined, domains: readonly DomainRecord[]) {
  return domains.find(
    ({ name, domain_name: host }) =>
      name === nameOrHost || host.toLowerCase() === nameOrHost?.toLowerCase(),
  )
}

export function templateIssues(
  { template: name }: Draft,
  { templates }: Pick<Settings, 'templates'>,
): FieldError[] {
  if (name === undefined || findTemplateByName(templates, name)) return []
  const names = orList(templates.map((template) => template.name))
  const advice = names
    ? `Use ${names}.`
    : `This workspace has none yet. An admin can add some with ${COMMAND} settings.`
  const message = `There is no template “${cutValue(name)}”. ${advice}`
  return [{ field: 'template', message }]
}

export function isFilled(draft: Draft, group: (typeof IMPLIED_GROUPS)[number]): boolean {
  return GROUP_FIELDS[group].some((name) => draft[name])
}
