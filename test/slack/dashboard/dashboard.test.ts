import { expect } from 'vitest'
import { SESSIONS_PATH, SIGN_INS_PATH } from '../../../src/contract/endpoints.ts'
import { CREATED_BY_HEADER } from '../../../src/contract/endpoints.ts'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { failure, success, type Answer, type Fault } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { offersDocument } from '../../support/offers-document.ts'
import type { PersonDriver } from '../../support/person.ts'
import { recordingLogger } from '../../support/recording-logger.ts'
import { texts } from '../../support/texts.ts'

const SECRET = 'a-one-time-secret'
const ADDRESS = `https://go.example.com/dashboard/sign-in/${SECRET}`

const address = (url: string): Answer =>
  success({ url, expires_at: new Date(Date.now() + 5 * 60_000).toISOString() })

const log = recordingLogger()

const { test, slack, ana, ben, gil, until, service, settings } = withAppElsewhere({
  logger: log.logger,
  document: { status: 200, body: offersDocument() },
  answers: ({ method, url }) => {
    if (url === SIGN_INS_PATH) return address(ADDRESS)
    return method === 'DELETE' ? success({}) : { status: 200, body: { links: [] } }
  },
})

const called = (path: string) => service.received.filter(({ url }) => url === path)

/** Answers the requests for an address, or to sign people out, like this from now on. */
function answers(answer: Answer | Fault): void {
  service.answers(() => answer)
}

test.beforeEach(async () => settings.set({}))

test.each<[string, Partial<Settings>, () => PersonDriver, string, string]>([
  ['an admin', {}, () => ana, 'admin', 'see the API keys'],
  ['a member', {}, () => ben, 'creator', 'change your own'],
  ['a member', { mayChange: 'everyone' }, () => ben, 'editor', 'see and change all links'],
])('%s gets an address for their role: %j', async (_who, given, person, role, text) => {
  await settings.set(given)
  const modal = await person().opens('/shorten dashboard', text)
  expect(modal).toContain(`"url":"${ADDRESS}"`)
  expect(texts(person().modal())).toContain('works once, within 5 minutes')
  const [call] = called(SIGN_INS_PATH)
  expect(call?.headers[CREATED_BY_HEADER]).toMatch(`${TEAM.id}-${person().id}`)
  expect(call?.body).toMatch(new RegExp(`name="role"\\s+${role}\\s`))
  expect(call?.body).toMatch(/name="workspace"\s+Playground\s/i)
  await person().presses('Open the dashboard')

  // The address is in the modal, and nowhere else.
  expect(person().modal()?.view['private_metadata'] ?? '').toBe('')
  const everything = [person().sees('general'), person().sees('app'), log.lines]
  expect(JSON.stringify(everything)).not.toContain(SECRET)
})

test('the Home tab has a button for people who can open the dashboard', async () => {
  for (const person of [ana, ben]) {
    await person.opensHome()
    await person.seesHome('Open dashboard')
    await person.presses('Open dashboard', { in: 'home' })
    await person.seesModal(ADDRESS)
    await person.closesAll()
  }
  await gil.opensHome()
  await gil.seesHome('Create your first short link')
  expect(JSON.stringify(gil.home())).not.toContain('Open dashboard')
})

test.each<[string, Answer, string]>([
  [
    'the key lacks the permission',
    failure(403, 'PERMISSION_DENIED', {
      message: 'This API key does not allow dashboard:sign_in.',
    }),
    'to choose Allow sign-in for this key, under API keys in the dashboard.',
  ],
  [
    'the service is not at https',
    address('http://go.example.com/dashboard'),
    'address isn’t https',
  ],
  [
    'the service does not have the call that it offered',
    failure(404, 'NOT_FOUND'),
    'refused this: “Words for NOT_FOUND.” The person who runs the link service',
  ],
  [
    'the address is too long for Slack',
    address(`https://go.example.com/${'x'.repeat(3_000)}`),
    'couldn’t understand the link service’s response.',
  ],
])('shows no address, but what to do: %s', async (_why, answer, text) => {
  answers(answer)
  expect(await ben.opens('/shorten dashboard', text)).not.toContain('://')
})

test('shows no address if Slack does not say who the user is', async () => {
  slack.failNext('users.info', { error: 'user_not_visible' })
  const text = 'whether you can open the dashboard. Please try again in a minute.'
  expect(await ben.opens('/shorten dashboard', text)).not.toContain('://')
})

for (const [document, text] of [
  [failure(404, 'NOT_FOUND'), 'doesn’t let you sign in to a dashboard from Slack. Ask the person'],
  [failure(503, 'UNAVAILABLE'), 'couldn’t find out whether the link service has a dashboard.'],
] as const) {
  const other = withAppElsewhere({
    document,
    answers: () => ({ status: 200, body: { links: [] } }),
  })

  other.test(`a service that offers nothing is not asked for an address: ${text}`, async () => {
    await other.ben.opens('/shorten dashboard', text)
    await other.ben.opensHome()
    await other.ben.seesHome('Create your first short link')
    expect(JSON.stringify(other.ben.home())).not.toContain('Open dashboard')
    expect(other.service.received.filter(({ url }) => url === SIGN_INS_PATH)).toEqual([])
  })
}

test('shows no address whose role has changed meanwhile', async () => {
  await settings.set({ mayChange: 'everyone' })
  service.answers(async () => {
    await settings.set({})
    return address(ADDRESS)
  })
  await ben.opens('/shorten dashboard', 'Your permissions have just changed.')
})

async function savesPermissions(): Promise<void> {
  await ana.opens('/shorten settings', 'Permissions')
  await ana.presses('edit_may_shorten')
  await until(() => ana.modal()?.view['callback_id'] === 'settings_may_shorten')
  ana.fills({ may_change: 'Everyone who can shorten links' })
  await ana.submits()
}

test('the form says if the permissions were saved, but people could not be signed out', async () => {
  answers(failure(503, 'UNAVAILABLE'))
  await savesPermissions()
  await ana.seesModal('keep their earlier permissions there for up to an hour.')
  expect(texts(ana.modal())).toContain('Saved.')
  await ana.closes()
  await ana.seesModal('Everyone who can shorten links')
  answers(address(ADDRESS))
  await ben.opens('/shorten dashboard', 'see and change all links')
  expect(called(SIGN_INS_PATH)[0]?.body).toContain('editor')
})

test.each([
  [success({}), 'until an admin connects'],
  [failure(503, 'UNAVAILABLE'), 'People who have it open can use it for up to an hour'],
])('disconnecting signs everyone out, or says that it couldn’t', async (answer, text) => {
  answers(answer)
  await ana.opens('/shorten disconnect', 'What is deleted')
  await ana.submits()
  await ana.seesModal(text)
  expect(called(SESSIONS_PATH)).not.toEqual([])
  await ana.closesAll()
  await ana.opensHome()
  await ana.seesHome('isn’t connected')
  await ana.opens('/shorten connect', 'You don’t need a key')
  await ana.presses('connect_again')
  await ana.seesHome('Connected to')
})

test('says nothing about signing out if the key can’t sign people in', async () => {
  answers(failure(403, 'PERMISSION_DENIED'))
  await savesPermissions()
  await ana.seesModal('Everyone who can shorten links')
  expect(called(SESSIONS_PATH)).toHaveLength(1)
})

test('another key signs out who opened the dashboard with the earlier one', async () => {
  await ana.opens('/shorten connect', 'api_key')
  ana.fills({ 'API key': 'another-key-9876', Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await ana.seesHome('`9876`')
  await expect.poll(() => called(SESSIONS_PATH)).toHaveLength(1)
  expect(called(SESSIONS_PATH)[0]?.headers['x-api-key']).toBe('key-1')
})

test('ends the sessions of a guest who can’t open the dashboard', async () => {
  const text = 'Guests can’t open the dashboard. Ask the person who'
  expect(await gil.opens('/shorten dashboard', text)).not.toContain('://')
  const ended = `${SESSIONS_PATH}?person_id=${TEAM.id}-${gil.id}`
  await expect.poll(() => called(ended)).toHaveLength(1)
  expect(called(SIGN_INS_PATH)).toEqual([])
})

test('an admin opens the dashboard as an editor if the workspace’s key has limits', async () => {
  service.answers(({ body }) =>
    body.includes('editor')
      ? address(ADDRESS)
      : failure(403, 'PERMISSION_DENIED', { message: 'Use the role editor, or another key.' }),
  )
  const modal = await ana.opens('/shorten dashboard', 'see and change all links, and create new')
  expect(modal).toContain(ADDRESS)
  expect(modal).not.toContain('see the API keys')
})

test('an uninstall signs everyone out', async () => {
  slack.uninstall().sendEvent('app_uninstalled')
  await expect.poll(() => called(SESSIONS_PATH)).toHaveLength(1)
})
