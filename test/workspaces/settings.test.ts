import { expect, test } from 'vitest'
import {
  createRecentUtm,
  createSettingsStore,
  DEFAULT_SETTINGS,
  type Settings,
} from '../../src/workspaces/settings.ts'
import { describeOnDatabase } from '../support/databases.ts'

const SETTINGS: Settings = {
  qr: { enabled: false, color: '#1F4F46' },
  templates: [{ name: 'Newsletter', values: { utm_source: 'newsletter', utm_medium: 'email' } }],
  naming: { lowerCase: true, spaces: '-', sources: ['newsletter'], mediums: ['email'] },
  mayShorten: 'not_guests',
  mayChange: 'everyone',
}

describeOnDatabase((opened) => {
  test('returns the settings that each workspace saved last, or the default settings', async () => {
    const store = createSettingsStore(opened)
    expect(await store.read('T_ONE')).toEqual(DEFAULT_SETTINGS)
    await store.update('T_ONE', 'U_ADMIN', () => DEFAULT_SETTINGS)
    expect(await store.update('T_ONE', 'U_ADMIN', () => SETTINGS)).toEqual(SETTINGS)
    await store.update('T_OTHER', 'U_ADMIN', () => ({ ...SETTINGS, templates: [] }))
    expect(await store.read('T_ONE')).toEqual(SETTINGS)
  })

  test('loses none of many simultaneous changes, not even the very first', async () => {
    const store = createSettingsStore(opened)
    const names = Array.from({ length: 20 }, (_, index) => `Template ${index}`)
    await Promise.all(
      names.map((name) =>
        store.update('T_BUSY', 'U_ADMIN', (current) => ({
          ...current,
          templates: [...current.templates, { name, values: {} }],
        })),
      ),
    )
    const { templates } = await store.read('T_BUSY')
    expect(templates.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  test('changes nothing if the change throws', async () => {
    const store = createSettingsStore(opened)
    await store.update('T_FAILS', 'U_ADMIN', () => SETTINGS)
    const failing = store.update('T_FAILS', 'U_ADMIN', () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.read('T_FAILS')).toEqual(SETTINGS)
  })

  test('stores the latest UTM values of each user in each workspace', async () => {
    const recent = createRecentUtm(opened)
    expect(await recent.read('T_ONE', 'U_ANA')).toBeUndefined()
    await recent.save('T_ONE', 'U_ANA', { utm_source: 'newsletter', utm_medium: 'email' })
    await recent.save('T_ONE', 'U_ANA', { utm_source: 'poster' })
    await recent.save('T_ONE', 'U_BEN', { utm_source: 'of ben' })
    await recent.save('T_OTHER', 'U_ANA', { utm_source: 'elsewhere' })
    expect(await recent.read('T_ONE', 'U_ANA')).toEqual({ utm_source: 'poster' })
  })
})
