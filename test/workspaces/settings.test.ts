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
    await store.save('T_ONE', DEFAULT_SETTINGS, 'U_ADMIN')
    await store.save('T_ONE', SETTINGS, 'U_ADMIN')
    await store.save('T_OTHER', { ...SETTINGS, templates: [] }, 'U_ADMIN')
    expect(await store.read('T_ONE')).toEqual(SETTINGS)
  })
})
