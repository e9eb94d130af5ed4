import { afterEach, expect, test } from 'vitest'
import { TEAM } from '../../../src/simulator/workspace/seeds.ts'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import type { LinkService } from '../../../src/port/link-service.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { startAlertRig, GENERAL, type AlertRig } from '../../support/alerts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let rig: AlertRig
afterEach(() => rig.close())

const ALL = { kind: 'all' } as const
const alerts = () => rig.store.list(TEAM.id)

test('announces once that a campaign has reached a number of clicks, and ends the alert', async () => {
  rig = await startAlertRig({ processes: 3 })
  const { name } = await rig.create('spring', {
    utm_campaign: 'spring',
    utm_analytics_enabled: true,
  })
  await rig.add({
    about: { kind: 'campaign', name: 'Spring' },
    condition: 'reaches',
    number: 10,
    channel: GENERAL,
  })
  await rig.click(name, 9)
  await rig.after(0)
  expect(rig.sent('general')).toEqual([])
  await rig.click(name, 2)
  await rig.after(5 * MINUTE_MS)
  await rig.after(DAY_MS)
  const [only, ...others] = rig.sent('general')
  expect(only).toContain('reached 11 clicks')
  expect(only).toContain('when the links of the campaign *Spring* together reach 10 clicks')
  expect(others).toEqual([])
  expect(await alerts()).toEqual([])
})

test('announces a busy day once a day, with the link’s title, clicks and chart', async () => {
  rig = await startAlertRig({ processes: 2 })
  const { name, shortlink_url: shortUrl } = await rig.create('busy', { title: 'Big <!channel>' })
  await rig.add({ about: { kind: 'link', name, shortUrl }, condition: 'in_a_day', number: 5 })
  await rig.click(name, 5)
  await rig.after(0)
  expect(rig.sent()).toEqual([])
  for (let day = 0; day < 2; day++) {
    await rig.click(name, 6)
    await rig.after(5 * MINUTE_MS)
    await rig.after(5 * MINUTE_MS)
    expect(rig.sent()).toHaveLength(day + 1)
    await rig.after(DAY_MS)
  }
  const [message] = rig.sent()
  expect(message).toContain('got 11 clicks in a day')
  expect(message).toContain('Big &lt;!channel&gt;')
  expect(message).toContain('11 clicks in total')
  expect(message).toContain('https://app.example.com/chart/')
})

test('several times the average needs 14 days of clicks', async () => {
  rig = await startAlertRig()
  const { name } = await rig.create('average', { tags: 'Print' })
  await rig.add({ about: { kind: 'tag', name: 'print' }, condition: 'times_average', number: 3 })
  for (let day = 0; day < 14; day++) {
    await rig.click(name, 2)
    await rig.after(DAY_MS)
  }
  await rig.click(name, 5)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([])
  await rig.click(name, 1)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([
    expect.stringContaining('got 6 clicks in a day, at least 3 times the daily average'),
  ])
})

test('changes of links with a tag are one message an hour, with what is known of each link', async () => {
  rig = await startAlertRig({ processes: 3 })
  const old = await rig.create('old', { tags: 'spring' })
  await rig.create('other')
  await rig.add({ about: { kind: 'tag', name: 'Spring' }, condition: 'changes' })
  await rig.after(0)
  expect(rig.sent()).toEqual([])

  await rig.client.update(old.name, { destination_url: 'https://example.org/new' })
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([
    expect.stringContaining('/old>* now leads to another destination.\\nleads to example.org'),
  ])

  const created = await rig.create('new', { tags: 'Spring', title: 'New one' })
  await rig.create('unrelated')
  await rig.after(5 * MINUTE_MS)
  await rig.client.update(old.name, { enabled: false })
  await rig.after(5 * MINUTE_MS)
  await rig.client.remove(created.name)
  await rig.after(5 * MINUTE_MS)
  await rig.client.update(old.name, { title: 'Only a title' })
  expect(rig.sent()).toHaveLength(1)
  await rig.after(HOUR_MS)
  const [, message = '', ...others] = rig.sent()
  expect(others).toEqual([])
  expect(message).toMatch(/\/new>\* was created.*\/old>\* was turned off.*\/new>\* was deleted/)
  expect(message).not.toContain('unrelated')
})

test('a check of many alerts makes few calls', async () => {
  rig = await startAlertRig()
  for (let at = 0; at < 8; at++) await rig.create(`link-${at}`, { tags: 'spring' })
  for (const condition of ['changes', 'expires', 'expires'] as const) {
    await rig.add({ about: ALL, condition, number: 3 })
  }
  await rig.add({ about: ALL, condition: 'in_a_day', number: 3 })
  await rig.add({ about: ALL, condition: 'no_clicks', number: 3 })
  await rig.after(0)
  expect(rig.calls.toSorted()).toEqual(['list', 'list', 'report'])
  await rig.after(MINUTE_MS)
  expect(rig.calls).toEqual([])
  await rig.after(4 * MINUTE_MS)
  expect(rig.calls.toSorted()).toEqual(['list', 'list', 'report'])
})

test('after five messages within a day, the next one comes a day later', async () => {
  rig = await startAlertRig()
  await rig.add({ about: ALL, condition: 'changes' })
  await rig.after(0)
  for (let hour = 0; hour < 20; hour++) {
    await rig.create(`hour-${hour}`)
    await rig.after(HOUR_MS)
  }
  expect(rig.sent()).toHaveLength(5)
  expect(rig.sent()[3]).not.toContain('24 hours')
  expect(rig.sent()[4]).toContain('This alert has sent 5 messages within a day')
  await rig.after(8 * HOUR_MS)
  expect(rig.sent()).toHaveLength(5)
  await rig.after(HOUR_MS)
  expect(rig.sent()).toHaveLength(6)
  expect(rig.sent()[5]).toContain('and 5 more')
})

test('announces each link that expires soon once', async () => {
  rig = await startAlertRig()
  await rig.add({ about: ALL, condition: 'expires', number: 2 })
  const expires_at = new Date(rig.now() + 4 * DAY_MS).toISOString()
  await rig.create('expiring', { expires_at })
  await rig.after(DAY_MS)
  expect(rig.sent()).toEqual([])
  await rig.after(DAY_MS + HOUR_MS)
  await rig.after(DAY_MS)
  expect(rig.sent()).toEqual([expect.stringContaining('/expiring>* expires on <!date')])
})

test('an alert about a link that is deleted ends with a message', async () => {
  rig = await startAlertRig()
  const { name, shortlink_url: shortUrl } = await rig.create('gone')
  await rig.add({ about: { kind: 'link', name, shortUrl }, condition: 'in_a_day', number: 5 })
  await rig.after(0)
  await rig.client.remove(name)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([expect.stringContaining('The link was deleted')])
  expect(await alerts()).toEqual([])
})

test('a channel that is gone, a creator who left and a disconnect end alerts, and the right person reads it once', async () => {
  rig = await startAlertRig({ processes: 3 })
  const { slack } = rig
  const { parts, changeAccount } = slack.workspace
  await rig.add({ about: ALL, condition: 'changes', channel: GENERAL })
  await rig.after(0)
  await rig.create('one')
  parts.conversations.setAppMember(GENERAL, false)
  await rig.after(5 * MINUTE_MS)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([expect.stringContaining('Backhalf can’t post in <#')])
  parts.conversations.setAppMember(GENERAL, true)
  slack.takeRefusals()

  await rig.add({ about: ALL, condition: 'changes', channel: GENERAL }, slack.ben.id)
  await rig.add({ about: ALL, condition: 'changes' }, slack.ben.id)
  await rig.after(0)
  changeAccount(slack.ben.id, { deactivated: true })
  await rig.create('two')
  await rig.after(5 * MINUTE_MS)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent('general')).toEqual([
    expect.stringContaining('can no longer see this workspace’s links'),
  ])
  expect(await alerts()).toEqual([])
  changeAccount(slack.ben.id, { deactivated: false })

  await rig.add({ about: ALL, condition: 'changes', channel: GENERAL })
  await rig.add({ about: ALL, condition: 'expires', number: 3 })
  rig.connection.current = undefined
  await rig.after(0)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toHaveLength(2)
  expect(rig.sent()[1]).toContain('This workspace was disconnected from its link service')
  expect(await alerts()).toEqual([])
})

test('sends a message again if Slack didn’t receive it, but not if Slack might have posted it', async () => {
  rig = await startAlertRig()
  const { slack } = rig
  await rig.add({ about: ALL, condition: 'changes' })
  await rig.after(0)
  await rig.create('later')
  slack.failNext('users.info', { error: 'internal_error' })
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([])
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([expect.stringContaining('/later>* was created')])

  await rig.create('lost')
  slack.failNext('chat.postMessage', { lost: true })
  await rig.after(HOUR_MS)
  await rig.after(HOUR_MS)
  expect(rig.sent().filter((text) => text.includes('/lost>'))).toHaveLength(1)
})

/** The service as one that has only the specification's list, in which each link has its total of clicks. */
const withTotalsOnly = (client: LinkService): LinkService => ({
  create: client.create,
  readCapabilities: async () => SPECIFICATION,
  list: async (query, options) => {
    const { totalItems: _items, totalPages: _pages, ...page } = await client.list(query, options)
    return page
  },
})

test('counts today’s clicks from the first total of today if none was read on the days before', async () => {
  rig = await startAlertRig({ linkService: withTotalsOnly })
  const { name } = await rig.create('gap')
  await rig.add({ about: ALL, condition: 'in_a_day', number: 4 })
  await rig.add({ about: ALL, condition: 'no_clicks', number: 2 })
  await rig.click(name, 1)
  await rig.after(0)
  await rig.click(name, 50)
  await rig.after(4 * DAY_MS)
  expect(rig.sent()).toEqual([])
  await rig.click(name, 5)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([expect.stringContaining('got 5 clicks in a day')])
})

test('works with a service that has only the specification’s list, and clicks in it', async () => {
  rig = await startAlertRig({ linkService: withTotalsOnly })
  const { name, shortlink_url: shortUrl } = await rig.create('counted', { tags: 'spring' })
  await rig.click(name, 100)
  const link = { kind: 'link', name, shortUrl } as const
  await rig.add({ about: link, condition: 'in_a_day', number: 4 })
  await rig.add({ about: { kind: 'tag', name: 'spring' }, condition: 'reaches', number: 105 })
  await rig.add({ about: ALL, condition: 'changes' })
  await rig.add({ about: ALL, condition: 'no_clicks', number: 2 })
  await rig.after(0)
  expect(rig.calls).toEqual(['list'])
  await rig.click(name, 4)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([])
  await rig.click(name, 1)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toHaveLength(2)
  expect(rig.sent()[0]).toContain('got 5 clicks in a day')
  expect(rig.sent()[1]).toContain('reached 105 clicks')
  await rig.client.update(name, { enabled: false })
  await rig.create('second')
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()[2]).toMatch(/counted>\* was turned off.*second>\* was created/)
  await rig.client.remove(name)
  for (let day = 0; day < 4; day++) await rig.after(DAY_MS)
  expect(rig.sent().slice(3).join('')).toContain('counted>* was deleted')
  expect(rig.sent().slice(3).join('')).not.toContain('got no clicks')
})

test('a metered service is asked once an hour', async () => {
  rig = await startAlertRig({
    linkService: (client) => ({
      ...client,
      readCapabilities: async () => ({ ...ALL_OFFERS, isMetered: true }),
    }),
  })
  await rig.add({ about: ALL, condition: 'changes' })
  await rig.after(0)
  expect(rig.calls).toEqual(['list'])
  await rig.after(55 * MINUTE_MS)
  expect(rig.calls).toEqual([])
  await rig.after(5 * MINUTE_MS)
  expect(rig.calls).toEqual(['list'])
})

test('with another API key, an alert begins anew', async () => {
  rig = await startAlertRig()
  await rig.create('one')
  await rig.add({ about: ALL, condition: 'changes' })
  await rig.after(0)
  const { apiKey } = await rig.service.service.provision({ id: 'T0OTHER', name: 'Other' })
  rig.connection.current = { source: 'connected', apiKey, domains: [] }
  await rig.after(5 * MINUTE_MS)
  await rig.after(5 * MINUTE_MS)
  expect(rig.sent()).toEqual([])
})

test('an alert that is edited or stopped while it is checked sends nothing', async () => {
  const gate = Promise.withResolvers<undefined>()
  let isHeld = false
  rig = await startAlertRig({
    linkService: (client) => ({
      ...client,
      list: async (...given) => {
        const page = await client.list(...given)
        if (isHeld) await gate.promise
        return page
      },
    }),
  })
  const id = await rig.add({ about: ALL, condition: 'changes' })
  await rig.after(0)
  await rig.create('one')
  isHeld = true
  const checking = rig.after(5 * MINUTE_MS)
  await rig.store.end(TEAM.id, id)
  gate.resolve(undefined)
  await checking
  expect(rig.sent()).toEqual([])
})

describeOnDatabase((opened) => {
  test('of four processes, one reads and one sends', async () => {
    rig = await startAlertRig({ databaseUrl: opened.url, processes: 4 })
    await rig.add({ about: ALL, condition: 'changes' })
    await rig.add({ about: ALL, condition: 'changes', channel: GENERAL })
    await rig.after(0)
    expect(rig.calls).toEqual(['list'])
    await rig.create('one')
    await rig.after(5 * MINUTE_MS)
    expect(rig.calls).toEqual(['list'])
    expect([rig.sent().length, rig.sent('general').length]).toEqual([1, 1])
  })
})

test('alerts that always fail don’t keep the others from being checked', async () => {
  rig = await startAlertRig({
    linkService: (client) => ({
      ...client,
      clicks: () => Promise.reject(new Error('failing')),
    }),
  })
  for (let at = 0; at < 3; at++) {
    const { name, shortlink_url: shortUrl } = await rig.create(`failing-${at}`)
    await rig.add({ about: { kind: 'link', name, shortUrl }, condition: 'in_a_day', number: 1 })
  }
  await rig.add({ about: ALL, condition: 'changes' })
  for (let hour = 0; hour < 48; hour++) {
    if (hour === 24) await rig.create('one')
    await rig.after(HOUR_MS)
  }
  expect(rig.sent()).toHaveLength(1)
})

test('a slow or failing link service is asked less often', async () => {
  let isFailing = false
  rig = await startAlertRig({
    linkService: (client) => ({
      ...client,
      list: (...given) =>
        isFailing ? Promise.reject(new Error('failing')) : client.list(...given),
    }),
  })
  for (let at = 0; at < 3; at++)
    await rig.add({ about: { kind: 'tag', name: `t${at}` }, condition: 'changes' })
  await rig.after(0)
  isFailing = true
  await rig.after(5 * MINUTE_MS)
  expect(rig.calls).toHaveLength(3)
  await rig.after(25 * MINUTE_MS)
  expect(rig.calls).toEqual([])
  isFailing = false
  await rig.after(10 * MINUTE_MS)
  expect(rig.calls).toHaveLength(3)
})
