import { expect, test, vi } from 'vitest'
import { inRequest } from '../../../src/http/request-context.ts'
import { createPermissions } from '../../../src/slack/links/permissions.ts'
import type { CreatedLinks, RecordedLink } from '../../../src/workspaces/created-links.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const REFUSED =
  'Guests can’t shorten links in this workspace. Ask the person who invited you, or any member, to create the link for you.'

/** A caller, and a spy on the call that asks Slack about the user. */
function callerWith(user: object | Error) {
  const caller = fakeCaller({ userId: 'U_ANA' })
  const info = vi.spyOn(caller.client.users, 'info')
  if (user instanceof Error) info.mockRejectedValue(user)
  else info.mockResolvedValue({ ok: true, user })
  return { caller, info }
}

test.each([
  ['lets a member', { is_restricted: false }, undefined],
  ['refuses a guest', { is_ultra_restricted: true }, REFUSED],
])('asks Slack once for all links of a request, and %s', async (_what, user, refusal) => {
  const { checkMayShorten } = fakePlatform({}, { mayShorten: 'not_guests' }).permissions
  const { caller, info } = callerWith(user)
  const check = (): Promise<void> =>
    refusal === undefined
      ? checkMayShorten(caller)
      : expect(checkMayShorten(caller)).rejects.toThrow(refusal)
  await inRequest(async () => {
    await Promise.all([check(), check()])
    await check()
  })
  expect(info).toHaveBeenCalledTimes(1)
  await inRequest(check)
  expect(info).toHaveBeenCalledTimes(2)
})

test('does not ask Slack if a workflow acts', async () => {
  const { caller, info } = callerWith({ is_ultra_restricted: true })
  const { permissions } = fakePlatform({}, { mayShorten: 'not_guests' })
  await permissions.checkMayShorten({ ...caller, userId: undefined })
  expect(info).not.toHaveBeenCalled()
})

const LINK = { name: 'x', shortUrl: 'https://go.example.com/x' }

/** Asks whether U_ANA can change a link that this user made. */
function mayChange(
  createdBy: string | undefined,
  {
    user = {},
    settings = {},
    link = LINK,
  }: { user?: object | Error; settings?: Partial<Settings>; link?: typeof LINK } = {},
): Promise<void> {
  const { caller } = callerWith(user)
  const found = { name: LINK.name, createdBy } as RecordedLink
  const find: CreatedLinks['find'] = async (_workspaceId, _shortUrl, name) =>
    createdBy === 'unknown' || name !== found.name ? undefined : found
  const platform = fakePlatform({}, settings)
  const createdLinks = { ...platform.createdLinks, find }
  return createPermissions({ ...platform, createdLinks }).checkMayChange(caller, link)
}

test('lets the person who created a link change it', async () => {
  await mayChange('U_ANA')
  await mayChange('U_ANA', { user: new Error('Slack is down') })
})

test('lets admins and owners change every link', async () => {
  await mayChange('U_BEN', { user: { is_admin: true } })
  await mayChange('U_BEN', { user: { is_owner: true } })
  await mayChange(undefined, { user: { is_admin: true } })
  await mayChange('unknown', { user: { is_admin: true } })
})

test('lets no one else change a link', async () => {
  await expect(mayChange('U_BEN')).rejects.toThrow(
    'Only the person who created this link and admins can change it. Ask one of them.',
  )
  const onlyAdmins = 'Only admins can change this link'
  await expect(mayChange(undefined)).rejects.toThrow(onlyAdmins)
  await expect(mayChange('unknown')).rejects.toThrow(onlyAdmins)
  // A deleted link of theirs had its short URL before.
  const later = { ...LINK, name: 'y' }
  await expect(mayChange('U_ANA', { link: later })).rejects.toThrow(onlyAdmins)
})

test('lets everyone change every link if the admins decided so, but no guest who can’t shorten', async () => {
  const settings = { mayChange: 'everyone', mayShorten: 'not_guests' } as const
  await mayChange('U_BEN', { settings })
  await mayChange('unknown', { settings })
  const guest = { is_restricted: true }
  await mayChange('U_BEN', { user: guest, settings: { mayChange: 'everyone' } })
  await expect(mayChange('U_BEN', { user: guest, settings })).rejects.toThrow('Guests can’t')
  await expect(mayChange('U_ANA', { user: guest, settings })).rejects.toThrow('Guests can’t')
})

test('refuses a change if Slack does not say whether the user is an admin', async () => {
  await expect(mayChange('U_BEN', { user: new Error('Slack is down') })).rejects.toThrow(
    'Backhalf couldn’t find out from Slack whether you are an admin',
  )
})
