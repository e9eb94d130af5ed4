import type { KnownBlock, ModalView } from '@slack/types'
import type { UtmTemplate } from '../../../workspaces/settings.ts'
import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../../ids.ts'
import { button, context, option, plain, section } from '../../block-kit/elements.ts'
import { namedUtm } from '../field-labels.ts'
import { LIMITS, SETTINGS_LIMITS } from '../limits.ts'
import { bold, escape } from '../mrkdwn.ts'

/** Characters of a value that the list shows. */
const VALUE_SHOWN = 80

export interface ListedTemplate extends UtmTemplate {
  /** Names it in its block_id. */
  key: string
  /** Whether its values are such as the naming rules don't allow. */
  isBroken: boolean
}

/** The workspace's UTM templates, each with a menu. */
export function templatesModal(templates: readonly ListedTemplate[]): ModalView {
  const full = templates.length >= SETTINGS_LIMITS.templates
  return {
    type: 'modal',
    callback_id: VIEWS.settingsTemplates,
    title: plain('UTM templates', LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: [
      section(
        templates.length > 0
          ? 'Whoever makes a link can fill in its UTM parameters with one of these.'
          : 'There are no templates yet. A template fills in the UTM parameters that your links share, so that everybody writes them alike.',
      ),
      full
        ? context(
            `That is as many as Backhalf keeps (${SETTINGS_LIMITS.templates}). Delete one to make room for another.`,
          )
        : {
            type: 'actions',
            elements: [button('Add a template', ACTIONS.addTemplate, { style: 'primary' })],
          },
      ...templates.map(templateBlock),
    ],
  }
}

function templateBlock({ name: template, values, key, isBroken }: ListedTemplate): KnownBlock {
  const shown = namedUtm(values).map(({ name, value }) => `${name}: ${escape(value, VALUE_SHOWN)}`)
  const warning = isBroken ? '\n:warning: Not what the naming rules allow: please edit it.' : ''
  return {
    ...section(`${bold(template)}\n${shown.join('  ·  ')}${warning}`),
    block_id: `${TEMPLATE_BLOCK_PREFIX}${key}`,
    accessory: {
      type: 'overflow',
      action_id: ACTIONS.templateMenu,
      options: [option('Edit', TEMPLATE_MENU.edit), option('Delete…', TEMPLATE_MENU.delete)],
    },
  }
}
