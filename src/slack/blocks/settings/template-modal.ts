import type { ModalView, PlainTextInput } from '@slack/types'
import type { UtmParameter } from '../../../contract/create-request.ts'
import type { NamingRules, UtmTemplate } from '../../../workspaces/settings.ts'
import { SETTINGS_BLOCKS, VIEWS } from '../../ids.ts'
import { context, input, plain, section } from '../../block-kit/elements.ts'
import { FIELD_LABELS } from '../field-labels.ts'
import { SETTINGS_LIMITS } from '../limits.ts'
import { bold } from '../mrkdwn.ts'
import { formModal, type FormFrame } from './form-modal.ts'
import { namingInWords } from './words.ts'

/** As it was typed. */
export interface TemplateForm extends FormFrame {
  /** The key of the template that is edited; empty for a new one. */
  editing: string
  name: string
  values: UtmTemplate['values']
  /** The rules that its values are held against. */
  rules: NamingRules
}

const PLACEHOLDERS: [UtmParameter, string][] = [
  ['utm_source', 'newsletter'],
  ['utm_medium', 'email'],
  ['utm_campaign', 'spring-sale'],
  ['utm_term', ''],
  ['utm_content', ''],
  ['utm_id', ''],
]

/** Where a UTM template is written. */
export function templateModal({ editing, name, values, rules, notice }: TemplateForm): ModalView {
  const inWords = namingInWords(rules)
  return formModal({
    callbackId: VIEWS.settingsTemplate,
    title: editing ? 'Edit UTM template' : 'New UTM template',
    metadata: editing,
    notice,
    blocks: [
      input<PlainTextInput>(
        SETTINGS_BLOCKS.templateName,
        FIELD_LABELS.template_name,
        {
          type: 'plain_text_input',
          max_length: SETTINGS_LIMITS.templateName,
          focus_on_load: true,
          ...(name && { initial_value: name }),
          placeholder: plain('Newsletter', 150),
        },
        { optional: false, hint: 'People choose the template by it.' },
      ),
      ...PLACEHOLDERS.map(([field, placeholder]) => {
        const value = values[field]
        return input<PlainTextInput>(field, FIELD_LABELS[field], {
          type: 'plain_text_input',
          max_length: SETTINGS_LIMITS.utmValue,
          ...(value && { initial_value: value }),
          ...(placeholder && { placeholder: plain(placeholder, 150) }),
        })
      }),
      ...(inWords ? [context(`This workspace’s naming rules apply: ${inWords}.`)] : []),
    ],
  })
}

/** Asks before a template goes. */
export function deleteTemplateModal({
  key,
  name,
  notice,
}: FormFrame & { key: string; name: string }): ModalView {
  return formModal({
    callbackId: VIEWS.settingsDeleteTemplate,
    title: 'Delete UTM template',
    submit: 'Delete',
    close: 'Cancel',
    metadata: key,
    notice,
    blocks: [
      section(
        `Delete the template ${bold(name)}? Links that were made with it keep their UTM parameters; nobody can choose it any more.`,
      ),
    ],
  })
}
