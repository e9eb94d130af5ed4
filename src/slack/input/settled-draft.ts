import type { Settings, UtmTemplate } from '../../workspaces/settings.ts'
import { cut } from '../blocks/limits.ts'
import { COMMAND } from '../ids.ts'
import { utmOf, type Draft } from './draft.ts'
import type { UtmValues } from './naming-rules.ts'
import { oneOf } from './one-of.ts'
import { SlackInputError } from './slack-input-error.ts'
import { isSameName } from './template-name.ts'

/** A draft in which the workspace's settings have decided what the person left open. */
export interface SettledDraft extends Omit<Draft, 'template'> {
  qr_code_enabled: boolean
}

/**
 * Fills in a draft from the workspace's settings: the values of its UTM template, where none were
 * typed, and whether there is a QR code, in which colour. A colour that was typed asks for one.
 *
 * @throws SlackInputError for a template that isn't there
 */
export function settleDraft(draft: Draft, { qr, templates }: Settings): SettledDraft {
  const { template, ...typed } = draft
  const color = typed.qr_code_color ?? qr.color
  return {
    ...(template !== undefined && templateValues(template, templates)),
    ...typed,
    qr_code_enabled: typed.qr_code_enabled ?? (typed.qr_code_color !== undefined || qr.enabled),
    ...(color && { qr_code_color: color }),
  }
}

function templateValues(name: string, templates: readonly UtmTemplate[]): UtmValues {
  const found = templates.find((one) => isSameName(one.name, name))
  if (found) return utmOf(found.values)
  throw new SlackInputError([
    {
      field: 'template',
      message: `There is no template “${cut(name, 80)}”. ${
        templates.length > 0
          ? `Use ${oneOf(templates.map((one) => one.name))}.`
          : `This workspace has none yet; an admin can add some with ${COMMAND} settings.`
      }`,
    },
  ])
}
