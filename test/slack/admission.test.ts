import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createAdmission } from '../../src/slack/admission.ts'
import type { Caller } from '../../src/slack/caller.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/workspaces/settings.ts'

function admissionWith(settings: Partial<Settings>) {
  return createAdmission({
    settings: {
      read: () => Promise.resolve({ ...DEFAULT_SETTINGS, ...settings }),
      update: () => Promise.reject(new Error('nothing is changed here')),
    },
    logger: pino({ level: 'silent' }),
  })
}

function callerWho(user: object) {
  const client = new WebClient()
  const info = vi.spyOn(client.users, 'info').mockResolvedValue({ ok: true, user })
  const caller: Caller = {
    workspace: { id: 'T_ONE' },
    client,
    token: 'xoxb-1',
    userId: 'U_GIL',
    mayReadFiles: true,
  }
  return { caller, info }
}

test('Slack is asked once for all links of a request, and again for the next one', async () => {
  const admission = admissionWith({ mayShorten: 'not_guests' })
  const { caller, info } = callerWho({ is_restricted: false })
  await Promise.all([admission.check(caller), admission.check(caller)])
  await admission.check(caller)
  expect(info).toHaveBeenCalledTimes(1)
  await admission.check({ ...caller })
  expect(info).toHaveBeenCalledTimes(2)
})

test('a guest is refused for every link of a request', async () => {
  const admission = admissionWith({ mayShorten: 'not_guests' })
  const { caller, info } = callerWho({ is_ultra_restricted: true })
  await expect(admission.check(caller)).rejects.toThrow('guests can’t shorten links')
  await expect(admission.check(caller)).rejects.toThrow('guests can’t shorten links')
  expect(info).toHaveBeenCalledTimes(1)
})

test('where everybody may, Slack is not asked', async () => {
  const { caller, info } = callerWho({ is_ultra_restricted: true })
  await admissionWith({ mayShorten: 'everyone' }).check(caller)
  expect(info).not.toHaveBeenCalled()
})
