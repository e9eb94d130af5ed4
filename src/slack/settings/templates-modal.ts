import type { KnownBlock, ModalView } from '@slack/types'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { SETTINGS_LIMITS, type NamingRules, type UtmTemplate } from '../../workspaces/settings.ts'
import { templateKey } from '../../workspaces/utm.ts'
import { actions, button, context, option, plain, section } from '../block-kit/elements.ts'
import { UTM_NAMES } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { bold, escape } from '../block-kit/mrkdwn.ts'
import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import { disallowedTemplates } from './naming-form.ts'

/** How many characters of a value the list shows. */
const MAX_VALUE_LENGTH = 80

/** The workspace's UTM templates, each with a menu. */
export function templatesModal(templates: readonly UtmTemplate[], rules: NamingRules): ModalView {
  const { templates: max } = SETTINGS_LIMITS
  const disallowed = new Set(disallowedTemplates(templates, rules))
  return {
    type: 'modal',
    callback_id: VIEWS.settingsTemplates,
    title: plain('UTM templates', LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: [
      section(
        templates.length > 0
          ? 'Users can fill in the UTM parameters of a link with one of these.'
          : 'There are no templates yet. A template fills in UTM parameters that many links share, so that everyone writes them the same way.',
      ),
      ...(templates.length >= max
        ? [context(`This is the maximum of ${max} templates. Delete one to make room.`)]
        : actions([button('Add a template', ACTIONS.addTemplate, { style: 'primary' })])),
      ...templates.map((template) => templateBlock(template, disallowed.has(template))),
    ],
  }
}

function templateBlock({ name, values }: UtmTemplate, isDisallowed: boolean): KnownBlock {
  const shown = UTM_PARAMETERS.flatMap((parameter) => {
    const value = values[parameter]
    return value ? [`${UTM_NAMES[parameter]}: ${escape(value, MAX_VALUE_LENGTH)}`] : []
  })
  const warning = isDisallowed
    ? '\n:warning: The naming rules don’t allow these values. Please edit them.'
    : ''
  return {
    ...section(`${bold(name)}\n${shown.join('  ·  ')}${warning}`),
    block_id: `${TEMPLATE_BLOCK_PREFIX}${templateKey(name)}`,
    accessory: {
      type: 'overflow',
      action_id: ACTIONS.templateMenu,
      options: [option('Edit', TEMPLATE_MENU.edit), option('Delete…', TEMPLATE_MENU.delete)],
    },
  }
}
