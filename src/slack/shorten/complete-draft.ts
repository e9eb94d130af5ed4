import { GROUP_FIELDS } from '../../contract/link-fields.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import type { Settings, UtmTemplate } from '../../workspaces/settings.ts'
import { applyNaming, filledUtm, isSameTemplateName } from '../../workspaces/utm.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import { MAX_SHOWN_VALUE, orList, type FieldError } from '../platform/field-errors.ts'
import { type IMPLIED_GROUPS, type Draft } from './draft.ts'

export interface CompletedDraft extends Omit<Draft, 'template'> {
  qr_code_enabled: boolean
}

/** If the user typed a color, the link gets a QR code. */
export function applyDefaults(draft: Draft, { qr, templates }: Settings): CompletedDraft {
  const { template: name, ...typed } = draft
  const color = typed.qr_code_color ?? qr.color
  const template = name !== undefined && findTemplate(name, templates)
  return {
    ...(template && templateValues(template)),
    ...typed,
    qr_code_enabled: typed.qr_code_enabled ?? (typed.qr_code_color !== undefined || qr.enabled),
    ...(color && { qr_code_color: color }),
  }
}

export function completeDraft(
  typed: Draft,
  settings: Settings,
  capabilities: Capabilities | undefined,
): CompletedDraft {
  const completed = applyDefaults(typed, settings)
  const draft = { ...completed, ...applyNaming(completed, settings.naming) }
  // A template can have tags from before the workspace was connected to a service without tags.
  const mayHaveTags = typed.tags !== undefined || !capabilities
  if (!mayHaveTags && !capabilities.fields.includes('tags')) delete draft.tags
  return draft
}

export function templateValues({ values, tags }: UtmTemplate): Draft {
  return { ...filledUtm(values), ...(tags && { tags }) }
}

function findTemplate(name: string, templates: readonly UtmTemplate[]): UtmTemplate | undefined {
  return templates.find((template) => isSameTemplateName(template.name, name))
}

export function templateIssues(
  { template: name }: Draft,
  { templates }: Pick<Settings, 'templates'>,
): FieldError[] {
  if (name === undefined || findTemplate(name, templates)) return []
  const advice =
    templates.length > 0
      ? `Use ${orList(templates.map((template) => template.name))}.`
      : `This workspace has none yet. An admin can add some with ${COMMAND} settings.`
  const message = `There is no template “${cut(name, MAX_SHOWN_VALUE)}”. ${advice}`
  return [{ field: 'template', message }]
}

export function isFilled(draft: Draft, group: (typeof IMPLIED_GROUPS)[number]): boolean {
  return GROUP_FIELDS[group].some((name) => draft[name])
}
