import { WebClient } from '@slack/web-api'
import { afterEach, expect, test, vi } from 'vitest'
import { callerOf } from '../../../src/slack/platform/caller.ts'
import { isAdmin, rankOf, timeZoneOf } from '../../../src/slack/platform/slack-users.ts'

const client = new WebClient()
afterEach(() => vi.restoreAllMocks())

const context = { botToken: 'xoxb-1', teamId: 'T1', userId: 'U1', isEnterpriseInstall: false }

test('reads the caller from the context, and the workspace’s name from the payload', () => {
  expect(callerOf(context, client, { team: { domain: 'acme' } })).toEqual({
    workspace: { id: 'T1', name: 'acme' },
    client,
    token: 'xoxb-1',
    userId: 'U1',
    mayReadFiles: true,
    mayShowCards: true,
    mayUploadFiles: true,
  })
  expect(callerOf(context, client, { team_domain: 'acme' }).workspace.name).toBe('acme')
})

test('identifies the workspace by its organization if the app is installed for all of it', () => {
  const orgWide = { ...context, enterpriseId: 'E1', isEnterpriseInstall: true }
  expect(callerOf(orgWide, client, { team: null }).workspace).toEqual({ id: 'E1' })
})

test('may read files only if the granted scopes include it, or are not known', () => {
  const mayReadFiles = (scopes: unknown): boolean =>
    callerOf({ ...context, scopes }, client, {}).mayReadFiles
  expect(mayReadFiles(['commands', 'files:read'])).toBe(true)
  expect(mayReadFiles(['commands'])).toBe(false)
  expect(mayReadFiles(undefined)).toBe(true)
})

/** Slack knows this about the user U1. */
function slackKnows(user: object): void {
  vi.spyOn(client.users, 'info').mockImplementation(async (options) => {
    expect(options).toEqual({ user: 'U1' })
    return { ok: true, user }
  })
}

test.each([
  [{ is_admin: true }, true],
  [{ is_owner: true }, true],
  [{ enterprise_user: { enterprise_id: 'E1', is_admin: true } }, false],
  [{ team_id: 'T1', is_admin: true }, true],
  [{ team_id: 'T2', is_admin: true }, false],
  [{ team_id: 'T2', is_owner: true }, false],
  [{ team_id: 'T1', is_stranger: true, is_admin: true }, false],
  [{ team_id: 'T1', deleted: true, is_admin: true }, false],
  [{ team_id: 'T2', is_admin: true, enterprise_user: { teams: ['T2', 'T1'] } }, true],
  [{}, false],
])('counts %j as an admin of the workspace: %s', async (user, expected) => {
  slackKnows(user)
  expect(await isAdmin({ client, workspace: { id: 'T1' } }, 'U1')).toBe(expected)
})

test.each([
  [{ enterprise_user: { enterprise_id: 'E1', is_admin: true } }, true],
  [{ enterprise_user: { enterprise_id: 'E1', is_owner: true } }, true],
  [{ enterprise_user: { enterprise_id: 'E2', is_admin: true } }, false],
  [{ enterprise_user: { enterprise_id: 'E1' }, is_admin: true }, false],
  [{ is_admin: true }, false],
])('counts %j as an admin of the organization: %s', async (user, expected) => {
  slackKnows(user)
  expect(await isAdmin({ client, workspace: { id: 'E1' } }, 'U1')).toBe(expected)
})

test.each([
  [{ is_restricted: true }, true],
  [{ is_ultra_restricted: true }, true],
  [{ is_restricted: false, is_ultra_restricted: false }, false],
  [{}, false],
  [{ team_id: 'T1' }, false],
  [{ team_id: 'T2' }, true],
  [{ team_id: 'T1', is_stranger: true }, true],
  [{ team_id: 'T2', enterprise_user: { enterprise_id: 'E1', teams: ['T2', 'T1'] } }, false],
  [{ team_id: 'T2', enterprise_user: { enterprise_id: 'E1', teams: ['T2'] } }, true],
])('counts %j as a guest of the workspace: %s', async (user, expected) => {
  slackKnows(user)
  const rank = await rankOf({ client, workspace: { id: 'T1' } }, 'U1')
  expect(rank === 'guest').toBe(expected)
})

test.each([
  [{ team_id: 'T1', enterprise_user: { enterprise_id: 'E1' } }, false],
  [{ team_id: 'T1', enterprise_user: { enterprise_id: 'E1' }, is_restricted: true }, true],
  [{ team_id: 'T9', enterprise_user: { enterprise_id: 'E2' } }, true],
  [{ team_id: 'T9' }, true],
])('counts %j as a guest of the organization: %s', async (user, expected) => {
  slackKnows(user)
  const rank = await rankOf({ client, workspace: { id: 'E1' } }, 'U1')
  expect(rank === 'guest').toBe(expected)
})

test.each([
  [{ tz: 'Europe/Berlin' }, 'Europe/Berlin'],
  [{ tz: 'Mars/Olympus_Mons' }, 'UTC'],
  [{}, 'UTC'],
])('reads the time zone of %j as %s', async (user, expected) => {
  slackKnows(user)
  expect(await timeZoneOf({ client }, 'U1')).toBe(expected)
})
