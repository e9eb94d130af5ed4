import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import {
  createInstallations,
  installationSecrets,
  type Installation,
} from '../../src/workspaces/installations.ts'
import { createKeyring, KeyringError } from '../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../src/workspaces/workspaces.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const KEY = randomBytes(32)
const keyring = createKeyring([KEY])
const TOKENS = { token: 'xoxe.xoxb-1', refreshToken: 'xoxe-1', expiresAt: 1_000 }
const NEW_TOKENS = { token: 'xoxe.xoxb-2', refreshToken: 'xoxe-2', expiresAt: 44_200 }
const INSTALLATION: Installation = {
  team: { id: 'T1', name: 'Acme' },
  isEnterpriseInstall: false,
  user: { id: 'U1' },
  bot: { ...TOKENS, scopes: ['commands', 'chat:write'], id: 'B1', userId: 'U2' },
  appId: 'A1',
}
const CREDENTIALS = { apiKey: 'bh_1', domains: [{ name: 'd', domain_name: 'go.example.com' }] }

describeOnEveryDatabase((opened) => {
  let database: Database
  beforeEach(async () => {
    database = opened.database
    await database.db.deleteFrom('installations').execute()
    await database.db.deleteFrom('workspace_connections').execute()
  })
  const rows = () => database.db.selectFrom('installations').selectAll().execute()
  const installationsAt = (ms: number) => createInstallations({ database, keyring, now: () => ms })

  test('stores an installation with its time and its user, but no user tokens', async () => {
    const installations = installationsAt(5_000)
    await installations.save({
      ...INSTALLATION,
      enterprise: undefined,
      user: { id: 'U1', token: 'xoxp-secret', scopes: ['identity.basic'] },
      tokenType: 'bot',
      authVersion: 'v2',
    })
    expect(await installations.find('T1')).toEqual({ ...INSTALLATION, installedAt: 5_000 })
    expect(await installations.installedBy('T1')).toBe('U1')
    expect(await installations.find('T2')).toBeUndefined()
    expect(await installations.installedBy('T2')).toBeUndefined()
    const [row] = await rows()
    expect(Buffer.from(row?.sealed ?? []).includes('xox')).toBe(false)
  })

  test('stores an installation for a whole organization under the organization’s ID', async () => {
    const installations = installationsAt(0)
    const { team: _, ...rest } = INSTALLATION
    await installations.save({
      ...rest,
      team: undefined,
      enterprise: { id: 'E1', name: 'Org' },
      isEnterpriseInstall: true,
    })
    expect(await installations.find('E1')).toMatchObject({ enterprise: { id: 'E1' } })
  })

  test('refuses an installation without a bot token', async () => {
    await expect(installationsAt(0).save({ ...INSTALLATION, bot: undefined })).rejects.toThrow()
    expect(await rows()).toEqual([])
  })

  test('replaces the installation when the app is installed again', async () => {
    await installationsAt(1_000).save(INSTALLATION)
    await installationsAt(2_000).save({ ...INSTALLATION, user: { id: 'U9' } })
    expect(await installationsAt(0).find('T1')).toMatchObject({
      user: { id: 'U9' },
      installedAt: 2_000,
    })
  })

  test('replaces spent tokens with refreshed ones and keeps the time of the installation', async () => {
    await installationsAt(1_000).save(INSTALLATION)
    expect(await installationsAt(9_000).renew('T1', 'xoxe-1', NEW_TOKENS)).toBe(true)
    expect(await installationsAt(0).find('T1')).toEqual({
      ...INSTALLATION,
      bot: { ...INSTALLATION.bot, ...NEW_TOKENS },
      installedAt: 1_000,
    })
  })

  test('stores no refreshed tokens after an uninstall, and none over a newer installation', async () => {
    await installationsAt(1_000).save(INSTALLATION)
    await installationsAt(2_000).save({
      ...INSTALLATION,
      bot: { ...INSTALLATION.bot, refreshToken: 'xoxe-9' },
    })
    expect(await installationsAt(0).renew('T1', 'xoxe-1', NEW_TOKENS)).toBe(false)
    expect(await installationsAt(0).find('T1')).toMatchObject({ bot: { refreshToken: 'xoxe-9' } })
    await forgetWorkspace(database, 'T1')
    expect(await installationsAt(0).renew('T1', 'xoxe-9', NEW_TOKENS)).toBe(false)
    expect(await rows()).toEqual([])
  })

  test('keeps an installation, and the workspace’s data, if it is newer than the uninstall', async () => {
    await installationsAt(5_000).save(INSTALLATION)
    const workspaces = createWorkspaces({ database, keyring, installedByOAuth: true })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    expect(await forgetWorkspace(database, 'T1', 5_000)).toBe(false)
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject(CREDENTIALS)
    expect(await forgetWorkspace(database, 'T1', 5_001)).toBe(true)
    expect(await rows()).toEqual([])
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
  })

  test('stores no API key that was being provisioned when the app was uninstalled', async () => {
    await installationsAt(0).save(INSTALLATION)
    const workspaces = createWorkspaces({
      database,
      keyring,
      installedByOAuth: true,
      provision: async () => {
        await forgetWorkspace(database, 'T1')
        return CREDENTIALS
      },
    })
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    await expect(workspaces.connect('T1', CREDENTIALS, 'U1')).rejects.toThrow('not installed')
    expect(await database.db.selectFrom('workspace_connections').selectAll().execute()).toEqual([])
  })

  test('reseals every row with the newest key', async () => {
    await installationsAt(0).save(INSTALLATION)
    const newest = randomBytes(32)
    const rotated = createKeyring([newest, KEY])
    const { db } = database
    const other = { ...INSTALLATION, team: { id: 'T2' } }
    await createInstallations({ database, keyring: rotated }).save(other)
    expect(await installationSecrets(rotated).reseal(db)).toEqual({ resealed: 1, unreadable: 0 })
    expect(await installationSecrets(rotated).reseal(db)).toEqual({ resealed: 0, unreadable: 0 })
    const later = createInstallations({ database, keyring: createKeyring([newest]) })
    expect(await later.find('T1')).toMatchObject(INSTALLATION)
    expect(await later.find('T2')).toMatchObject(other)
    await expect(installationsAt(0).find('T1')).rejects.toThrow(KeyringError)
  })
})
