import { WebClient } from '@slack/web-api'
import { afterEach, expect, test, vi } from 'vitest'
import { readCaller, readRank, readTimeZone } from '../../../src/slack/platform/caller.ts'

const client = new WebClient()
afterEach(() => vi.restoreAllMocks())

const context = { botToken: 'xoxb-1', teamId: 'T1', userId: 'U1', isEnterpriseInstall: false }

test('reads the caller from the context, and the workspace’s name from the payload', () => {
  expect(readCaller({ client, context, body: { team: { domain: 'acme' } } })).toEqual({
    workspace: { id: 'T1', name: 'acme' },
    client,
    userId: 'U1',
    mayReadFiles: true,
    mayShowCards: true,
    mayUploadFiles: true,
  })
  const body = { team_domain: 'acme' }
  expect(readCaller({ client, context, body }).workspace.name).toBe('acme')
})

/** Slack knows this about the user U1. */
function slackKnows(user: object): void {
  vi.spyOn(client.users, 'info').mockImplementation(async (options) => {
    expect(options).toEqual({ user: 'U1' })
    return { ok: true, user }
  })
}

const OUR_ORG = { enterprise_id: 'E1' }

test.each([
  [{}, 'member'],
  [{ is_admin: true }, 'admin'],
  [{ is_owner: true }, 'admin'],
  [{ is_restricted: true }, 'guest'],
  [{ is_ultra_restricted: true }, 'guest'],
  [{ is_restricted: false, is_ultra_restricted: false }, 'member'],
  [{ enterprise_user: { ...OUR_ORG, is_admin: true } }, 'member'],
  [{ team_id: 'T1', is_admin: true }, 'admin'],
  [{ team_id: 'T1', deleted: true, is_admin: true }, 'guest'],
  [{ team_id: 'T1', is_stranger: true, is_admin: true }, 'guest'],
  [{ team_id: 'T2', is_owner: true }, 'guest'],
  [
    { team_id: 'T2', is_admin: true, enterprise_user: { ...OUR_ORG, teams: ['T2', 'T1'] } },
    'admin',
  ],
  [{ team_id: 'T2', enterprise_user: { ...OUR_ORG, teams: ['T2'] } }, 'guest'],
])('counts %j as this in a workspace: %s', async (user, rank) => {
  slackKnows(user)
  expect(await readRank({ client, workspace: { id: 'T1' } }, 'U1')).toBe(rank)
})

test.each([
  [{ team_id: 'T1', enterprise_user: OUR_ORG }, 'member'],
  [{ enterprise_user: { ...OUR_ORG, is_admin: true } }, 'admin'],
  [{ enterprise_user: { ...OUR_ORG, is_owner: true } }, 'admin'],
  [{ enterprise_user: OUR_ORG, is_admin: true }, 'member'],
  [{ enterprise_user: OUR_ORG, is_restricted: true }, 'guest'],
  [{ enterprise_user: { enterprise_id: 'E2', is_admin: true } }, 'guest'],
  [{ team_id: 'T9', is_admin: true }, 'guest'],
])('counts %j as this in an organization: %s', async (user, rank) => {
  slackKnows(user)
  expect(await readRank({ client, workspace: { id: 'E1' } }, 'U1')).toBe(rank)
})

test.each([
  [{ tz: 'Europe/Berlin' }, 'Europe/Berlin'],
  [{ tz: 'Mars/Olympus_Mons' }, 'UTC'],
  [{}, 'UTC'],
])('reads the time zone of %j as %s', async (user, expected) => {
  slackKnows(user)
  expect(await readTimeZone({ client }, 'U1')).toBe(expected)
})
