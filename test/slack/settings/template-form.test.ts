import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../src/database/database.ts'
import { SlackInputError } from '../../../src/slack/input/slack-input-error.ts'
import { templateKey } from '../../../src/slack/settings/template-key.ts'
import {
  createDeleteTemplateForm,
  createTemplateForm,
} from '../../../src/slack/settings/template-forms.ts'
import {
  createSettingsStore,
  DEFAULT_SETTINGS,
  type SettingsStore,
} from '../../../src/workspaces/settings.ts'

const workspace = { id: 'T1' }
const ONE = { name: 'One', values: { utm_source: 'one' } }
const TWO = { name: 'Two', values: { utm_source: 'two' } }

let database: Database
let settings: SettingsStore

beforeAll(async () => {
  database = await openDatabase('file::memory:')
  settings = createSettingsStore({ database })
})
beforeEach(async () => {
  await settings.update('T1', 'U1', () => ({ ...DEFAULT_SETTINGS, templates: [ONE, TWO] }))
})
afterAll(() => database.close())

/** What the form holds, as Slack sends it. */
function typed(name: string, source: string) {
  const value = (text: string) => ({ input: { type: 'plain_text_input', value: text } })
  return { template_name: value(name), utm_source: value(source) }
}

const save = (editing: string, name: string, source: string) =>
  createTemplateForm(settings).save(
    { workspace, key: editing && templateKey(editing) },
    typed(name, source),
    'U1',
  )

const templates = async () => (await settings.read('T1')).templates

test('an edited template stays where it stands', async () => {
  await save('One', 'Renamed', 'new')
  expect(await templates()).toEqual([{ name: 'Renamed', values: { utm_source: 'new' } }, TWO])
})

test('a new template stands last', async () => {
  await save('', 'Three', 'three')
  expect(await templates()).toEqual([ONE, TWO, { name: 'Three', values: { utm_source: 'three' } }])
})

test('a template that somebody deleted while it was edited is added again', async () => {
  await createDeleteTemplateForm(settings).save({ workspace, key: templateKey('One') }, {}, 'U2')
  await save('One', 'One', 'edited')
  expect(await templates()).toEqual([TWO, { name: 'One', values: { utm_source: 'edited' } }])
})

test('a template that is gone already can be deleted again', async () => {
  const form = createDeleteTemplateForm(settings)
  await form.save({ workspace, key: templateKey('One') }, {}, 'U1')
  await form.save({ workspace, key: templateKey('One') }, {}, 'U1')
  expect(await templates()).toEqual([TWO])
})

test('whoever opens a template that is gone is told so', async () => {
  const gone = { workspace, key: templateKey('Gone') }
  const form = await createTemplateForm(settings).draw(gone)
  expect(JSON.stringify(form.blocks)).toContain('deleted or renamed')
  expect(form.private_metadata).toBe('')
  const question = await createDeleteTemplateForm(settings).draw(gone)
  expect(JSON.stringify(question.blocks)).toContain('deleted or renamed')
  expect(question.submit).toBeUndefined()
})

test('of two admins who save at once, one a template and one the naming rules, both are kept', async () => {
  const naming = { ...DEFAULT_SETTINGS.naming, lowerCase: true }
  await Promise.all([
    save('', 'Three', 'three'),
    settings.update('T1', 'U2', (now) => ({ ...now, naming })),
    save('', 'Four', 'four'),
  ])
  const kept = await settings.read('T1')
  expect(kept.naming).toEqual(naming)
  expect(kept.templates.map(({ name }) => name).sort()).toEqual(['Four', 'One', 'Three', 'Two'])
})

test('a name that people would take for another’s is refused, also in another script’s width', async () => {
  for (const name of ['two', ' TWO ', 'Ｔｗｏ']) {
    await expect(save('One', name, 'x')).rejects.toThrow('There is a template “Two” already.')
  }
  expect(await templates()).toEqual([ONE, TWO])
})

test('there are at most 50 templates', async () => {
  const fifty = Array.from({ length: 50 }, (_, at) => ({ name: `${at}`, values: ONE.values }))
  await settings.update('T1', 'U1', (now) => ({ ...now, templates: fifty }))
  await expect(save('', 'One more', 'x')).rejects.toThrow(SlackInputError)
  await save('49', 'Renamed', 'x')
  expect(await templates()).toHaveLength(50)
})

test('a form that is drawn again holds what was typed', async () => {
  const form = createTemplateForm(settings)
  const view = await form.redraw({ workspace, key: templateKey('One') }, typed('Ne<w', 'x'), [
    'Not saved.',
  ])
  expect(view.private_metadata).toBe(templateKey('One'))
  expect(JSON.stringify(view.blocks)).toContain('"initial_value":"Ne<w"')
  expect(JSON.stringify(view.blocks)).toContain(':warning: Not saved.')
})
