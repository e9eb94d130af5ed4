import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { forgetPerson, forgetWorkspace } from '../../src/workspaces/forget.ts'
import {
  createInstallations,
  installationSecrets,
  type Installation,
} from '../../src/workspaces/installations.ts'
import { createKeyring, KeyringError } from '../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../src/workspaces/workspaces.ts'
import { describeOnDatabase } from '../support/databases.ts'

const KEY = randomBytes(32)
const keyring = createKeyring([KEY])
const TOKENS = { token: 'xoxe.xoxb-1', refreshToken: 'xoxe-1', expiresAt: 1_000 }
const NEW_TOKENS = { token: 'xoxe.xoxb-2', refreshToken: 'xoxe-2', expiresAt: 44_200 }
const INSTALLATION: Installation = {
  team: { id: 'T1', name: 'Acme' },
  isEnterpriseInstall: false,
  bot: { ...TOKENS, scopes: ['commands', 'chat:write'], id: 'B1', userId: 'U2' },
  appId: 'A1',
}
/** As Slack describes it. */
const NEW = { ...INSTALLATION, user: { id: 'U1' } }
const CREDENTIALS = { apiKey: 'bh_1', domains: [{ name: 'd', domain_name: 'go.example.com' }] }

describeOnDatabase((opened) => {
  let database: Database
  let now: number
  let installations: ReturnType<typeof createInstallations>
  beforeEach(async () => {
    now = 1_000
    database = opened.database
    installations = createInstallations({ database, keyring, now: () => now })
    await database.db.deleteFrom('installations').execute()
    await database.db.deleteFrom('workspace_connections').execute()
  })
  const rows = () => database.db.selectFrom('installations').selectAll().execute()

  test('stores an installation with its time and its user, but no user tokens, and replaces it', async () => {
    const user = { id: 'U1', token: 'xoxp-secret', scopes: ['identity.basic'] }
    const more = { enterprise: undefined, tokenType: 'bot', authVersion: 'v2' } as const
    await installations.save({ ...NEW, ...more, user })
    expect(await installations.find('T1')).toEqual(INSTALLATION)
    expect(await installations.find('T2')).toBeUndefined()
    const [row] = await rows()
    expect(row).toMatchObject({ installed_by: 'U1', installed_at: 1_000 })
    expect(Buffer.from(row?.sealed ?? []).includes('xox')).toBe(false)
    now = 2_000
    await installations.save({ ...NEW, user: { id: 'U9' } })
    expect(await rows()).toMatchObject([{ installed_by: 'U9', installed_at: 2_000 }])
  })

  test('refuses an installation without a bot token', async () => {
    await expect(installations.save({ ...NEW, bot: undefined })).rejects.toThrow()
    expect(await rows()).toEqual([])
  })

  test('erases who installed the app from what earlier versions encrypted', async () => {
    await installations.save(NEW)
    const context = 'installation of T1'
    const earlier = keyring.seal(Buffer.from(JSON.stringify(NEW)), context)
    await database.db.updateTable('installations').set({ sealed: earlier }).execute()
    await forgetPerson(database, keyring, 'T1', 'U1')
    const [row] = await rows()
    expect(row?.installed_by).toBeNull()
    expect(keyring.open(row?.sealed ?? Buffer.of(), context).toString()).not.toContain('U1')
    expect(await installations.find('T1')).toEqual(INSTALLATION)
    expect(row?.installed_at).toBe(1_000)
  })

  test('replaces spent tokens with refreshed ones and keeps the time of the installation', async () => {
    await installations.save(NEW)
    now = 9_000
    expect(await installations.renew('T1', 'xoxe-1', NEW_TOKENS)).toBe(true)
    const bot = { ...INSTALLATION.bot, ...NEW_TOKENS }
    expect(await installations.find('T1')).toEqual({ ...INSTALLATION, bot })
    expect(await rows()).toMatchObject([{ installed_at: 1_000 }])
  })

  test('stores no refreshed tokens after an uninstall, and none over a newer installation', async () => {
    const newer = { ...INSTALLATION, bot: { ...INSTALLATION.bot, refreshToken: 'xoxe-9' } }
    await installations.save(NEW)
    await installations.save({ ...NEW, ...newer })
    expect(await installations.renew('T1', 'xoxe-1', NEW_TOKENS)).toBe(false)
    expect(await installations.find('T1')).toMatchObject(newer)
    await forgetWorkspace(database, 'T1')
    expect(await installations.renew('T1', 'xoxe-9', NEW_TOKENS)).toBe(false)
    expect(await rows()).toEqual([])
  })

  test('stores no API key that was being provisioned when the app was uninstalled', async () => {
    await installations.save(NEW)
    const provision = async () => {
      await forgetWorkspace(database, 'T1')
      return CREDENTIALS
    }
    const workspaces = createWorkspaces({ database, keyring, installedByOAuth: true, provision })
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    await expect(workspaces.connect('T1', CREDENTIALS, 'U1')).rejects.toThrow('not installed')
    expect(await database.db.selectFrom('workspace_connections').selectAll().execute()).toEqual([])
  })

  test('reseals every row with the newest key', async () => {
    await installations.save(NEW)
    const newest = randomBytes(32)
    const rotated = createKeyring([newest, KEY])
    const other = { ...INSTALLATION, team: { id: 'T2' } }
    await createInstallations({ database, keyring: rotated }).save({ ...NEW, ...other })
    const reseal = () => installationSecrets(database.db, rotated).reseal()
    expect(await reseal()).toEqual({ resealed: 1, unreadable: 0 })
    expect(await reseal()).toEqual({ resealed: 0, unreadable: 0 })
    const later = createInstallations({ database, keyring: createKeyring([newest]) })
    expect(await later.find('T1')).toMatchObject(INSTALLATION)
    expect(await later.find('T2')).toMatchObject(other)
    await expect(installations.find('T1')).rejects.toThrow(KeyringError)
  })
})
