import { expect, test } from 'vitest'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { createCreatedLinkStore } from '../../src/workspaces/created-links.ts'
import {
  createRecentUtm,
  createSettingsStore,
  DEFAULT_SETTINGS,
} from '../../src/workspaces/settings.ts'
import { describeOnDatabase } from '../support/databases.ts'
import { insert } from '../support/rows.ts'

const SHORT_URL = 'https://go.example.com/one'
const LINK = { shortlink_url: SHORT_URL, name: 'lnk_1', destination_url: 'https://example.com/' }

describeOnDatabase((opened) => {
  /** Everything that a request in flight might still write, and how it is read back. */
  const stores = (installedByOAuth: boolean) => {
    const options = { ...opened, installedByOAuth }
    const createdLinks = createCreatedLinkStore(options)
    const recentUtm = createRecentUtm(options)
    const settings = createSettingsStore(options)
    return {
      write: (id: string) =>
        Promise.allSettled([
          createdLinks.add(id, LINK),
          recentUtm.save(id, 'U_ANA', { utm_source: 'newsletter' }),
          settings.update(id, 'U_ANA', (current) => ({ ...current, mayShorten: 'not_guests' })),
        ]),
      read: async (id: string) => [
        (await createdLinks.find(id, LINK.shortlink_url))?.destination_url,
        await recentUtm.read(id, 'U_ANA'),
        (await settings.read(id)).mayShorten,
      ],
    }
  }
  const WRITTEN = [LINK.destination_url, { utm_source: 'newsletter' }, 'not_guests']
  const NOTHING = [undefined, undefined, DEFAULT_SETTINGS.mayShorten]

  function install(workspace_id: string): Promise<void> {
    const installation = { sealed: Buffer.from('x'), installed_by: null, installed_at: 1 }
    return insert(opened.database, 'installations', { workspace_id, ...installation })
  }

  test('leaves nothing behind of writes in flight while the app is uninstalled', async () => {
    const { write, read } = stores(true)
    await install('T_LEAVES')
    await write('T_LEAVES')
    expect(await read('T_LEAVES')).toEqual(WRITTEN)
    const forgotten = [write('T_LEAVES'), forgetWorkspace(opened.database, 'T_LEAVES')]
    await Promise.all([...forgotten, write('T_LEAVES')])
    expect(await read('T_LEAVES')).toEqual(NOTHING)
  })

  test('stores only the links of workspaces that still have the app, although others are stored with them', async () => {
    const createdLinks = createCreatedLinkStore({ ...opened, installedByOAuth: true })
    await install('T_HERE')
    await Promise.all(['T_HERE', 'T_GONE', 'T_HERE'].map((id) => createdLinks.add(id, LINK)))
    expect(await createdLinks.find('T_HERE', LINK.shortlink_url)).toBeDefined()
    expect(await createdLinks.find('T_GONE', LINK.shortlink_url)).toBeUndefined()
  })

  test('reports an error if settings can’t be saved anymore', async () => {
    const [, , saved] = await stores(true).write('T_NEVER')
    expect(saved).toMatchObject({ status: 'rejected' })
    expect(await stores(true).read('T_NEVER')).toEqual(NOTHING)
  })

  test('needs no installation if one bot token is configured', async () => {
    const { write, read } = stores(false)
    await write('T_SINGLE')
    expect(await read('T_SINGLE')).toEqual(WRITTEN)
  })
})
