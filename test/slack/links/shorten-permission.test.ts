import { expect, test, vi } from 'vitest'
import { inRequest } from '../../../src/http/request-context.ts'
import { createShortenPermission } from '../../../src/slack/links/shorten-permission.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const REFUSED =
  'Guests can’t shorten links in this workspace. Ask the person who invited you, or any member, to make the link for you.'

const permissionWith = (settings: Partial<Settings>) =>
  createShortenPermission(fakePlatform({}, settings))

/** A caller, and a spy on the call that asks Slack about the user. */
function callerWith(user: object) {
  const caller = fakeCaller()
  const info = vi.spyOn(caller.client.users, 'info').mockResolvedValue({ ok: true, user })
  return { caller, info }
}

test('asks Slack once for all links of a request, and again for the next request', async () => {
  const permission = permissionWith({ mayShorten: 'not_guests' })
  const { caller, info } = callerWith({ is_restricted: false })
  await inRequest(async () => {
    await Promise.all([permission.check(caller), permission.check(caller)])
    await permission.check(caller)
  })
  expect(info).toHaveBeenCalledTimes(1)
  await inRequest(() => permission.check(caller))
  expect(info).toHaveBeenCalledTimes(2)
})

test('refuses a guest every link of a request', async () => {
  const permission = permissionWith({ mayShorten: 'not_guests' })
  const { caller, info } = callerWith({ is_ultra_restricted: true })
  await inRequest(async () => {
    await expect(permission.check(caller)).rejects.toThrow(REFUSED)
    await expect(permission.check(caller)).rejects.toThrow(REFUSED)
  })
  expect(info).toHaveBeenCalledTimes(1)
})

test('refuses everyone if Slack does not say who is a guest', async () => {
  const permission = permissionWith({ mayShorten: 'not_guests' })
  const { caller, info } = callerWith({})
  info.mockRejectedValue(new Error('Slack is down'))
  await expect(permission.check(caller)).rejects.toThrow(
    'Guests can’t shorten links in this workspace, and Backhalf couldn’t find out from Slack whether you are one. Please try again in a minute.',
  )
})

test('refuses to show links to a guest, and says so', async () => {
  const { caller, info } = callerWith({ is_restricted: true })
  await expect(permissionWith({ mayShorten: 'not_guests' }).checkMaySee(caller)).rejects.toThrow(
    'Guests can’t see the short links of this workspace. Ask the person who invited you, or any member, for the link that you need.',
  )
  info.mockRejectedValue(new Error('Slack is down'))
  await expect(
    permissionWith({ mayShorten: 'not_guests' }).checkMaySee({ ...caller }),
  ).rejects.toThrow('Please try again in a minute.')
  await permissionWith({ mayShorten: 'everyone' }).checkMaySee(caller)
})

test('does not ask Slack if everyone may shorten links, or if a workflow acts', async () => {
  const { caller, info } = callerWith({ is_ultra_restricted: true })
  await permissionWith({ mayShorten: 'everyone' }).check(caller)
  await permissionWith({ mayShorten: 'not_guests' }).check({ ...caller, userId: undefined })
  expect(info).not.toHaveBeenCalled()
})
