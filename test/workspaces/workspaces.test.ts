import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src/database/database.ts'
import type { Access } from '../../src/workspaces/connection.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { KeyringError } from '../../src/workspaces/keyring-error.ts'
import { createWorkspaces } from '../../src/workspaces/workspaces.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const KEY = randomBytes(32)
const keyring = createKeyring([KEY])
const ACCESS: Access = {
  apiKey: 'bh_first',
  domains: [
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'example.link' },
  ],
}
const DOMAIN = { name: 'd', domain_name: 'o.example' }
const OTHER: Access = { apiKey: 'bh_other', domains: [DOMAIN] }

/** Makes a new key at every call, as a service does, and remembers for whom. */
function keyMaker() {
  const asked: unknown[] = []
  const provision = async (workspace: unknown): Promise<Access> => {
    const number = asked.push(workspace)
    return { ...ACCESS, apiKey: `bh_${number}` }
  }
  return { asked, provision }
}

describeOnEveryDatabase((opened) => {
  let database: Database
  beforeEach(async () => {
    database = opened.database
    await database.db.deleteFrom('workspace_connections').execute()
  })

  const rows = () => database.db.selectFrom('workspace_connections').selectAll().execute()

  test('a workspace that nobody connected has no connection', async () => {
    expect(await createWorkspaces({ database, keyring }).connection({ id: 'T1' })).toBeUndefined()
  })

  test('what an admin entered is kept, for that workspace alone', async () => {
    const workspaces = createWorkspaces({ database, keyring, now: () => 1_000 })
    await workspaces.connect('T1', ACCESS, 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...ACCESS, source: 'connected' })
    expect(await workspaces.connection({ id: 'T2' })).toBeUndefined()
    expect(await rows()).toEqual([
      expect.objectContaining({ workspace_id: 'T1', connected_by: 'U1', connected_at: 1_000 }),
    ])
  })

  test('connecting again replaces the connection and who made it', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', ACCESS, 'U1')
    await workspaces.connect('T1', OTHER, 'U2')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'connected' })
    expect((await rows()).map(({ connected_by }) => connected_by)).toEqual(['U2'])
  })

  test('the key is not to be read in the database', async () => {
    await createWorkspaces({ database, keyring }).connect('T1', ACCESS, 'U1')
    const [row] = await rows()
    expect(Buffer.from(row?.sealed ?? []).includes('bh_first')).toBe(false)
    expect(
      JSON.parse(keyring.open(row?.sealed ?? Buffer.alloc(0), 'connection of T1').toString()),
    ).toEqual({ ...ACCESS, source: 'connected' })
  })

  test('a row that was copied to another workspace does not open there', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', ACCESS, 'U1')
    await database.db.updateTable('workspace_connections').set({ workspace_id: 'T2' }).execute()
    await expect(workspaces.connection({ id: 'T2' })).rejects.toThrow(KeyringError)
  })

  test('a connection without a domain is refused before anything is kept', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await expect(workspaces.connect('T1', { apiKey: 'k', domains: [] }, 'U1')).rejects.toThrow()
    expect(await rows()).toEqual([])
  })

  test('the deployment’s own connection serves whoever has none, and is not kept', async () => {
    const workspaces = createWorkspaces({ database, keyring, fallback: OTHER })
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'configured' })
    expect(await rows()).toEqual([])
    await workspaces.connect('T1', ACCESS, 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...ACCESS, source: 'connected' })
  })

  test('disconnecting deletes the key, and says who did it and when', async () => {
    const workspaces = createWorkspaces({ database, keyring, now: () => 2_000 })
    await workspaces.connect('T1', ACCESS, 'U1')
    expect(await workspaces.standing({ id: 'T1' })).toEqual({
      state: 'connected',
      connection: { ...ACCESS, source: 'connected' },
      by: 'U1',
      since: 2_000,
    })
    await workspaces.disconnect('T1', 'U2')
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    expect(await workspaces.standing({ id: 'T1' })).toEqual({
      state: 'disconnected',
      by: 'U2',
      since: 2_000,
    })
    const [row] = await rows()
    expect(keyring.open(row?.sealed ?? Buffer.alloc(0), 'connection of T1').toString()).toBe(
      '{"source":"disconnected"}',
    )
  })

  test('a workspace that was disconnected is not provisioned until somebody asks for it', async () => {
    const { asked, provision } = keyMaker()
    const workspaces = createWorkspaces({ database, keyring, provision })
    await workspaces.connection({ id: 'T1' })
    await workspaces.disconnect('T1', 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    expect(await workspaces.standing({ id: 'T1' })).toMatchObject({ state: 'disconnected' })
    expect(asked).toHaveLength(1)
    await workspaces.connectAgain('T1')
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject({ apiKey: 'bh_2' })
  })

  test('the deployment’s own connection does not serve a workspace that was disconnected', async () => {
    const workspaces = createWorkspaces({ database, keyring, fallback: OTHER })
    await workspaces.disconnect('T1', 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    await workspaces.connectAgain('T1')
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject({ source: 'configured' })
  })

  test('asking for a connection again takes none away', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', ACCESS, 'U1')
    await workspaces.connectAgain('T1')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...ACCESS, source: 'connected' })
  })

  test('new domains leave the key, its source and who connected it as they are', async () => {
    const { provision } = keyMaker()
    const workspaces = createWorkspaces({ database, keyring, provision })
    await workspaces.connection({ id: 'T1' })
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(true)
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      apiKey: 'bh_1',
      domains: [DOMAIN],
      source: 'provisioned',
    })
  })

  test('domains without a connection are not kept', async () => {
    const workspaces = createWorkspaces({ database, keyring, fallback: OTHER })
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(false)
    await workspaces.disconnect('T1', 'U1')
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(false)
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
  })

  test('a new workspace is provisioned once, however many ask at once', async () => {
    const { asked, provision } = keyMaker()
    const workspaces = createWorkspaces({ database, keyring, provision })
    const workspace = { id: 'T1', name: 'acme' }
    const all = await Promise.all(
      Array.from({ length: 10 }, () => workspaces.connection(workspace)),
    )
    all.push(await workspaces.connection(workspace))
    expect(asked).toEqual([workspace])
    expect(all).toEqual(Array(11).fill({ ...ACCESS, apiKey: 'bh_1', source: 'provisioned' }))
  })

  test('processes that provision one workspace at the same moment agree on one key', async () => {
    const { provision } = keyMaker()
    const second = await openDatabase(opened.url)
    try {
      const connections = await Promise.all(
        [database, second].map((one) =>
          createWorkspaces({ database: one, keyring, provision }).connection({ id: 'T1' }),
        ),
      )
      const kept = await createWorkspaces({ database, keyring }).connection({ id: 'T1' })
      expect(kept?.source).toBe('provisioned')
      expect(connections).toEqual([kept, kept])
    } finally {
      await second.close()
    }
  })

  test('an admin who connects while the workspace is provisioned wins', async () => {
    const workspaces = createWorkspaces({
      database,
      keyring,
      provision: async () => {
        await createWorkspaces({ database, keyring }).connect('T1', OTHER, 'U1')
        return ACCESS
      },
    })
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'connected' })
  })

  test('a provisioning that failed is tried again at the next call', async () => {
    let calls = 0
    const workspaces = createWorkspaces({
      database,
      keyring,
      provision: async () => {
        if (++calls === 1) throw new Error('the service is not ready')
        return ACCESS
      },
    })
    await expect(workspaces.connection({ id: 'T1' })).rejects.toThrow('not ready')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...ACCESS, source: 'provisioned' })
  })

  test('resealing moves every row to the newest key, so that the old one can go', async () => {
    await createWorkspaces({ database, keyring }).connect('T1', ACCESS, 'U1')
    const added = randomBytes(32)
    const rotated = createWorkspaces({ database, keyring: createKeyring([added, KEY]) })
    await rotated.connect('T2', OTHER, 'U2')
    expect(await rotated.reseal()).toEqual({ resealed: 1, unreadable: 0 })
    expect(await rotated.reseal()).toEqual({ resealed: 0, unreadable: 0 })

    const later = createWorkspaces({ database, keyring: createKeyring([added]) })
    expect(await later.connection({ id: 'T1' })).toEqual({ ...ACCESS, source: 'connected' })
    expect(await later.connection({ id: 'T2' })).toEqual({ ...OTHER, source: 'connected' })
  })

  test('rows whose key is lost are counted, left alone, and can be replaced', async () => {
    await createWorkspaces({ database, keyring }).connect('T1', ACCESS, 'U1')
    const before = await rows()
    const stranger = createWorkspaces({ database, keyring: createKeyring([randomBytes(32)]) })
    expect(await stranger.reseal()).toEqual({ resealed: 0, unreadable: 1 })
    expect(await rows()).toEqual(before)
    await expect(stranger.connection({ id: 'T1' })).rejects.toThrow(KeyringError)
    await stranger.connect('T1', OTHER, 'U1')
    expect(await stranger.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'connected' })
  })
})
