import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { createDomainsForm } from '../../../src/slack/settings/domains-form.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createWorkspaces, type Workspaces } from '../../../src/workspaces/workspaces.ts'
import { openTempDatabase } from '../../support/databases.ts'

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

/** Opens an admin's form. What the admin saves later has one record per line. */
async function openForm() {
  const form = createDomainsForm(workspaces)
  const view = await form.build({ workspace, key: '' })
  const subject = { workspace, key: view.private_metadata ?? '' }
  const values = (lines: string) => ({
    domains: { input: { type: 'plain_text_input', value: lines } },
  })
  return {
    view: JSON.stringify(view),
    save: (lines: string) => form.save(subject, values(lines), 'U1'),
  }
}

const storedDomains = async () => (await workspaces.connection(workspace))?.domains

test('does not let a second admin undo what the first one saved', async () => {
  const ana = await openForm()
  const zoe = await openForm()
  await ana.save('dom_1 one.example.com\ndom_2 two.example.com')
  await expect(zoe.save('dom_1 other.example.com')).rejects.toThrow('nothing was saved')
  expect(await storedDomains()).toEqual([ONE, TWO])
})

test('does not save the domains of a replaced key for the new key', async () => {
  const { save } = await openForm()
  clock += 1000
  await workspaces.connect('T1', { apiKey: 'key-2', domains: [ONE] }, 'U2')
  await expect(save('dom_2 two.example.com')).rejects.toThrow('nothing was saved')
  expect(await storedDomains()).toEqual([ONE])
})

test('accepts a form that is submitted twice', async () => {
  const { save } = await openForm()
  await save('dom_2 two.example.com')
  await save('dom_2 two.example.com')
  expect(await storedDomains()).toEqual([TWO])
})

test('says what to do if the domains don’t fit in the input', async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.${'h'.repeat(60)}.example`,
  }))
  await workspaces.connect('T1', { apiKey: 'key-1', domains: many }, 'U1')
  const { view } = await openForm()
  expect(view).toContain('This workspace has more domains than fit in a form.')
})
