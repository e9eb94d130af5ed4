import { expect, onTestFinished } from 'vitest'
import { runAdmin } from '../../../src/service/admin/run-admin.ts'
import { adminJson as runJson } from '../../support/admin.ts'
import { requestSignIn } from '../../support/dashboard.ts'
import { withService } from '../../support/fixtures.ts'
import { reusedThreads } from '../../support/reused-threads.ts'
import {
  callLink,
  codeIn,
  create,
  errorIn,
  getList,
  listed,
  newLink,
  postForm,
} from '../../support/service-calls.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

const DAY_MS = 86_400_000

let now = Date.parse('2026-03-01T12:00:00.000Z')

const PUBLIC_URL = 'https://go.example.com'

const { test, service } = withService({ publicUrl: PUBLIC_URL, now: () => now })

/** Runs a command. @returns its output */
const admin = (...argv: string[]) => runOn(service.databaseUrl, ...argv)

async function runOn(databaseUrl: string, ...argv: string[]) {
  const output: string[] = []
  const code = await runAdmin(argv, {
    databaseUrl,
    publicUrl: PUBLIC_URL,
    out: (text) => output.push(text),
    now: () => now,
    threads: reusedThreads,
  })
  return { code, text: output.join('') }
}

const adminJson = (...argv: string[]) => {
  const options = { databaseUrl: service.databaseUrl, baseUrl: PUBLIC_URL, now: () => now }
  return runJson<Record<'id' | 'key' | 'type', string>>(options, ...argv)
}

const call = (apiKey: string) => ({ baseUrl: service.baseUrl, apiKey })

const FIELDS = { destination_url: 'https://example.com/', domain: 'default' }

test('help lists every command', async () => {
  const { code, text } = await admin('help')
  expect(code).toBe(0)
  for (const command of ['domains add', 'orgs add', 'keys create', 'keys rotate', '--json']) {
    expect(text).toContain(command)
  }
  expect(await admin()).toEqual({ code, text })
})

test('creates a key for an organization, and shows it once', async () => {
  await adminJson('orgs', 'add', 'Acme')
  const { key, type } = await adminJson('keys', 'create', '--org', 'Acme', '--name', 'website')
  expect(type).toBe('Organization')
  expect((await postForm(call(key), FIELDS)).status).toBe(200)
  const other = await adminJson('keys', 'create', '--org', 'Acme')
  for (const one of [key, other.key]) {
    const { shortlinks } = await listed(call(one))
    expect(shortlinks).toMatchObject([{ destination_url: FIELDS.destination_url }])
  }
  const { text } = await admin('keys', 'list')
  expect(text).toContain('website')
  expect(text).not.toContain(key)
})

test('any key can get the permission to sign people in, which no level includes', async () => {
  const scope = 'dashboard:sign_in'
  for (const options of [
    ['--scope', scope],
    ['--permissions', 'read-only', '--scope', scope],
  ]) {
    const { key, id } = await adminJson('keys', 'create', '--org', 'Acme', ...options)
    expect((await requestSignIn(call(key))).status).toBe(201)
    expect(await adminJson('keys', 'list')).toContainEqual(
      expect.objectContaining({ id, scopes: [scope] }),
    )
  }
  const { key, id } = await adminJson('keys', 'create', '--org', 'Acme')
  expect((await requestSignIn(call(key))).status).toBe(403)
  await adminJson('keys', 'allow-sign-in', id)
  expect((await requestSignIn(call(key))).status).toBe(201)
  await adminJson('keys', 'stop-sign-in', id)
  expect((await requestSignIn(call(key))).status).toBe(403)
  expect((await admin('keys', 'allow-sign-in', 'unknown')).code).toBe(1)
  const mixed = await admin('keys', 'create', '--org', 'Acme', '--scope', 'shortlinks:read')
  expect(mixed.text).toContain('Only restricted keys can have')
})

test('renames an owner, unless another one has the name', async () => {
  const { id } = await adminJson('orgs', 'add', 'Acmee')
  const renamed = { id, name: 'Acme Labs' }
  expect(await adminJson('orgs', 'rename', 'Acmee', 'Acme Labs')).toMatchObject(renamed)
  expect(await adminJson('orgs', 'rename', id, 'Acme Labs')).toMatchObject({ id })
  expect(await admin('orgs', 'rename', id, 'Acme')).toMatchObject({ code: 1 })
  expect(await admin('orgs', 'rename', id, ' ')).toMatchObject({ code: 1 })
  expect(await adminJson('orgs', 'list')).toContainEqual(expect.objectContaining(renamed))
})

test('a key that was used in the minute of its creation was last used at its creation', async () => {
  const { id } = await adminJson('keys', 'create', '--org', 'Acme')
  const { db } = service.database
  // The time of the last use is stored as the start of a minute.
  const used = db.updateTable('api_keys').set({ last_used_at: now - 30_000 })
  await used.where('id', '=', id).execute()
  const time = new Date(now).toISOString()
  expect(await adminJson('keys', 'list')).toContainEqual(
    expect.objectContaining({ id, created_at: time, last_used_at: time }),
  )
})

test('a key of a personal account has the type Self and reaches only its own links', async () => {
  const { id } = await adminJson('accounts', 'add', 'Ada')
  const { key, type } = await adminJson('keys', 'create', '--account', id)
  expect(type).toBe('Self')
  expect((await listed(call(key))).shortlinks).toEqual([])
  const { destination_url } = await newLink(call(key))
  expect((await listed(call(key))).shortlinks).toMatchObject([{ destination_url }])
})

test('rotates and revokes a read-only key, which can list but not create', async () => {
  const old = await adminJson('keys', 'create', '--org', 'Acme', '--permissions', 'read-only')
  const renewed = await adminJson('keys', 'rotate', old.id)
  expect((await getList(call(old.key))).status).toBe(401)
  expect((await getList(call(renewed.key))).status).toBe(200)
  expect((await postForm(call(renewed.key), FIELDS)).status).toBe(403)
  await adminJson('keys', 'revoke', renewed.id)
  expect((await getList(call(renewed.key))).status).toBe(401)
  expect((await admin('keys', 'rotate', renewed.id)).code).toBe(1)
})

test('a rotated key works until the days that were chosen, or its own time, are over', async () => {
  const old = await adminJson('keys', 'create', '--org', 'Acme')
  expect((await admin('keys', 'rotate', old.id, '--keep', '8')).code).toBe(1)
  const renewed = await adminJson('keys', 'rotate', old.id, '--keep', '2')
  const ends = await adminJson('keys', 'create', '--org', 'Acme', '--expires', '1d')
  const { id } = ends
  expect(await adminJson('keys', 'list')).toContainEqual(
    expect.objectContaining({ id, expires_at: new Date(now + DAY_MS).toISOString() }),
  )
  await adminJson('keys', 'rotate', id, '--keep', '7')
  const status = async () => {
    const responses = [old, renewed, ends].map(({ key }) => getList(call(key)))
    return (await Promise.all(responses)).map((response) => response.status)
  }
  expect(await status()).toEqual([200, 200, 200])
  now += DAY_MS
  expect(await status()).toEqual([200, 200, 401])
  expect((await admin('keys', 'rotate', id)).code).toBe(1)
  now += DAY_MS
  expect(await status()).toEqual([401, 200, 401])
})

test('limits the requests of a key, except that of our own app, and says when to try again', async () => {
  const limitOf = async (apiKey: string) =>
    (await getList(call(apiKey))).headers.get('ratelimit-limit')
  const other = await adminJson('keys', 'create', '--org', 'Acme')
  expect([await limitOf(other.key), await limitOf(service.apiKey)]).toEqual(['600', null])
  const { key } = await adminJson('keys', 'create', '--org', 'Acme', '--rate', '2')
  await getList(call(key))
  await getList(call(key))
  const third = await postForm(call(key), FIELDS)
  expect(errorIn(third)).toEqual([429, 'RATE_LIMIT_EXCEEDED', undefined])
  const message = 'This API key is limited to 2 requests a minute. Try again in 60 seconds.'
  expect(third.text).toContain(message)
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('adds no organization if the first key is invalid', async () => {
  const directory = await makeTempDir()
  onTestFinished(() => directory.remove())
  const run = (...argv: string[]) => runOn(`file:${directory.path}/new.db`, ...argv, '--json')
  expect((await run('keys', 'create', '--permissions', 'bogus')).code).toBe(1)
  expect((await run('orgs', 'list')).text).toBe('[]\n')
  expect((await run('keys', 'create')).code).toBe(0)
  expect((await run('orgs', 'list')).text).toContain('"Default"')
})

test('creates a backup, and restores it unless the database is in use', async () => {
  const directory = await makeTempDir()
  onTestFinished(() => directory.remove())
  const file = `${directory.path}/copy.db`
  expect(await adminJson('backup', file)).toEqual({ file })
  const inUse = 'The database is in use. Stop Backhalf first.\n'
  expect(await admin('restore', file)).toEqual({ code: 1, text: inUse })
  const database = `${directory.path}/restored.db`
  const { text } = await runOn(`file:${database}`, 'restore', file, '--json')
  expect(JSON.parse(text)).toEqual({ database, earlier_database: null })
  expect((await runOn(`file:${database}`, 'orgs', 'list')).text).toContain('Acme')
})

test('names the tools that copy a PostgreSQL database', async () => {
  const refused = await runOn('postgres://nobody@127.0.0.1:1/none', 'backup', 'copy.db')
  const text = 'This command is for SQLite. For PostgreSQL, use pg_dump and pg_restore.\n'
  expect(refused).toEqual({ code: 1, text })
})

test('limits the links of an organization to its quota', async () => {
  await adminJson('orgs', 'add', 'Small')
  await adminJson('orgs', 'quota', 'Small', '--links', '1')
  const { key } = await adminJson('keys', 'create', '--org', 'Small')
  const { destination_url } = await newLink(call(key))
  const over = await create(call(key))
  expect(errorIn(over)).toEqual([403, 'FEATURE_LIMIT_EXCEEDED', { max_links: 1 }])
  const message =
    'The quota of short links (1) is used up. An admin of the link service can raise it.'
  expect(over.text).toContain(message)
  expect(codeIn(await create(call(key), { destination_url }))).toBe('409 DUPLICATE_DESTINATION_URL')
  await adminJson('orgs', 'quota', 'Small', '--links', 'none')
  expect((await create(call(key))).status).toBe(200)
})

test('removes a domain record only if no link has or had a short URL on it', async () => {
  await adminJson('domains', 'add', 'unused.example')
  await adminJson('domains', 'remove', 'unused.example')
  expect((await admin('domains', 'list')).text).not.toContain('unused.example')

  for (const id of ['used.example', 'tombstone.example']) {
    await adminJson('domains', 'add', id)
    const { name } = await newLink(service, { domain: id })
    if (id === 'tombstone.example') await callLink(service, 'DELETE', name)
  }
  for (const [id, message] of [
    ['used.example', '“used.example” has links'],
    ['tombstone.example', 'short URLs of deleted or moved links stay reserved on it'],
    ['default', '“default” belongs to SERVICE_PUBLIC_URL'],
    ['nobody.example', 'There is no domain record “nobody.example”'],
  ] as const) {
    await expect(adminJson('domains', 'remove', id)).rejects.toThrow(message)
  }
})

test('sets where a hostname leads, by the rules for destinations', async () => {
  const added = await adminJson('domains', 'add', 'pages.example', '--id', 'pages')
  const record = { name: 'pages', domain_name: 'pages.example', owner: 'shared' }
  expect(added).toEqual({ ...record, home_url: null, not_found_url: null })
  expect(await adminJson('domains', 'set', 'pages', '--home-url', 'https://Home.example')).toEqual({
    ...record,
    home_url: 'https://home.example/',
    not_found_url: null,
  })
  const set = (...options: string[]) => admin('domains', 'set', 'pages', ...options)
  for (const [url, problem] of [
    ['home.example', 'Use a complete URL'],
    ['javascript:alert(1)', 'Use a URL that starts with https:// or http://.'],
    ['https://PAGES.example./x', 'This URL is on a short domain'],
    ['https://go.example.com/', 'This URL is on a short domain'],
  ] as const) {
    const { code, text } = await set('--not-found-url', url, '--home-url', 'none')
    expect(code).toBe(1)
    expect(text).toContain(`--not-found-url: ${problem}`)
  }
  expect((await set()).text).toContain('Missing option')
  await adminJson('domains', 'set', 'pages', '--not-found-url', 'https://help.example/')
  expect(await adminJson('domains', 'list')).toContainEqual({
    ...record,
    home_url: 'https://home.example/',
    not_found_url: 'https://help.example/',
  })
})

test('other organizations can’t use a domain record of an organization', async () => {
  const options = ['--org', 'Acme', '--id', 'brand']
  const record = await adminJson('domains', 'add', 'Brand.Example', ...options)
  expect(record).toMatchObject({ name: 'brand', domain_name: 'brand.example', owner: 'Acme' })
  const { key } = await adminJson('keys', 'create', '--org', 'Acme')
  const fields = { ...FIELDS, domain: 'brand', back_half: 'a' }
  expect((await postForm(call(key), fields)).body).toMatchObject({
    data: { shortlink: { shortlink_url: 'https://brand.example/a' } },
  })
  expect((await postForm(service, fields)).status).toBe(422)
})

test('limits a restricted key to its scopes and domain records', async () => {
  const { key } = await adminJson(
    ...['keys', 'create', '--org', 'Acme', '--permissions', 'restricted'],
    ...['--scope', 'shortlinks:create', '--domain', 'brand'],
  )
  expect((await getList(call(key))).status).toBe(403)
  expect((await postForm(call(key), FIELDS)).status).toBe(422)
})

test.each([
  [['keys', 'frob'], 2, /no command “keys frob”/],
  [['orgs', 'add'], 1, /Missing argument: NAME/],
  [['orgs', 'add', 'Acme'], 1, /already/],
  [['domains', 'add', 'go.example.com'], 1, /SERVICE_PUBLIC_URL/],
  [['domains', 'add', 'other.example', '--id', 'default'], 1, /already/],
  [['keys', 'create'], 1, /several organizations/],
  [['keys', 'create', '--org', 'Nobody'], 1, /no organization “Nobody”/],
  [['constructor'], 2, /no command “constructor”/],
  [['keys', 'create', '--org', 'Acme', '--expires', '0d'], 1, /“0d” is not a time in the future/],
  [['keys', 'revoke', 'nothing'], 1, /no valid key/],
])('%j exits with %i and says why', async (argv, code, reason) => {
  const result = await admin(...argv)
  expect(result.code).toBe(code)
  expect(result.text).toMatch(reason)
})
