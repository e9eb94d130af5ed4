import { expect, test } from 'vitest'
import { PEOPLE_PATH } from '../../../src/contract/endpoints.ts'
import { SCOPES } from '../../../src/service/store/scopes.ts'
import { adminJson } from '../../support/admin.ts'
import {
  expectPage,
  isSignedIn,
  plainText,
  signedIn,
  signedInMember,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import {
  callLink,
  type Caller,
  codeIn,
  keyWith,
  linkIn,
  newLink,
  newOwner,
  request,
} from '../../support/service-calls.ts'

const ANA = 'T1-U1 Ana%20Garc%C3%ADa'
const BEN = 'T1-U2 Ben'

describeService((service) => {
  const erase = (caller: Caller, id = 'T1-U1') =>
    request(caller, 'DELETE', `${PEOPLE_PATH}/${encodeURIComponent(id)}`)

  const idOf = async (owner: string) => {
    const owners = service.database.db.selectFrom('owners').select('id')
    return (await owners.where('name', '=', owner).executeTakeFirstOrThrow()).id
  }

  const create = async (caller: Caller, by: string) =>
    (await newLink(caller, {}, { 'x-created-by': by, 'idempotency-key': by })).name

  const change = (name: string, by: string, fields: Record<string, string>) =>
    callLink(service, 'PATCH', name, { fields, headers: { 'x-created-by': by } })

  test('erases a person from all links of the workspace and their history, and ends their sessions', async () => {
    const other = await newOwner(service, 'other')
    const made = await create(service, ANA)
    const changed = await create(service, BEN)
    const theirs = await create(other, ANA)
    await change(made, BEN, { title: 'By Ben' })
    await change(changed, ANA, { destination_url: 'https://example.com/elsewhere' })
    const browser = await signedInMember(service, { id: 'T1-U1', name: 'Ana García' })
    const colleague = await signedInMember(service, { id: 'T1-U2', name: 'Ben' })

    for (const key of [
      { permissions: 'all' },
      { permissions: 'read_only', scopes: ['people:erase'] },
      { scopes: SCOPES.filter((scope) => scope !== 'shortlinks:delete') },
      { scopes: SCOPES, domainIds: ['default'] },
    ] as const) {
      const refused = codeIn(await erase(await keyWith(service, key)))
      expect([key, refused]).toEqual([key, '403 PERMISSION_DENIED'])
    }
    expect(codeIn(await erase(service, 'U\u0000'))).toBe('422 VALIDATION_ERROR')
    expect((await erase(service)).status).toBe(200)
    expect((await erase(service)).status).toBe(200)

    expect(linkIn(await callLink(service, 'GET', made)).created_by).toBeUndefined()
    expect(linkIn(await callLink(other, 'GET', theirs)).created_by).toMatchObject({ id: 'T1-U1' })
    const admin = await signedIn(service)
    for (const name of [made, changed]) {
      const page = plainText(await admin.get(`/dashboard/links/${name}`))
      expect(page).not.toContain('Ana')
      expect(page).toContain('Ben')
    }
    expect(await Promise.all([browser, colleague].map(isSignedIn))).toEqual([false, true])
    expect(service.logLines.join('')).not.toContain('T1-U1')
  })

  test('erases a person who created more links than one write changes', async () => {
    const person = { person_id: 'T1-U9', person_name: 'Cleo', owner_id: service.ownerId }
    const names = Array.from({ length: 2_001 }, (_, index) => `many-${index}`)
    await addLinks(service.database, ...names.map((id) => linkRow(id, person)))
    expect((await erase(service, 'T1-U9')).status).toBe(200)
    const left = service.database.db.selectFrom('links').select('id')
    expect(await left.where('person_name', '=', 'Cleo').execute()).toEqual([])
  })

  test('an admin command erases everyone from the links of one owner, after confirmation', async () => {
    const owner = `O'Brien & Sons`
    const gone = await newOwner(service, owner)
    const other = await newOwner(service, 'stays')
    const owner_id = await idOf(owner)
    const person = { person_id: 'T2-U1', person_name: 'Zora', owner_id }
    await addLinks(service.database, linkRow('zora-1', person), linkRow('zora-2', person))
    const { name } = await newLink(gone, {}, { 'x-created-by': 'T2-U1 Zora' })
    const { name: kept } = await newLink(other, {}, { 'x-created-by': 'T2-U9 Quinn' })
    await callLink(gone, 'PATCH', name, {
      fields: { destination_url: 'https://example.com/moved' },
      headers: { 'x-created-by': 'T2-U2 Yara' },
    })
    const browser = await signedInMember(gone, { id: 'T2-U2', name: 'Yara' })

    const admin = (...argv: string[]) =>
      adminJson(service, 'orgs', 'erase-names', owner_id, ...argv)
    const TABLES = ['dashboard_tokens', 'link_destinations', 'link_history', 'links'] as const
    const named = async () => {
      const found: string[] = []
      for (const table of [...TABLES, 'segments', 'idempotent_answers'] as const) {
        const rows = await service.database.db.selectFrom(table).selectAll().execute()
        if (/T2-U[12]|Zora|Yara/.test(JSON.stringify(rows))) found.push(table)
      }
      return found
    }
    await expect(admin()).rejects.toThrow(`--confirm 'O'\\''Brien & Sons'`)
    await expect(admin('--confirm', 'stays')).rejects.toThrow('can’t be undone')
    expect(await named()).toEqual(TABLES)

    expect(await admin('--confirm', owner)).toMatchObject({ rows: 6 })
    expect(await named()).toEqual([])
    expect(linkIn(await callLink(gone, 'GET', name)).created_by).toBeUndefined()
    expect(linkIn(await callLink(other, 'GET', kept)).created_by).toMatchObject({ name: 'Quinn' })
    expect((await browser.get('/dashboard')).status).not.toBe(200)
    expect(await admin('--confirm', owner)).toMatchObject({ rows: 0 })
  })

  test('the administrator erases everyone from the links of one owner in the dashboard', async () => {
    const gone = await newOwner(service, 'gone')
    const { name } = await newLink(gone, {}, { 'x-created-by': 'T3-U1 Xenia' })
    const id = await idOf('gone')
    const browser = await signedIn(service)
    expect((await browser.get('/dashboard/owners')).text).toContain(`owners/${id}/erase-names`)
    const page = await browser.get(`/dashboard/owners/${id}/erase-names`)
    expectPage(page, 200, 'Erase all names from “gone”?')
    expect(linkIn(await callLink(gone, 'GET', name)).created_by).toMatchObject({ name: 'Xenia' })
    expect((await browser.post(`/dashboard/owners/${id}/erase-names`)).status).toBe(303)
    expect(linkIn(await callLink(gone, 'GET', name)).created_by).toBeUndefined()
    expect((await browser.get('/dashboard/owners/no-such-owner/erase-names')).status).toBe(404)
  })
})
