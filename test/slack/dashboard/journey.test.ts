import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { browse, multipartForm, plainText, signedIn } from '../../support/dashboard.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import type { PersonDriver } from '../../support/person.ts'

describeOnDatabase((opened) => {
  let app: TestApp
  beforeAll(async () => {
    const encryptionKeys = [randomBytes(32)]
    app = await startApp({ config: { databaseUrl: opened.url, encryptionKeys } })
    return () => app.stop()
  })

  /** Opens the dashboard from Slack, and signs in with the address. */
  async function opensDashboard(person: PersonDriver) {
    const modal = await person.opens('/shorten dashboard', 'Open the dashboard')
    await person.presses('Open the dashboard')
    await person.closesAll()
    const { pathname } = new URL(/"url":"([^"]+)"/.exec(modal)?.[1] ?? '')
    const browser = browse({ baseUrl: app.running.serviceUrl })
    const page = plainText(await browser.get(pathname))
    expect((await browser.post(pathname)).location).toBe('/dashboard')
    return { browser, page }
  }

  const EVERYONE = ['Everyone who can shorten links', 'can change them.'] as const
  const CREATORS = ['The person who created it, and admins', 'changed by the person who'] as const

  /** An admin chooses in *Permissions* who can change links. @param seen what the settings then say */
  async function letsChange([who, seen]: typeof EVERYONE | typeof CREATORS) {
    const { ana } = app.slack
    await ana.opens('/shorten settings', 'Permissions')
    await ana.presses('edit_may_shorten')
    await ana.seesModal('may_change')
    ana.fills({ may_change: who })
    await ana.submits()
    await ana.seesModal(seen)
  }

  const isSignedIn = async ({ browser }: Awaited<ReturnType<typeof opensDashboard>>) =>
    (await browser.get('/dashboard')).status === 200

  test('people sign in to the dashboard from Slack as themselves, until the permissions change', async () => {
    const { ana, ben, refusals } = app.slack
    const asAdmin = await opensDashboard(ana)
    expect(asAdmin.page).toContain('Sign in as Ana M.')
    const asCreator = await opensDashboard(ben)
    expect(asCreator.page).toContain('Sign in as Ben Okafor')
    expect(await isSignedIn(asAdmin)).toBe(true)
    expect(await isSignedIn(asCreator)).toBe(true)

    await letsChange(EVERYONE)
    expect(await isSignedIn(asAdmin)).toBe(false)
    expect(await isSignedIn(asCreator)).toBe(false)
    expect((await opensDashboard(ben)).page).toContain('change and delete all links')
    expect(refusals()).toEqual([])
  })

  test('a person who is no longer an admin, or was deactivated, is signed out', async () => {
    const { ana, ben, refusals, workspace } = app.slack
    const [admin, creator] = [await opensDashboard(ana), await opensDashboard(ben)]
    workspace.changeAccount(ben.id, { admin: false })
    workspace.changeAccount(ana.id, { admin: true })
    workspace.changeAccount(ana.id, { admin: false })
    await expect.poll(() => isSignedIn(admin)).toBe(false)
    expect(await isSignedIn(creator)).toBe(true)
    workspace.changeAccount(ben.id, { deactivated: true })
    await expect.poll(() => isSignedIn(creator)).toBe(false)
    workspace.changeAccount(ana.id, { admin: true })
    workspace.changeAccount(ben.id, { deactivated: false })
    expect(refusals()).toEqual([])
  })

  test('a member changes a link in the dashboard, whose history then has their name', async () => {
    const { ben, gil } = app.slack
    await letsChange(CREATORS)
    await ben.asks('/shorten https://example.com/bens bens qr=off', { for: '/bens' })
    await gil.asks('/shorten https://example.com/gils gils qr=off', { for: '/gils' })
    const { browser } = await opensDashboard(ben)
    const pageOf = async (text: string): Promise<string> => {
      const list = (await browser.get(`/dashboard?q=${text}`)).text
      return /\/dashboard\/links\/[\da-f-]{36}/.exec(list)?.[0] ?? ''
    }
    const [own, other] = [await pageOf('/bens'), await pageOf('/gils')]
    expect(plainText(await browser.get(other))).toContain('Gil with Backhalf app')
    expect((await browser.post(`${other}/turn-off`)).status).toBe(403)

    await browser.get(own)
    expect((await browser.post(`${own}/turn-off`)).status).toBe(303)
    expect(plainText(await browser.get(own))).toContain('Turned off Ben Okafor')
    await ben.asks('/shorten list bens', { for: ':no_entry_sign:' })
  })

  test('a link that a member creates in the dashboard is theirs in Slack, too', async () => {
    const { ben, gil } = app.slack
    await letsChange(CREATORS)
    const { browser } = await opensDashboard(ben)
    await browser.get('/dashboard/links/new')
    const fields = { destination_url: 'https://example.com/dash', domain: 'default' }
    const form = multipartForm({ ...fields, back_half: 'from-dashboard' })
    expect((await browser.post('/dashboard/links/new', form)).status).toBe(303)

    const list = '/shorten list from-dashboard'
    const seen = async (person: PersonDriver) =>
      JSON.stringify(await person.asks(list, { for: '/from-dashboard' }))
    expect(await seen(gil)).not.toContain('"Edit"')
    expect(await seen(ben)).toContain('"Edit"')
    await gil.opens('/shorten edit from-dashboard', 'Only admins can change this link')
    await ben.opens('/shorten edit from-dashboard', 'example.com/dash')
    ben.fills({ title: 'From the dashboard' })
    await ben.submits()
    await ben.asks(list, { for: 'From the dashboard' })
  })

  test('an admin erases a person, whose name the links then don’t have', async () => {
    const { ana, ben } = app.slack
    const { databaseUrl, running } = app
    const browser = await signedIn({ databaseUrl, baseUrl: running.serviceUrl })
    const readLinks = async () => (await browser.get('/dashboard/links.csv')).text
    expect(await readLinks()).toContain('Ben Okafor')
    await ana.opens('/shorten settings', 'Erase an ID')
    await ana.presses('erase_person')
    await ana.seesModal('What is erased')
    ana.fills({ 'Member ID': ben.id, Confirm: ['on'] })
    await ana.submits()
    await ana.seesModal('Erased. The person was recorded as the creator of 1 link.')
    expect(await readLinks()).not.toContain('Ben Okafor')
  })
})
