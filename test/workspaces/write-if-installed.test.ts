import { expect, test } from 'vitest'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { createMadeLinks } from '../../src/workspaces/made-links.ts'
import { createRecentUtm } from '../../src/workspaces/recent-utm.ts'
import { createSettingsStore, DEFAULT_SETTINGS } from '../../src/workspaces/settings.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const LINK = { shortUrl: 'https://go.example.com/one', destinationUrl: 'https://example.com/' }

describeOnEveryDatabase((opened) => {
  /** What a request that is under way in a workspace may still write, as who reads it finds it. */
  const everything = (installedByOAuth: boolean) => {
    const keeping = { ...opened, installedByOAuth }
    const madeLinks = createMadeLinks(keeping)
    const recentUtm = createRecentUtm(keeping)
    const settings = createSettingsStore(keeping)
    return {
      write: (id: string) =>
        Promise.allSettled([
          madeLinks.remember(id, LINK),
          recentUtm.save(id, 'U_ANA', { utm_source: 'newsletter' }),
          settings.update(id, 'U_ANA', (now) => ({ ...now, mayShorten: 'not_guests' })),
        ]),
      read: async (id: string) => [
        (await madeLinks.find(id, LINK.shortUrl))?.destinationUrl,
        await recentUtm.read(id, 'U_ANA'),
        (await settings.read(id)).mayShorten,
      ],
    }
  }
  const WRITTEN = [LINK.destinationUrl, { utm_source: 'newsletter' }, 'not_guests']
  const NOTHING = [undefined, undefined, DEFAULT_SETTINGS.mayShorten]

  async function install(id: string): Promise<void> {
    const installation = { sealed: Buffer.from('x'), installed_by: null, installed_at: 1 }
    await opened.database.db
      .insertInto('installations')
      .values({ workspace_id: id, ...installation })
      .execute()
  }

  test('what is under way while the app is taken out leaves nothing behind', async () => {
    const { write, read } = everything(true)
    await install('T_LEAVES')
    await write('T_LEAVES')
    expect(await read('T_LEAVES')).toEqual(WRITTEN)
    await Promise.all([
      write('T_LEAVES'),
      forgetWorkspace(opened.database, 'T_LEAVES'),
      write('T_LEAVES'),
    ])
    expect(await read('T_LEAVES')).toEqual(NOTHING)
  })

  test('settings that can’t be kept any more are not reported as saved', async () => {
    const [, , saved] = await everything(true).write('T_NEVER')
    expect(saved).toMatchObject({ status: 'rejected' })
    expect(await everything(true).read('T_NEVER')).toEqual(NOTHING)
  })

  test('with one bot token there is no installation to ask for', async () => {
    const { write, read } = everything(false)
    await write('T_SINGLE')
    expect(await read('T_SINGLE')).toEqual(WRITTEN)
  })
})
