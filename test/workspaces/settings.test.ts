import { expect, test } from 'vitest'
import {
  createSettingsStore,
  DEFAULT_SETTINGS,
  type Settings,
} from '../../src/workspaces/settings.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const SETTINGS: Settings = {
  qr: { enabled: false, color: '#1F4F46' },
  templates: [{ name: 'Newsletter', values: { utm_source: 'newsletter', utm_medium: 'email' } }],
  naming: { lowerCase: true, spaces: '-', sources: ['newsletter'], mediums: ['email'] },
  mayShorten: 'not_guests',
}

describeOnEveryDatabase((opened) => {
  test('a workspace that decided nothing has the usual settings', async () => {
    const store = createSettingsStore(opened)
    expect(await store.read('T_NEW')).toEqual(DEFAULT_SETTINGS)
  })

  test('what was saved last is read, for each workspace apart', async () => {
    const store = createSettingsStore(opened)
    await store.update('T_ONE', 'U_ADMIN', () => DEFAULT_SETTINGS)
    expect(await store.update('T_ONE', 'U_ADMIN', () => SETTINGS)).toEqual(SETTINGS)
    await store.update('T_OTHER', 'U_ADMIN', () => ({ ...SETTINGS, templates: [] }))
    expect(await store.read('T_ONE')).toEqual(SETTINGS)
  })

  test('of many changes at once none is lost, also not of the first', async () => {
    const store = createSettingsStore(opened)
    const names = Array.from({ length: 20 }, (_, index) => `Template ${index}`)
    await Promise.all(
      names.map((name) =>
        store.update('T_BUSY', 'U_ADMIN', (now) => ({
          ...now,
          templates: [...now.templates, { name, values: {} }],
        })),
      ),
    )
    const { templates } = await store.read('T_BUSY')
    expect(templates.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  test('a change that fails leaves everything as it was', async () => {
    const store = createSettingsStore(opened)
    await store.update('T_FAILS', 'U_ADMIN', () => SETTINGS)
    const failing = store.update('T_FAILS', 'U_ADMIN', () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.read('T_FAILS')).toEqual(SETTINGS)
  })
})
