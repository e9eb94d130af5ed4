import type { KnownBlock, ModalView } from '@slack/types'
import type { UtmTemplate } from '../../../workspaces/settings.ts'
import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../../ids.ts'
import { button, context, option, plain, section } from '../elements.ts'
import { LIMITS, SETTINGS_LIMITS } from '../limits.ts'
import { bold, escape } from '../mrkdwn.ts'

/** Characters of a value that the list shows. */
const VALUE_SHOWN = 80

export interface TemplatesView {
  templates: readonly UtmTemplate[]
  /** Names of those whose values the naming rules don't allow. */
  broken: ReadonlySet<string>
}

/** The workspace's UTM templates, each with a menu. */
export function templatesModal({ templates, broken }: TemplatesView): ModalView {
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
      ...templates.map((template) => templateBlock(template, broken.has(template.name))),
    ],
  }
}

function templateBlock({ name, values }: UtmTemplate, isBroken: boolean): KnownBlock {
  const shown = Object.entries(values).flatMap(([field, value]) =>
    value ? [`${field.slice('utm_'.length)}: ${escape(value, VALUE_SHOWN)}`] : [],
  )
  const warning = isBroken ? '\n:warning: Not what the naming rules allow: please edit it.' : ''
  return {
    ...section(`${bold(name)}\n${shown.join('  ·  ')}${warning}`),
    block_id: `${TEMPLATE_BLOCK_PREFIX}${name}`,
    accessory: {
      type: 'overflow',
      action_id: ACTIONS.templateMenu,
      options: [option('Edit', TEMPLATE_MENU.edit), option('Delete…', TEMPLATE_MENU.delete)],
    },
  }
}
