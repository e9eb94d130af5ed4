import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { OUR_CREATE_FIELDS } from '../../src/contract/link-fields.ts'
import { NO_OFFERS } from '../../src/contract/offers.ts'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { connectionSecrets, type ServiceCredentials } from '../../src/workspaces/connection.ts'
import { createKeyring, KeyringError } from '../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../src/workspaces/workspaces.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

const KEY = randomBytes(32)
const keyring = createKeyring([KEY])
const CREDENTIALS: ServiceCredentials = {
  apiKey: 'bh_first',
  domains: [
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'example.link' },
  ],
}
const DOMAIN = { name: 'd', domain_name: 'o.example' }
const OTHER: ServiceCredentials = { apiKey: 'bh_other', domains: [DOMAIN] }

/** Provisions a new key at every call, like a link service, and records for which workspace. */
function fakeProvision() {
  const calls: unknown[] = []
  const provision = async (workspace: unknown): Promise<ServiceCredentials> => {
    const number = calls.push(workspace)
    return { ...CREDENTIALS, apiKey: `bh_${number}` }
  }
  return { calls, provision }
}

describeOnEveryDatabase((opened) => {
  let database: Database
  beforeEach(async () => {
    database = opened.database
    await database.db.deleteFrom('workspace_connections').execute()
  })

  const rows = () => database.db.selectFrom('workspace_connections').selectAll().execute()

  test('returns no connection for a workspace that was never connected', async () => {
    expect(await createWorkspaces({ database, keyring }).connection({ id: 'T1' })).toBeUndefined()
  })

  test('stores what an admin entered, for that workspace only', async () => {
    const workspaces = createWorkspaces({ database, keyring, now: () => 1_000 })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      ...CREDENTIALS,
      source: 'connected',
    })
    expect(await workspaces.connection({ id: 'T2' })).toBeUndefined()
    expect(await rows()).toEqual([
      expect.objectContaining({ workspace_id: 'T1', connected_by: 'U1', connected_at: 1_000 }),
    ])
  })

  test('replaces the connection, and who made it, when an admin connects again', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    await workspaces.connect('T1', OTHER, 'U2')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'connected' })
    expect((await rows()).map(({ connected_by }) => connected_by)).toEqual(['U2'])
  })

  test('stores the key encrypted', async () => {
    await createWorkspaces({ database, keyring }).connect('T1', CREDENTIALS, 'U1')
    const [row] = await rows()
    expect(Buffer.from(row?.sealed ?? []).includes('bh_first')).toBe(false)
    expect(
      JSON.parse(keyring.open(row?.sealed ?? Buffer.alloc(0), 'connection of T1').toString()),
    ).toEqual({ ...CREDENTIALS, source: 'connected' })
  })

  test('refuses to open a row that was copied to another workspace', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    await database.db.updateTable('workspace_connections').set({ workspace_id: 'T2' }).execute()
    await expect(workspaces.connection({ id: 'T2' })).rejects.toThrow(KeyringError)
  })

  test('refuses a connection without a domain, and stores nothing', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await expect(workspaces.connect('T1', { apiKey: 'k', domains: [] }, 'U1')).rejects.toThrow()
    expect(await rows()).toEqual([])
  })

  test('uses the deployment’s own connection if a workspace has none, without storing it', async () => {
    const workspaces = createWorkspaces({ database, keyring, fallback: OTHER })
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'configured' })
    expect(await rows()).toEqual([])
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      ...CREDENTIALS,
      source: 'connected',
    })
  })

  test('deletes the key when an admin disconnects, and stores who did it and when', async () => {
    const workspaces = createWorkspaces({ database, keyring, now: () => 2_000 })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    expect(await workspaces.status({ id: 'T1' })).toEqual({
      state: 'connected',
      connection: { ...CREDENTIALS, source: 'connected' },
      by: 'U1',
      since: 2_000,
    })
    await workspaces.disconnect('T1', 'U2')
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    expect(await workspaces.status({ id: 'T1' })).toEqual({
      state: 'disconnected',
      by: 'U2',
      since: 2_000,
    })
    const [row] = await rows()
    expect(keyring.open(row?.sealed ?? Buffer.alloc(0), 'connection of T1').toString()).toBe(
      '{"source":"disconnected"}',
    )
  })

  test('provisions no key for a disconnected workspace until an admin connects it again', async () => {
    const { calls, provision } = fakeProvision()
    const workspaces = createWorkspaces({ database, keyring, provision })
    await workspaces.connection({ id: 'T1' })
    await workspaces.disconnect('T1', 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    expect(await workspaces.status({ id: 'T1' })).toMatchObject({ state: 'disconnected' })
    expect(calls).toHaveLength(1)
    await workspaces.connectAgain('T1')
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject({ apiKey: 'bh_2' })
  })

  test('does not use the deployment’s own connection for a disconnected workspace', async () => {
    const workspaces = createWorkspaces({ database, keyring, fallback: OTHER })
    await workspaces.disconnect('T1', 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
    await workspaces.connectAgain('T1')
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject({ source: 'configured' })
  })

  test('keeps the connection if a connected workspace is connected again', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    await workspaces.connectAgain('T1')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      ...CREDENTIALS,
      source: 'connected',
    })
  })

  const OFFERS = { ...NO_OFFERS, fields: OUR_CREATE_FIELDS, readAt: 3_000 }

  test('stores what the link service offers with the connection, until an admin disconnects', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', { ...CREDENTIALS, offers: OFFERS }, 'U1')
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject({ offers: OFFERS })
    const later = { ...OFFERS, fields: [], readAt: 4_000 }
    await workspaces.keepOffers('T1', CREDENTIALS.apiKey, later)
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      ...CREDENTIALS,
      offers: later,
      source: 'connected',
    })
    await workspaces.disconnect('T1', 'U1')
    await workspaces.keepOffers('T1', CREDENTIALS.apiKey, OFFERS)
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    expect(await workspaces.connection({ id: 'T1' })).not.toHaveProperty('offers')
  })

  test('stores no offers that were read with an earlier key, or for an unknown workspace', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    await workspaces.keepOffers('T1', 'bh_earlier', OFFERS)
    await workspaces.keepOffers('T2', CREDENTIALS.apiKey, OFFERS)
    expect(await workspaces.connection({ id: 'T1' })).not.toHaveProperty('offers')
    expect(await rows()).toHaveLength(1)
  })

  test('reads a connection with offers that another version stored as one without offers', async () => {
    const json = JSON.stringify({ ...CREDENTIALS, source: 'connected', offers: { fly: true } })
    const sealed = keyring.seal(Buffer.from(json), 'connection of T1')
    const row = { workspace_id: 'T1', sealed, connected_by: 'U1', connected_at: 1 }
    await database.db.insertInto('workspace_connections').values(row).execute()
    expect(await createWorkspaces({ database, keyring }).connection({ id: 'T1' })).toEqual({
      ...CREDENTIALS,
      source: 'connected',
    })
  })

  test('replaces the domains even if the offers are read at the same time', async () => {
    const workspaces = createWorkspaces({ database, keyring })
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    const [, changed] = await Promise.all([
      workspaces.keepOffers('T1', CREDENTIALS.apiKey, OFFERS),
      workspaces.setDomains('T1', [DOMAIN], () => true),
    ])
    expect(changed).toBe(true)
    expect(await workspaces.connection({ id: 'T1' })).toMatchObject({ domains: [DOMAIN] })
  })

  test('keeps the key and its source when the domains are replaced', async () => {
    const { provision } = fakeProvision()
    const workspaces = createWorkspaces({ database, keyring, provision })
    await workspaces.connection({ id: 'T1' })
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(true)
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      apiKey: 'bh_1',
      domains: [DOMAIN],
      source: 'provisioned',
    })
  })

  test('stores no domains for a workspace without a connection of its own', async () => {
    const workspaces = createWorkspaces({ database, keyring, fallback: OTHER })
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(false)
    await workspaces.disconnect('T1', 'U1')
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(false)
    expect(await workspaces.connection({ id: 'T1' })).toBeUndefined()
  })

  test('provisions a new workspace once, even if many requests come at once', async () => {
    const { calls, provision } = fakeProvision()
    const workspaces = createWorkspaces({ database, keyring, provision })
    const workspace = { id: 'T1', name: 'acme' }
    const all = await Promise.all(
      Array.from({ length: 10 }, () => workspaces.connection(workspace)),
    )
    all.push(await workspaces.connection(workspace))
    expect(calls).toEqual([workspace])
    expect(all).toEqual(Array(11).fill({ ...CREDENTIALS, apiKey: 'bh_1', source: 'provisioned' }))
  })

  test('gives processes that provision the same workspace at once the same key', async () => {
    const { provision } = fakeProvision()
    const second = await openDatabase(opened.url)
    try {
      const connections = await Promise.all(
        [database, second].map((each) =>
          createWorkspaces({ database: each, keyring, provision }).connection({ id: 'T1' }),
        ),
      )
      const stored = await createWorkspaces({ database, keyring }).connection({ id: 'T1' })
      expect(stored?.source).toBe('provisioned')
      expect(connections).toEqual([stored, stored])
    } finally {
      await second.close()
    }
  })

  test('prefers the connection of an admin who connects while a key is being provisioned', async () => {
    const workspaces = createWorkspaces({
      database,
      keyring,
      provision: async () => {
        await createWorkspaces({ database, keyring }).connect('T1', OTHER, 'U1')
        return CREDENTIALS
      },
    })
    expect(await workspaces.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'connected' })
  })

  test('tries again at the next call if provisioning failed', async () => {
    let calls = 0
    const workspaces = createWorkspaces({
      database,
      keyring,
      provision: async () => {
        if (++calls === 1) throw new Error('the service is not ready')
        return CREDENTIALS
      },
    })
    await expect(workspaces.connection({ id: 'T1' })).rejects.toThrow('not ready')
    expect(await workspaces.connection({ id: 'T1' })).toEqual({
      ...CREDENTIALS,
      source: 'provisioned',
    })
  })

  test('counts rows whose key is lost, does not change them, and lets an admin replace them', async () => {
    await createWorkspaces({ database, keyring }).connect('T1', CREDENTIALS, 'U1')
    const before = await rows()
    const otherKeyring = createKeyring([randomBytes(32)])
    const withoutKey = createWorkspaces({ database, keyring: otherKeyring })
    const resealed = await connectionSecrets(otherKeyring).reseal(database.db)
    expect(resealed).toEqual({ resealed: 0, unreadable: 1 })
    expect(await rows()).toEqual(before)
    await expect(withoutKey.connection({ id: 'T1' })).rejects.toThrow(KeyringError)
    await withoutKey.connect('T1', OTHER, 'U1')
    expect(await withoutKey.connection({ id: 'T1' })).toEqual({ ...OTHER, source: 'connected' })
  })
})
