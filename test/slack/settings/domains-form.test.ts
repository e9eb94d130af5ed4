import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../src/database/database.ts'
import { createDomainsForm } from '../../../src/slack/settings/domains-form.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createWorkspaces, type Workspaces } from '../../../src/workspaces/workspaces.ts'

const workspace = { id: 'T1' }
const ONE = { name: 'dom_1', domain_name: 'one.example.com' }
const TWO = { name: 'dom_2', domain_name: 'two.example.com' }

let database: Database
let workspaces: Workspaces
let clock: number

beforeEach(async () => {
  clock = Date.UTC(2026, 0, 1)
  database = await openDatabase('file::memory:')
  const keyring = createKeyring([randomBytes(32)])
  workspaces = createWorkspaces({ database, keyring, now: () => clock })
  await workspaces.connect('T1', { apiKey: 'key-1', domains: [ONE] }, 'U1')
})
afterEach(() => database.close())

/** An admin's form, as it was opened; what they save later, a record a line. */
async function opened() {
  const form = createDomainsForm(workspaces)
  const view = await form.draw({ workspace, key: '' })
  const subject = { workspace, key: view.private_metadata ?? '' }
  const values = (lines: string) => ({
    domains: { input: { type: 'plain_text_input', value: lines } },
  })
  return {
    save: (lines: string) => form.save(subject, values(lines), 'U1'),
    redraw: async (lines: string) =>
      JSON.stringify(await form.redraw(subject, values(lines), ['No.'])),
  }
}

const kept = async () => (await workspaces.connection(workspace))?.domains

test('of two admins the second one does not undo what the first one saved', async () => {
  const ana = await opened()
  const zoe = await opened()
  await ana.save('dom_1 one.example.com\ndom_2 two.example.com')
  await expect(zoe.save('dom_1 other.example.com')).rejects.toThrow('nothing was saved')
  expect(await kept()).toEqual([ONE, TWO])
  expect(await zoe.redraw('dom_1 other.example.com')).toContain('dom_1 other.example.com')
})

test('the domains of a key that was replaced are not saved for the new one', async () => {
  const { save } = await opened()
  clock += 1000
  await workspaces.connect('T1', { apiKey: 'key-2', domains: [ONE] }, 'U2')
  await expect(save('dom_2 two.example.com')).rejects.toThrow('nothing was saved')
  expect(await kept()).toEqual([ONE])
})

test('a form that is sent twice is saved, and says nothing else', async () => {
  const { save } = await opened()
  await save('dom_2 two.example.com')
  await save('dom_2 two.example.com')
  expect(await kept()).toEqual([TWO])
})
