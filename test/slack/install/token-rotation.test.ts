import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { createSlackOAuth, type SlackOAuth } from '../../support/slack-oauth.ts'
import { createTokenRotation } from '../../../src/slack/install/authorize.ts'
import {
  createInstallations,
  NotInstalledError,
  type Installations,
} from '../../../src/workspaces/installations.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { OAUTH } from '../../support/installing.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

const HOUR_MS = 3_600_000

/** Milliseconds since 1970. */
let time: number
let database: Database
let oauth: SlackOAuth
let slack: TestWorkspace
let installations: Installations

beforeEach(async () => {
  time = Date.UTC(2026, 0, 1)
  const now = (): number => time
  database = await openTempDatabase()
  const keyring = createKeyring([randomBytes(32)])
  installations = createInstallations({ database, keyring, now })
  oauth = createSlackOAuth({ ...OAUTH, now, lifetimeSeconds: 12 * 3600 })
  slack = await startSimulatedWorkspace({ oauth, now })
  const { id: userId } = PEOPLE[0]
  const scopes = ['commands']
  const issued = oauth.issue({ team: TEAM, userId, scopes: new Set(scopes) })
  const { expiresIn = 0, ...tokens } = issued
  const bot = { ...tokens, expiresAt: time / 1000 + expiresIn, scopes, id: 'B1', userId: 'U1' }
  await installations.save({ team: { id: TEAM.id }, user: { id: userId }, bot })
})
afterEach(async () => {
  await slack.close()
  await database.close()
})

/**
 * A process of the app, on the same database as any other.
 *
 * @param sleep runs instead of each wait
 */
function startProcess(
  store: Installations = installations,
  sleep: () => Promise<void> = async () => undefined,
) {
  const logger = pino({ level: 'silent' })
  const tasks = createInFlightTasks(logger)
  const renewToken = createTokenRotation({
    ...OAUTH,
    installations: store,
    client: webClient(slack.apiUrl, ''),
    tasks,
    logger,
    clock: { ...systemClock, now: () => time, sleep },
  })
  const token = async (): Promise<string> => {
    const installed = await installations.find(TEAM.id)
    if (!installed) throw new Error('not installed')
    return (await renewToken(TEAM.id, installed)).bot.token
  }
  return { renewToken, token, tasks }
}

/** Whether Slack accepts a token. */
const works = (token: string): boolean =>
  typeof slack.workspace.parts.grants.check(token) === 'object'
const storedToken = async (): Promise<string | undefined> =>
  (await installations.find(TEAM.id))?.bot.token

test('uses a token that expires in hours, and a token that expires soon while a new one is requested', async () => {
  const { token, tasks } = startProcess()
  const before = await storedToken()
  time += 9 * HOUR_MS
  expect(await token()).toBe(before)
  await tasks.drained()
  expect(await storedToken()).toBe(before)
  time += 2 * HOUR_MS
  expect(await token()).toBe(before)
  await tasks.drained()
  const after = await token()
  expect(after).not.toBe(before)
  time += 11 * HOUR_MS
  expect([works(before ?? ''), works(after)]).toEqual([false, true])
})

test('refreshes an expired token before it is used, once for all requests', async () => {
  const { token } = startProcess()
  time += 30 * HOUR_MS
  const refresh = vi.spyOn(oauth, 'refresh')
  const tokens = await Promise.all([token(), token(), token()])
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(new Set(tokens).size).toBe(1)
  expect(works(tokens[0])).toBe(true)
  expect(await token()).toBe(tokens[0])
})

test('uses the tokens of another process that has used the refresh token', async () => {
  time += 30 * HOUR_MS
  const stale = await installations.find(TEAM.id)
  const fresh = await startProcess().token()
  if (!stale) throw new Error('not installed')
  expect((await startProcess().renewToken(TEAM.id, stale)).bot.token).toBe(fresh)
})

test('waits while another process is storing its new tokens', async () => {
  time += 30 * HOUR_MS
  const mayStore = Promise.withResolvers<undefined>()
  const first = startProcess({
    ...installations,
    async renew(...args) {
      await mayStore.promise
      return installations.renew(...args)
    },
  })
  const refresh = vi.spyOn(oauth, 'refresh')
  const token = first.token()
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(1))
  const second = startProcess(installations, async () => {
    mayStore.resolve(undefined)
    await token
  })
  const late = await second.token()
  expect([late, works(late)]).toEqual([await token, true])
})

test('reports the app as not installed if Slack does not accept the refresh token anymore', async () => {
  time += 30 * HOUR_MS
  const { bot } = (await installations.find(TEAM.id)) ?? {}
  oauth.refresh(bot?.refreshToken ?? '') // The response was lost.
  const { token } = startProcess()
  await expect(token()).rejects.toThrow(NotInstalledError)
})

test('keeps new tokens that the database could not store, and stores them later', async () => {
  let failures = 2
  const { token } = startProcess({
    ...installations,
    renew: (...args) =>
      failures-- > 0 ? Promise.reject(new Error('the disk is full')) : installations.renew(...args),
  })
  const before = await storedToken()
  time += 30 * HOUR_MS
  const first = await token()
  expect(works(first)).toBe(true)
  expect(await token()).toBe(first)
  expect(await storedToken()).toBe(before)
  expect(await token()).toBe(first)
  expect(await storedToken()).toBe(first)
})

test('stores nothing if a refresh ends after an uninstall', async () => {
  const { token } = startProcess({
    ...installations,
    async renew(...args) {
      await database.db.deleteFrom('installations').execute()
      return installations.renew(...args)
    },
  })
  time += 30 * HOUR_MS
  await expect(token()).rejects.toThrow('not installed')
  expect(await storedToken()).toBeUndefined()
})

test('uses the old token until it expires if Slack issues no new one', async () => {
  const { token, tasks } = startProcess()
  const before = await storedToken()
  time += 11 * HOUR_MS
  slack.failNext('oauth.v2.access', { error: 'fatal_error' }, 2)
  expect(await token()).toBe(before)
  await tasks.drained()
  time += 2 * HOUR_MS
  await expect(token()).rejects.toThrow('fatal_error')
  expect(works(await token())).toBe(true)
})
