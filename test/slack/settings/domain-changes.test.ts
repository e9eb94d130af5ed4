import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { domainPicker } from '../../../src/slack/settings/domain-picker.ts'
import type { DomainRecord } from '../../../src/workspaces/connection.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createWorkspaces, type Workspaces } from '../../../src/workspaces/workspaces.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { NO_LINK_SERVICE } from '../../support/platform.ts'
import { settingsPlatform } from './settings-platform.ts'

const workspace = { id: 'T1' }
const ONE = { name: 'dom_1', domain_name: 'one.example.com' }
const TWO = { name: 'dom_2', domain_name: 'two.example.com' }

let database: Database
let workspaces: Workspaces
let clock: number

beforeEach(async () => {
  clock = Date.UTC(2026, 0, 1)
  database = await openTempDatabase()
  const keyring = createKeyring([randomBytes(32)])
  workspaces = createWorkspaces({ database, keyring, now: () => clock })
  await workspaces.connect('T1', { apiKey: 'key-1', domains: [ONE] }, 'U1')
})
afterEach(() => database.close())

/** Opens an admin's form. @returns saves what the admin picks, and the default */
async function openForm() {
  const listDomains = async () => ({ domains: [ONE, TWO], hasMore: false })
  const linkService = { ...NO_LINK_SERVICE, capabilities: async () => ALL_OFFERS, listDomains }
  const platform = settingsPlatform({ workspaces, linkService })
  const view = await domainPicker.build(platform, workspace)
  return async (picked: DomainRecord[], first: DomainRecord) => {
    const [selected_option = null, ...others] = [first, ...picked].map(({ name }) => ({
      text: { type: 'plain_text' as const, text: name },
      value: name,
    }))
    await domainPicker.save(
      platform,
      { workspace, key: view.private_metadata ?? '' },
      {
        domains: { input: { type: 'multi_static_select', selected_options: others } },
        default_domain: { input: { type: 'static_select', selected_option } },
      },
      'U1',
    )
  }
}

const storedDomains = async () => (await workspaces.connection(workspace))?.domains

test('does not let a second admin undo what the first one saved', async () => {
  const [ana, zoe] = [await openForm(), await openForm()]
  await ana([ONE, TWO], TWO)
  await expect(zoe([ONE], ONE)).rejects.toThrow('nothing was saved')
  expect(await storedDomains()).toEqual([TWO, ONE])
})

test('does not save the domains of a replaced key for the new key', async () => {
  const save = await openForm()
  clock += 1000
  await workspaces.connect('T1', { apiKey: 'key-2', domains: [ONE] }, 'U2')
  await expect(save([TWO], TWO)).rejects.toThrow('nothing was saved')
  expect(await storedDomains()).toEqual([ONE])
})

test('accepts a form that is submitted twice', async () => {
  const save = await openForm()
  await save([TWO], TWO)
  await save([TWO], TWO)
  expect(await storedDomains()).toEqual([TWO])
})
