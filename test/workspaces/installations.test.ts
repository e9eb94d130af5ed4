import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { forgetWorkspace } from '../../src/workspaces/forget.ts'
import { createInstallations, type Installation } from '../../src/workspaces/installations.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { KeyringError } from '../../src/workspaces/keyring-error.ts'
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
const ACCESS = { apiKey: 'bh_1', domains: [{ name: 'd', domain_name: 'go.example.com' }] }

describeOnEveryDatabase((opened) => {
  let database: Database
  beforeEach(async () => {
    database = opened.database
    await database.db.deleteFrom('installations').execute()
    await database.db.deleteFrom('workspace_connections').execute()
  })
  const rows = () => database.db.selectFrom('installations').selectAll().execute()
  const at = (ms: number) => createInstallations({ database, keyring, now: () => ms })

  test('an installation is kept with its time and who made it, and nothing of a user’s tokens', async () => {
    const installations = at(5_000)
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

  test('one for a whole organization is kept under the organization’s id', async () => {
    const installations = at(0)
    const { team: _, ...rest } = INSTALLATION
    await installations.save({
      ...rest,
      team: undefined,
      enterprise: { id: 'E1', name: 'Org' },
      isEnterpriseInstall: true,
    })
    expect(await installations.find('E1')).toMatchObject({ enterprise: { id: 'E1' } })
  })

  test('one without a bot token is refused', async () => {
    await expect(at(0).save({ ...INSTALLATION, bot: undefined })).rejects.toThrow()
    expect(await rows()).toEqual([])
  })

  test('installing again replaces it', async () => {
    await at(1_000).save(INSTALLATION)
    await at(2_000).save({ ...INSTALLATION, user: { id: 'U9' } })
    expect(await at(0).find('T1')).toMatchObject({ user: { id: 'U9' }, installedAt: 2_000 })
  })

  test('refreshed tokens take the place of the spent ones, and the time of installing stays', async () => {
    await at(1_000).save(INSTALLATION)
    expect(await at(9_000).renew('T1', 'xoxe-1', NEW_TOKENS)).toBe(true)
    expect(await at(0).find('T1')).toEqual({
      ...INSTALLATION,
      bot: { ...INSTALLATION.bot, ...NEW_TOKENS },
      installedAt: 1_000,
    })
  })

  test('refreshed tokens don’t come back after an uninstalling, nor over another installation', async () => {
    await at(1_000).save(INSTALLATION)
    await at(2_000).save({ ...INSTALLATION, bot: { ...INSTALLATION.bot, refreshToken: 'xoxe-9' } })
    expect(await at(0).renew('T1', 'xoxe-1', NEW_TOKENS)).toBe(false)
    expect(await at(0).find('T1')).toMatchObject({ bot: { refreshToken: 'xoxe-9' } })
    await forgetWorkspace(database, 'T1')
    expect(await at(0).renew('T1', 'xoxe-9', NEW_TOKENS)).toBe(false)
    expect(await rows()).toEqual([])
  })

  test('an uninstalling of before leaves what was installed since', async () => {
    await at(5_000).save(INSTALLATION)
    const workspaces = createWorkspaces({ database, keyring, installedByOAuth: true })
    await workspaces.connect('T1', ACCESS, 'U1')
    expect(await forgetWorkspace(database, 'T1', 5_000)).toBe(false)
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject(ACCESS)
    expect(await forgetWorkspace(database, 'T1', 5_001)).toBe(true)
    expect(await rows()).toEqual([])
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
  })

  test('a key that was being made while the app was uninstalled is not kept', async () => {
    await at(0).save(INSTALLATION)
    const workspaces = createWorkspaces({
      database,
      keyring,
      installedByOAuth: true,
      provision: async () => {
        await forgetWorkspace(database, 'T1')
        return ACCESS
      },
    })
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    await expect(workspaces.connect('T1', ACCESS, 'U1')).rejects.toThrow('not installed')
    expect(await database.db.selectFrom('workspace_connections').selectAll().execute()).toEqual([])
  })

  test('resealing moves every row to the newest key', async () => {
    await at(0).save(INSTALLATION)
    const added = randomBytes(32)
    const rotated = createInstallations({ database, keyring: createKeyring([added, KEY]) })
    expect(await rotated.reseal()).toEqual({ resealed: 1, unreadable: 0 })
    const later = createInstallations({ database, keyring: createKeyring([added]) })
    expect(await later.find('T1')).toMatchObject(INSTALLATION)
    await expect(at(0).find('T1')).rejects.toThrow(KeyringError)
  })
})
