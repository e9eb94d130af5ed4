import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { faultsOf, gluedWords, tabTo } from '../../support/accessibility.ts'
import { dashboardTest } from '../../support/dashboard-page.ts'
import { signInAddress, signInCommand } from '../../support/dashboard.ts'
import { addDomainRecord } from '../../support/rows.ts'
import { getList } from '../../support/service-calls.ts'

dashboardTest(
  'creates and copies a link and a key with the keyboard only',
  async ({ page, service }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.goto(await signInCommand(service, 'link', Date.now))
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Links' }).waitFor()
    await tabTo(page, 'New link')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New link' }).waitFor()
    await tabTo(page, 'Destination')
    await page.keyboard.type('https://example.com/keys-only')
    await tabTo(page, /^Back-half/)
    await page.keyboard.type('keys-only')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /keys-only/ }).waitFor()
    // The notice that the link was created has the focus, and the next element copies the short URL.
    const notice = page.getByText(/keys-only was created\./)
    await page.locator('.notice:focus').filter({ has: notice }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.locator(':focus[aria-label^="Copy: "][aria-label$="/keys-only"]').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Copied').waitFor()
    expect(await copied()).toBe(`${service.baseUrl}/keys-only`)

    await tabTo(page, 'API keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await tabTo(page, 'Name')
    await page.keyboard.type('Website')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your new key' }).waitFor()
    await tabTo(page, 'Copy the key')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Copied').waitFor()
    expect((await getList({ ...service, apiKey: await copied() })).status).toBe(200)

    // Over plain http, the browser has no navigator.clipboard.
    await page.route('http://go.example/**', (route) =>
      route.continue({ url: route.request().url().replace('http://go.example', service.baseUrl) }),
    )
    const cookies = await page.context().cookies()
    await page.context().addCookies(cookies.map((one) => ({ ...one, domain: 'go.example' })))
    await page.goto('http://go.example/dashboard?q=keys-only')
    expect(await page.evaluate('navigator.clipboard')).toBeUndefined()
    await page.getByRole('button', { name: /^Copy: / }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    await page.getByLabel('Search for').fill('')
    await page.keyboard.press('Control+V')
    expect(await page.getByLabel('Search for').inputValue()).toBe(`${service.baseUrl}/keys-only`)
  },
)

dashboardTest(
  'a form whose session has ended is sent again after signing in in another tab',
  async ({ page, service }) => {
    const faults: string[] = []
    const look = async (what: string) => {
      const found = [...(await gluedWords(page)), ...(await faultsOf(page))]
      faults.push(...found.map((fault) => `${what}: ${fault}`))
    }
    const signIn = async (tab: Page, role: 'editor' | 'admin') => {
      const workspace = 'A workspace with quite a long name'
      const address = await signInAddress(service, { name: 'Wilhelmina García', role, workspace })
      await tab.goto(service.baseUrl + address)
      await tab.getByRole('button', { name: /^Sign in as/ }).click()
      await tab.getByRole('heading', { name: 'Links' }).waitFor()
    }
    await signIn(page, 'admin')
    await look('links')
    await page.getByRole('link', { name: 'API keys' }).click()
    await look('keys')
    await page.goto(`${service.baseUrl}/dashboard/domains`)
    await look('refusal')
    await page.goto(`${service.baseUrl}/dashboard/links/new`)
    await page.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/not-lost')
    await look('new')
    await service.database.db.updateTable('dashboard_tokens').set({ ended_at: 1 }).execute()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('Nothing was saved yet.').waitFor()
    await look('ended')

    const tab = await page.context().newPage()
    await signIn(tab, 'editor')
    await tab.close()
    await page.reload()
    await page.getByText('was created').waitFor()
    await page.getByRole('link', { name: 'example.com/not-lost' }).waitFor()
    await look('link')
    expect(faults).toEqual([])
  },
)

dashboardTest(
  'Back shows a form that had errors with what was typed, until the person signs out',
  async ({ page, service }) => {
    const submit = (button: string) => page.getByRole('button', { name: button }).click()
    const password = await signInCommand(service, 'password', Date.now)
    await addDomainRecord(service.database, 'other')
    for (const [path, button, name, wrong, right, error] of [
      ['/sign-in', 'Sign in', 'password', 'wrong', password, 'This password is wrong.'],
      ['/links/new', 'Create link', 'back_half', 'a/b', 'back', 'Use at most 100 characters'],
      ['/domains/other', 'Save', 'home_url', 'x', 'https://a.example', 'a complete URL'],
      [`/owners/${service.ownerId}/rename`, 'Rename', 'name', ' ', 'Renamed', 'Enter a name.'],
      ['/keys', 'Create key', 'name', ' ', 'Key', 'Enter a name, so'],
    ] as const) {
      await page.goto(`${service.baseUrl}/dashboard${path}`)
      if (path === '/links/new') {
        await page.fill('[name=destination_url]', 'https://example.com/back')
      }
      await page.fill(`[name=${name}]`, wrong)
      await submit(button)
      await page.getByText(error).waitFor()
      await page.fill(`[name=${name}]`, right)
      await submit(button)
      await page.getByText(error).waitFor({ state: 'hidden' })
      await page.goBack()
      await page.getByText(error).waitFor()
      // Browsers don't keep passwords.
      expect(await page.inputValue(`[name=${name}]`)).toBe(path === '/sign-in' ? '' : right)
    }
    await page.fill('[name=name]', ' ')
    await submit('Create key')
    await page.getByText('Enter a name, so').waitFor()
    await submit('Sign out')
    await page.getByLabel('Password').waitFor()
    await expect(page.goBack()).rejects.toThrow('ERR_CACHE_MISS')
  },
)
