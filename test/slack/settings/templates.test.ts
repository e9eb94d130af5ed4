import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import type { SettingsPlatform } from '../../../src/slack/settings/settings-form.ts'
import { deleteTemplateForm, templateForm } from '../../../src/slack/settings/templates.ts'
import {
  createSettingsStore,
  DEFAULT_SETTINGS,
  type SettingsStore,
} from '../../../src/workspaces/settings.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { NO_LINK_SERVICE } from '../../support/platform.ts'
import { settingsPlatform } from './settings-platform.ts'

const workspace = { id: 'T1' }
const linkService = { ...NO_LINK_SERVICE, capabilities: async () => ALL_OFFERS }
const ONE = { name: 'One', values: { utm_source: 'one' } }
const TWO = { name: 'Two', values: { utm_source: 'two' } }

let database: Database
let settings: SettingsStore
let platform: SettingsPlatform

beforeAll(async () => {
  database = await openTempDatabase()
  settings = createSettingsStore({ database })
  platform = settingsPlatform({ settings, linkService })
})
beforeEach(async () => {
  await settings.update('T1', 'U1', () => ({ ...DEFAULT_SETTINGS, templates: [ONE, TWO] }))
})
afterAll(() => database.close())

/** The form's values, as Slack sends them. */
function typed(name: string, source: string) {
  const value = (text: string) => ({ input: { type: 'plain_text_input', value: text } })
  return { template_name: value(name), utm_source: value(source) }
}

/** @param edited the name of the edited template; empty for a new one */
const save = (edited: string, name: string, source: string) =>
  templateForm.save(
    platform,
    { workspace, key: edited && templateKey(edited) },
    typed(name, source),
    'U1',
  )

const templates = async () => (await settings.read('T1')).templates

test('keeps the position of an edited template', async () => {
  await save('One', 'Renamed', 'new')
  expect(await templates()).toEqual([{ name: 'Renamed', values: { utm_source: 'new' } }, TWO])
})

test('adds a template again if another admin has deleted it meanwhile, at the end', async () => {
  await deleteTemplateForm.save(platform, { workspace, key: templateKey('One') }, {}, 'U2')
  await save('One', 'One', 'edited')
  expect(await templates()).toEqual([TWO, { name: 'One', values: { utm_source: 'edited' } }])
})

test('accepts the deletion of a template that has already been deleted', async () => {
  await deleteTemplateForm.save(platform, { workspace, key: templateKey('Gone') }, {}, 'U1')
  expect(await templates()).toEqual([ONE, TWO])
})

test('explains that a template was deleted if its form is opened', async () => {
  const deleted = templateKey('Gone')
  const form = await templateForm.build(platform, workspace, deleted)
  expect(JSON.stringify(form.blocks)).toContain(
    'This template was deleted or renamed. You can write a new one.',
  )
  expect(form.private_metadata).toBe('')
  const confirmation = await deleteTemplateForm.build(platform, workspace, deleted)
  expect(JSON.stringify(confirmation.blocks)).toContain(
    'This template has already been deleted or renamed.',
  )
  expect(confirmation.submit).toBeUndefined()
})

test('keeps both changes if one admin saves a template while another saves the naming rules', async () => {
  const naming = { ...DEFAULT_SETTINGS.naming, lowerCase: true }
  await Promise.all([
    save('', 'Three', 'three'),
    settings.update('T1', 'U2', (current) => ({ ...current, naming })),
    save('', 'Four', 'four'),
  ])
  const saved = await settings.read('T1')
  expect(saved.naming).toEqual(naming)
  expect(saved.templates.map(({ name }) => name).sort()).toEqual(['Four', 'One', 'Three', 'Two'])
})

test('refuses an empty template', async () => {
  await expect(save('', 'x', '')).rejects.toThrow('Fill in at least one UTM parameter.')
})

test('refuses a name that differs from another one only in case, spaces or width', async () => {
  for (const name of ['two', ' TWO ', 'Ｔｗｏ']) {
    await expect(save('One', name, 'x')).rejects.toThrow('There is already a template “Two”.')
  }
  expect(await templates()).toEqual([ONE, TWO])
})

test('allows at most 50 templates', async () => {
  const fifty = Array.from({ length: 50 }, (_, index) => ({ name: `${index}`, values: ONE.values }))
  await settings.update('T1', 'U1', (current) => ({ ...current, templates: fifty }))
  await expect(save('', 'One more', 'x')).rejects.toThrow(SlackInputError)
  await save('49', 'Renamed', 'x')
  expect(await templates()).toHaveLength(50)
})
