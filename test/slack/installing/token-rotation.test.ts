import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '../../../src/database/database.ts'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { NotInstalledError } from '../../../src/slack/installing/not-installed-error.ts'
import { createSlackOAuth, type SlackOAuth } from '../../../src/simulator/oauth/slack-oauth.ts'
import { createTokenRotation } from '../../../src/slack/installing/token-rotation.ts'
import { createWork } from '../../../src/slack/work.ts'
import { createInstallations, type Installations } from '../../../src/workspaces/installations.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { OAUTH } from '../../support/installing.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const HOUR_MS = 3_600_000

let clock: number
let directory: Awaited<ReturnType<typeof makeTempDir>>
let database: Database
let oauth: SlackOAuth
let slack: TestWorkspace
let installations: Installations

beforeEach(async () => {
  clock = Date.UTC(2026, 0, 1)
  const now = (): number => clock
  directory = await makeTempDir()
  database = await openDatabase(`file:${directory.path}/test.db`)
  installations = createInstallations({
    database,
    keyring: createKeyring([randomBytes(32)]),
    now,
  })
  oauth = createSlackOAuth({ ...OAUTH, now, lifetimeSeconds: 12 * 3600 })
  slack = await startSimulatedWorkspace({ oauth, now })
  const { id: userId } = PEOPLE[0]
  const {
    token,
    refreshToken,
    expiresIn = 0,
  } = oauth.grants.issue({
    team: TEAM,
    userId,
    scopes: new Set(['commands']),
  })
  await installations.save({
    team: { id: TEAM.id },
    user: { id: userId },
    bot: {
      token,
      refreshToken,
      expiresAt: clock / 1000 + expiresIn,
      scopes: ['commands'],
      id: 'B1',
      userId: 'U1',
    },
  })
})
afterEach(async () => {
  await slack.close()
  await database.close()
  await directory.remove()
})

/** Another process has another one, on the same database. */
function process(kept: Installations = installations, pause?: () => Promise<unknown>) {
  const work = createWork()
  const rotation = createTokenRotation({
    ...OAUTH,
    installations: kept,
    client: webClient(slack.apiUrl, ''),
    work,
    logger: pino({ level: 'silent' }),
    now: () => clock,
    ...(pause && { pause }),
  })
  const token = async (): Promise<string> => {
    const installed = await installations.find(TEAM.id)
    if (!installed) throw new Error('not installed')
    return (await rotation.current(TEAM.id, installed)).bot.token
  }
  return { rotation, token, work }
}

const works = (token: string): boolean => typeof oauth.grants.look(token) === 'object'
const keptToken = async (): Promise<string | undefined> =>
  (await installations.find(TEAM.id))?.bot.token

test('a token with hours to live is used as it is', async () => {
  const { token } = process()
  const before = await keptToken()
  clock += 9 * HOUR_MS
  expect(await token()).toBe(before)
  expect(await keptToken()).toBe(before)
})

test('one that ends soon is still used while a new one is fetched', async () => {
  const { token, work } = process()
  const before = await keptToken()
  clock += 11 * HOUR_MS
  expect(await token()).toBe(before)
  await work.drained()
  const after = await token()
  expect(after).not.toBe(before)
  clock += 11 * HOUR_MS
  expect([works(before ?? ''), works(after)]).toEqual([false, true])
})

test('one that has ended is refreshed first, once, however many requests come', async () => {
  const { token } = process()
  clock += 30 * HOUR_MS
  const asked = vi.spyOn(oauth.grants, 'refresh')
  const tokens = await Promise.all([token(), token(), token()])
  expect(asked).toHaveBeenCalledTimes(1)
  expect(new Set(tokens).size).toBe(1)
  expect(works(tokens[0])).toBe(true)
  expect(await token()).toBe(tokens[0])
})

test('where another process has spent the refresh token, its tokens are used', async () => {
  clock += 30 * HOUR_MS
  const stale = await installations.find(TEAM.id)
  const fresh = await process().token()
  if (!stale) throw new Error('not installed')
  expect((await process().rotation.current(TEAM.id, stale)).bot.token).toBe(fresh)
})

test('where another process is still keeping what it was given, that is waited for', async () => {
  clock += 30 * HOUR_MS
  const keeps = Promise.withResolvers<undefined>()
  const first = process({
    ...installations,
    async renew(...args) {
      await keeps.promise
      return installations.renew(...args)
    },
  })
  const asked = vi.spyOn(oauth.grants, 'refresh')
  const given = first.token()
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
  const second = process(installations, async () => {
    keeps.resolve(undefined)
    await given
  })
  const late = await second.token()
  expect([late, works(late)]).toEqual([await given, true])
})

test('where Slack takes the refresh token no more, the access is lost for good', async () => {
  clock += 30 * HOUR_MS
  const { bot } = (await installations.find(TEAM.id)) ?? {}
  oauth.grants.refresh(bot?.refreshToken ?? '') // Its answer got lost on the way.
  const { token } = process(installations, () => Promise.resolve())
  await expect(token()).rejects.toThrow(NotInstalledError)
})

test('what Slack gave is not lost where the database does not take it at once', async () => {
  let fails = 2
  const { token } = process({
    ...installations,
    renew: (...args) =>
      fails-- > 0 ? Promise.reject(new Error('the disk is full')) : installations.renew(...args),
  })
  const before = await keptToken()
  clock += 30 * HOUR_MS
  const first = await token()
  expect(works(first)).toBe(true)
  expect(await token()).toBe(first)
  expect(await keptToken()).toBe(before)
  expect(await token()).toBe(first)
  expect(await keptToken()).toBe(first)
})

test('a refresh that ends after an uninstalling brings nothing back', async () => {
  const { token } = process({
    ...installations,
    async renew(...args) {
      await database.db.deleteFrom('installations').execute()
      return installations.renew(...args)
    },
  })
  clock += 30 * HOUR_MS
  await expect(token()).rejects.toThrow('not installed')
  expect(await keptToken()).toBeUndefined()
})

test('while Slack gives no new token, the old one is used for as long as it lives', async () => {
  const { token, work } = process()
  const before = await keptToken()
  clock += 11 * HOUR_MS
  slack.failNext('oauth.v2.access', { error: 'fatal_error' }, 2)
  expect(await token()).toBe(before)
  await work.drained()
  clock += 2 * HOUR_MS
  await expect(token()).rejects.toThrow('fatal_error')
  expect(works(await token())).toBe(true)
})
