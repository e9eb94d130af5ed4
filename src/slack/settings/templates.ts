import type { KnownBlock } from '@slack/types'
import { LINK_FIELDS, UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { parseTags, tagsError } from '../../contract/tags.ts'
import {
  SETTINGS_LIMITS,
  type NamingRules,
  type Settings,
  type UtmTemplate,
} from '../../workspaces/settings.ts'
import {
  applyNaming,
  disallowedValues,
  findTemplateByKey,
  findTemplateByName,
  templateKey,
} from '../../workspaces/utm.ts'
import { actions, button, context, option, present, section } from '../block-kit/elements.ts'
import { FIELD_LABELS, UTM_NAMES } from '../block-kit/fields.ts'
import { formModal, textInput } from '../block-kit/inputs.ts'
import { bold, escape } from '../block-kit/mrkdwn.ts'
import { noticeModal, readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import {
  errorsAt,
  namingError,
  SlackInputError,
  type FieldError,
} from '../platform/field-errors.ts'
import { typedText, inputValue, type FormValues } from '../platform/form-values.ts'
import { namingText } from './naming-form.ts'
import type { SettingsForm } from './settings-form.ts'

export const templateForm: SettingsForm = {
  async build({ linkService, settings }, workspace, key = '') {
    const { templates, naming } = await settings.read(workspace.id)
    const { fields } = await linkService.capabilities(workspace)
    const template = findTemplateByKey(templates, key)
    const rules = namingText(naming)
    const { example: tagsExample, hint } = LINK_FIELDS.tags
    return formModal({
      callbackId: VIEWS.settingsTemplate,
      title: template ? 'Edit UTM template' : 'New UTM template',
      close: 'Back',
      metadata: template ? key : '',
      notice:
        key && !template ? ['This template was deleted or renamed. You can write a new one.'] : [],
      blocks: present([
        textInput('template_name', template?.name, {
          max_length: SETTINGS_LIMITS.templateName,
          focus_on_load: true,
          placeholder: 'Newsletter',
          optional: false,
          hint: 'Users choose the template by this name.',
        }),
        ...UTM_PARAMETERS.map((field) => {
          const { example: placeholder, maxLength: max_length } = LINK_FIELDS[field]
          return textInput(field, template?.values[field], { max_length, placeholder })
        }),
        fields.includes('tags') &&
          textInput('tags', template?.tags, { placeholder: tagsExample, hint }),
        rules && context(`This workspace’s naming rules apply: ${rules}.`),
      ]),
    })
  },
  async save({ settings }, { workspace, key }, values, userId) {
    const typed = readTemplate(values)
    await settings.update(workspace.id, userId, (current) => withTemplate(current, key, typed))
  },
}

export const deleteTemplateForm: SettingsForm = {
  async build({ settings }, workspace, key = '') {
    const title = 'Delete UTM template'
    const { templates } = await settings.read(workspace.id)
    const template = findTemplateByKey(templates, key)
    if (!template) {
      return noticeModal(title, 'This template has already been deleted or renamed.')
    }
    return formModal({
      callbackId: VIEWS.settingsDeleteTemplate,
      title,
      submit: 'Delete',
      metadata: key,
      blocks: [
        section(
          `Delete the template ${bold(template.name)}? Links that were created with it stay as they are.`,
        ),
      ],
    })
  },
  async save({ settings }, { workspace, key }, _values, userId) {
    await settings.update(workspace.id, userId, (current) => {
      const deleted = findTemplateByKey(current.templates, key)
      return { ...current, templates: current.templates.filter((other) => other !== deleted) }
    })
  },
}

/**
 * Replaces the template with this key. If the key is empty, or if another admin has deleted or renamed the template
 * meanwhile, adds a template instead, so that nothing typed is lost.
 */
function withTemplate(settings: Settings, key: string, typed: UtmTemplate): Settings {
  const { templates, naming } = settings
  const replaced = findTemplateByKey(templates, key)
  const others = templates.filter((other) => other !== replaced)
  // Without tags at the link service, the form has no field for them, and the template keeps the tags that it has.
  const template = checkTemplate({ tags: replaced?.tags, ...typed }, naming, others)
  const changed = replaced
    ? templates.map((other) => (other === replaced ? template : other))
    : [...templates, template]
  return { ...settings, templates: changed }
}

function readTemplate(values: FormValues): UtmTemplate {
  return {
    name: typedText(values, 'template_name'),
    values: Object.fromEntries(UTM_PARAMETERS.map((field) => [field, typedText(values, field)])),
    ...(inputValue(values, 'tags') && { tags: typedText(values, 'tags') }),
  }
}

function checkTemplate(typed: UtmTemplate, rules: NamingRules, others: readonly UtmTemplate[]) {
  const name = typed.name.replace(/\s+/g, ' ')
  const values = applyNaming(typed.values, rules)
  const { tags = '' } = typed
  const { templates: maxTemplates } = SETTINGS_LIMITS
  const issues: FieldError[] = [
    ...errorsAt('template_name', nameError(name, others)),
    ...disallowedValues(values, rules).map(namingError),
    ...errorsAt('tags', tagsError(tags)),
  ]
  if (Object.keys(values).length === 0 && !tags) {
    const orTag = typed.tags === undefined ? '' : ' or tag'
    issues.push({ field: 'utm_source', message: `Fill in at least one UTM parameter${orTag}.` })
  }
  if (others.length >= maxTemplates) {
    const message = `There are already ${others.length} templates, which is the maximum. Delete one first.`
    issues.push({ field: 'template_name', message })
  }
  if (issues.length > 0) throw new SlackInputError(issues)
  return { name, values, ...(tags && { tags: parseTags(tags).join(', ') }) }
}

function nameError(name: string, others: readonly UtmTemplate[]): string | undefined {
  if (name === '') return 'Enter a name for the template.'
  const same = findTemplateByName(others, name)
  return same && `There is already a template “${same.name}”. Choose another name.`
}

const MAX_VALUE_LENGTH = 80

export const buildTemplates: SettingsForm['build'] = async ({ settings }, workspace) => {
  const { templates, naming } = await settings.read(workspace.id)
  const { templates: max } = SETTINGS_LIMITS
  return readOnlyModal(
    'UTM templates',
    [
      section(
        templates.length > 0
          ? 'Users can choose one of these in the form, and its values are filled in.'
          : 'There are no templates yet. A template fills in what many links have in common, such as UTM parameters, so that everyone uses the same spelling.',
      ),
      ...(templates.length >= max
        ? [context(`This is the maximum of ${max} templates. Delete one to make room.`)]
        : actions([button('Add a template', ACTIONS.addTemplate, { style: 'primary' })])),
      ...templates.map((template) => templateBlock(template, naming)),
    ],
    { callbackId: VIEWS.settingsTemplates, close: 'Back' },
  )
}

function templateBlock({ name, values, tags }: UtmTemplate, rules: NamingRules): KnownBlock {
  const shown = UTM_PARAMETERS.flatMap((parameter) => {
    const value = values[parameter]
    return value ? [`${UTM_NAMES[parameter]}: ${escape(value, MAX_VALUE_LENGTH)}`] : []
  })
  if (tags) shown.push(`${FIELD_LABELS.tags.toLowerCase()}: ${escape(tags, MAX_VALUE_LENGTH)}`)
  const warning =
    disallowedValues(values, rules).length > 0
      ? '\n:warning: The naming rules don’t allow these values. Please edit them.'
      : ''
  return section(
    `${bold(name)}\n${shown.join('  ·  ')}${warning}`,
    {
      type: 'overflow',
      action_id: ACTIONS.templateMenu,
      options: [option('Edit', TEMPLATE_MENU.edit), option('Delete…', TEMPLATE_MENU.delete)],
    },
    `${TEMPLATE_BLOCK_PREFIX}${templateKey(name)}`,
  )
}
