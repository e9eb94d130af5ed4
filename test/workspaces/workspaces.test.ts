import { randomBytes } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { connectionSecrets, type ServiceCredentials } from '../../src/workspaces/connection.ts'
import { createKeyring, KeyringError } from '../../src/workspaces/keyring.ts'
import {
  createWorkspaces,
  type Workspaces,
  type WorkspacesOptions,
} from '../../src/workspaces/workspaces.ts'
import { describeOnDatabase } from '../support/databases.ts'
import { openDatabase } from '../support/open-database.ts'
import { insert } from '../support/rows.ts'

const keyring = createKeyring([randomBytes(32)])
const CREDENTIALS: ServiceCredentials = {
  apiKey: 'bh_first',
  domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
}
const CONNECTED = { ...CREDENTIALS, source: 'connected' }
const DOMAIN = { name: 'd', domain_name: 'o.example' }
const OTHER: ServiceCredentials = { apiKey: 'bh_other', domains: [DOMAIN] }
const OTHER_CONNECTED = { ...OTHER, source: 'connected' }

/** Provisions a new key at every call, like a link service, and records for which workspace. */
function fakeProvision() {
  const calls: unknown[] = []
  const provision = async (workspace: unknown): Promise<ServiceCredentials> => {
    const number = calls.push(workspace)
    return { ...CREDENTIALS, apiKey: `bh_${number}` }
  }
  return { calls, provision }
}

const connectionOf = (workspaces: Workspaces, id = 'T1') => workspaces.connection({ id })

describeOnDatabase((opened) => {
  let database: Database
  beforeEach(async () => {
    database = opened.database
    await database.db.deleteFrom('workspace_connections').execute()
  })

  const rows = () => database.db.selectFrom('workspace_connections').selectAll().execute()
  const start = (options: Partial<WorkspacesOptions> = {}) =>
    createWorkspaces({ database, keyring, ...options })

  /** With a workspace that an admin has connected. */
  async function startConnected(options?: Partial<WorkspacesOptions>): Promise<Workspaces> {
    const workspaces = start(options)
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    return workspaces
  }

  /** What the row of the workspace contains. */
  async function unsealed(): Promise<unknown> {
    const [row] = await rows()
    const bytes = keyring.open(row?.sealed ?? Buffer.alloc(0), 'connection of T1')
    return JSON.parse(bytes.toString())
  }

  test('stores what an admin entered, encrypted, for that workspace only, until an admin connects again', async () => {
    const workspaces = await startConnected({ now: () => 1_000 })
    expect(await connectionOf(workspaces)).toEqual(CONNECTED)
    expect(await connectionOf(workspaces, 'T2')).toBeUndefined()
    const stored = await rows()
    expect(stored).toMatchObject([{ workspace_id: 'T1', connected_by: 'U1', connected_at: 1_000 }])
    expect(Buffer.from(stored[0]?.sealed ?? []).includes('bh_first')).toBe(false)
    expect(await unsealed()).toEqual(CONNECTED)
    // There is nothing to connect again.
    await workspaces.connectAgain('T1', 'U2')
    expect(await rows()).toEqual(stored)
    await workspaces.connect('T1', OTHER, 'U2')
    expect(await connectionOf(workspaces)).toEqual(OTHER_CONNECTED)
    expect(await rows()).toMatchObject([{ workspace_id: 'T1', connected_by: 'U2' }])
  })

  test('refuses to open a row that was copied to another workspace', async () => {
    const workspaces = await startConnected()
    await database.db.updateTable('workspace_connections').set({ workspace_id: 'T2' }).execute()
    await expect(connectionOf(workspaces, 'T2')).rejects.toThrow(KeyringError)
  })

  test('refuses a connection without a domain, and stores nothing', async () => {
    await expect(start().connect('T1', { apiKey: 'k', domains: [] }, 'U1')).rejects.toThrow()
    expect(await rows()).toEqual([])
  })

  test('uses the deployment’s own connection, without storing it, for a workspace that has none and was not disconnected', async () => {
    const workspaces = start({ fallback: OTHER })
    const configured = { ...OTHER, source: 'configured' }
    expect(await connectionOf(workspaces)).toEqual(configured)
    expect(await rows()).toEqual([])
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(false)
    await workspaces.connect('T1', CREDENTIALS, 'U1')
    expect(await connectionOf(workspaces)).toEqual(CONNECTED)
    await workspaces.disconnect('T1', 'U1')
    expect(await connectionOf(workspaces)).toBeUndefined()
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(false)
    expect(await connectionOf(workspaces)).toBeUndefined()
    await workspaces.connectAgain('T1', 'U1')
    expect(await connectionOf(workspaces)).toEqual(configured)
  })

  test('deletes the key when an admin disconnects, and stores who did it and when', async () => {
    const workspaces = await startConnected({ now: () => 2_000 })
    const connected = { state: 'connected', connection: CONNECTED, by: 'U1', since: 2_000 }
    expect(await workspaces.status({ id: 'T1' })).toEqual(connected)
    await workspaces.disconnect('T1', 'U2')
    expect(await connectionOf(workspaces)).toBeUndefined()
    const disconnected = { state: 'disconnected', by: 'U2', since: 2_000 }
    expect(await workspaces.status({ id: 'T1' })).toEqual(disconnected)
    expect(await unsealed()).toEqual({ source: 'disconnected' })
  })

  test('provisions no key for a disconnected workspace until an admin connects it again', async () => {
    const { calls, provision } = fakeProvision()
    const workspaces = start({ provision })
    await connectionOf(workspaces)
    await workspaces.disconnect('T1', 'U1')
    expect(await connectionOf(workspaces)).toBeUndefined()
    expect(await workspaces.status({ id: 'T1' })).toMatchObject({ state: 'disconnected' })
    expect(calls).toHaveLength(1)
    await workspaces.connectAgain('T1', 'U1')
    expect(await connectionOf(workspaces)).toMatchObject({ apiKey: 'bh_2' })
  })

  test('reads a connection that another version stored with more', async () => {
    const json = JSON.stringify({ ...CONNECTED, offers: { fly: true } })
    const sealed = keyring.seal(Buffer.from(json), 'connection of T1')
    const row = { workspace_id: 'T1', sealed, connected_by: 'U1', connected_at: 1 }
    await insert(database, 'workspace_connections', row)
    expect(await connectionOf(start())).toEqual(CONNECTED)
  })

  test('keeps the key and its source when the domains are replaced', async () => {
    const workspaces = start(fakeProvision())
    await connectionOf(workspaces)
    expect(await workspaces.setDomains('T1', [DOMAIN], () => true)).toBe(true)
    const kept = { apiKey: 'bh_1', domains: [DOMAIN], source: 'provisioned' }
    expect(await connectionOf(workspaces)).toEqual(kept)
  })

  test('provisions a new workspace once, even if many requests come at once', async () => {
    const { calls, provision } = fakeProvision()
    const workspaces = start({ provision })
    const workspace = { id: 'T1', name: 'acme' }
    const requests = Array.from({ length: 10 }, () => workspaces.connection(workspace))
    const all = [...(await Promise.all(requests)), await workspaces.connection(workspace)]
    expect(calls).toEqual([workspace])
    expect(all).toEqual(Array(11).fill({ ...CREDENTIALS, apiKey: 'bh_1', source: 'provisioned' }))
  })

  test('gives processes that provision the same workspace at once the same key', async () => {
    const { provision } = fakeProvision()
    const second = await openDatabase(opened.url)
    onTestFinished(() => second.close())
    const processes = [start({ provision }), start({ provision, database: second })]
    const connections = await Promise.all(processes.map((each) => connectionOf(each)))
    const stored = await connectionOf(start())
    expect(stored?.source).toBe('provisioned')
    expect(connections).toEqual([stored, stored])
  })

  test('prefers the connection of an admin who connects while a key is being provisioned', async () => {
    const provision = async () => {
      await start().connect('T1', OTHER, 'U1')
      return CREDENTIALS
    }
    expect(await connectionOf(start({ provision }))).toEqual(OTHER_CONNECTED)
  })

  test('tries again at the next call if provisioning failed', async () => {
    let calls = 0
    const provision = async () => {
      if (++calls === 1) throw new Error('the service is not ready')
      return CREDENTIALS
    }
    const workspaces = start({ provision })
    await expect(connectionOf(workspaces)).rejects.toThrow('not ready')
    expect(await connectionOf(workspaces)).toEqual({ ...CREDENTIALS, source: 'provisioned' })
  })

  test('counts rows whose key is lost, does not change them, and lets an admin connect again', async () => {
    await startConnected()
    const before = await rows()
    const otherKeyring = createKeyring([randomBytes(32)])
    const withoutKey = start({ ...fakeProvision(), keyring: otherKeyring })
    const resealed = await connectionSecrets(database.db, otherKeyring).reseal()
    expect(resealed).toEqual({ resealed: 0, unreadable: 1 })
    expect(await rows()).toEqual(before)
    await expect(connectionOf(withoutKey)).rejects.toThrow(KeyringError)
    expect(await withoutKey.status({ id: 'T1' })).toEqual({ state: 'unreadable' })
    await withoutKey.connectAgain('T1', 'U1')
    expect(await connectionOf(withoutKey)).toMatchObject({ source: 'provisioned' })
  })
})
