import { expect, test } from 'vitest'
import { PEOPLE } from '../../../src/simulator/workspace/seeds.ts'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer } from '../../support/web-client.ts'

const [ANA, BEN, GIL] = PEOPLE

const { client } = slackForEach({ connects: false })

test('auth.test identifies the app', async () => {
  expect(await client.auth.test()).toMatchObject({
    ok: true,
    team_id: 'T0PLAYGROUND',
    user_id: 'U0APPBOTUSER',
    bot_id: 'B0PLAYGROUND',
    is_enterprise_install: false,
  })
})

test('users.info distinguishes admins, members and guests', async () => {
  const { user: ana } = await client.users.info({ user: ANA.id })
  const { user: ben } = await client.users.info({ user: BEN.id })
  const { user: gil } = await client.users.info({ user: GIL.id })
  expect([ana?.is_admin, ben?.is_admin, gil?.is_admin]).toEqual([true, false, false])
  expect([ana?.is_restricted, ben?.is_restricted, gil?.is_restricted]).toEqual([false, false, true])
  expect(await errorAnswer(client.users.info({ user: 'U0NOBODY00' }))).toMatchObject({
    error: 'user_not_found',
  })
})

test('users.list shows the members in pages, and who is an admin', async () => {
  const first = await client.users.list({ limit: 2 })
  expect(first.members?.map(({ id, is_admin: admin }) => [id, admin])).toEqual([
    [ANA.id, true],
    [BEN.id, false],
  ])
  const cursor = first.response_metadata?.next_cursor ?? ''
  const second = await client.users.list({ limit: 2, cursor })
  expect(second.members).toHaveLength(1)
  expect(second.response_metadata?.next_cursor).toBe('')
})
