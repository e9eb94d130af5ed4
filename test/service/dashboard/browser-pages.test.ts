import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createdEnvelope } from '../../../src/contract/extension-calls.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { browserFixtures, browserIsMissing } from '../../support/browser.ts'
import { faultsOf, FEWER_WAYS, gluedWords, tabTo, WAYS } from '../../support/accessibility.ts'
import { signInAddress, signInCommand } from '../../support/dashboard.ts'
import { callLink, getList, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const HOSTNAME = 'go.a-hostname-as-long-as-the-name-of-a-brand.may-be.example.com'

const PHONE = { width: 390, height: 720 }

const LONG_TAGS = Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(40, 'w')).join()

const dashboardTest = browserFixtures
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await startService()
    onCleanup(() => service.close())
    for (const [back_half, destination_url] of [
      ['spring', `https://example.com/${'long-path/'.repeat(60)}`],
      ['autumn', 'https://example.com/autumn'],
    ] as const) {
      const title = back_half === 'spring' ? 'L'.repeat(200) : `${back_half} ${'sale '.repeat(30)}`
      await postForm(service, {
        destination_url,
        domain: 'default',
        back_half,
        title,
        qr_code_enabled: 'true',
        tags: back_half === 'spring' ? LONG_TAGS : '',
        expires_at: '2999-12-31T18:00:00Z',
      })
    }
    return service
  })
  .skipIf(browserIsMissing)

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
    expect(await faultsOf(page, FEWER_WAYS)).toEqual([])
    await page.keyboard.press('Tab')
    await page
      .getByRole('button', { name: /^Copy: .*keys-only$/ })
      .first()
      .and(page.locator(':focus'))
      .waitFor()
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
      const found = [...(await gluedWords(page)), ...(await faultsOf(page, FEWER_WAYS))]
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
    const domain = { id: 'other', domain_name: 'o.example', owner_id: null, created_at: 1 }
    await service.database.db.insertInto('domains').values(domain).execute()
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

dashboardTest(
  'the pages of links are accessible and fit on phones and desktops, light and dark',
  async ({ page, service }) => {
    await service.database.db
      .insertInto('domains')
      .values({ id: 'long', domain_name: HOSTNAME, owner_id: null, created_at: 1 })
      .execute()
    await addChart(service)
    const { open, look, expectNoFaults } = observe(page, service)
    await open('/docs')
    await look('/docs')
    await open('/dashboard')
    await look('/dashboard/sign-in')
    await page.goto(await signInCommand(service, 'link', Date.now))
    await look('/dashboard/sign-in/ID')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await look('/dashboard', WAYS)
    const stateMenu = page.getByLabel('State', { exact: true })
    expect(await stateMenu.isVisible()).toBe(true)
    await page.setViewportSize(PHONE)
    expect(await stateMenu.isVisible()).toBe(false)
    for (const card of await page.locator('tbody tr').all()) {
      expect(await linesOf(card.locator('.name, .url, .copy, .count, .state'))).toBe(2)
    }
    // The whole card opens the page of its link.
    const card = page.locator('tbody tr').filter({ hasText: '/spring' })
    await card.click({ position: { x: 30, y: 20 } })
    await page.getByRole('img', { name: /^Clicks by people .* 1,200 clicks by people/ }).waitFor()
    await page.getByText('Show the figures').click()
    await look('/dashboard/links/ID', WAYS)
    const link = page.url()
    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('link', { name: 'Last 30 days' }).click()
    await page.getByRole('img', { name: /^Clicks by source .*: 1,200 clicks by people/ }).waitFor()
    await look('/dashboard/reports', WAYS)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav, form').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('img', { name: /^Clicks by source/ }).isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${link}/delete`)
    await look('/dashboard/links/ID/delete')
    await page.goto(`${link}/edit`)
    const title = `Theirs, as long as it may be ${'very '.repeat(30)}`
    const name = link.split('/').at(-1) ?? ''
    await callLink(service, 'PATCH', name, { fields: { title } })
    await page.getByLabel('Title (optional)').fill('Mine')
    await page.getByLabel('Color').fill('#ffff00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await look('/dashboard/links/ID/edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Phones can’t scan this color').waitFor()
    await look('/dashboard/links/ID/edit', WAYS)
    expectNoFaults()
  },
)

dashboardTest(
  'links are selected and changed together with the keyboard, on phones and desktops, light and dark',
  async ({ page, service }) => {
    const { open, look, expectNoFaults } = observe(page, service)
    for (let at = 0; at < 26; at++) {
      await postForm(service, {
        destination_url: `https://example.com/together/${at}`,
        domain: 'default',
        title: `Together ${'w'.repeat(at * 4)}`,
      })
    }
    await page.goto(await signInCommand(service, 'link', Date.now))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Links' }).waitFor()
    await open('/dashboard?q=together')
    const [turnOff, all] = [
      page.getByRole('button', { name: 'Turn off…' }),
      page.getByLabel('Select all on this page'),
    ]
    // There is nothing to turn off yet.
    expect(await turnOff.isVisible()).toBe(false)
    await tabTo(page, 'Select all on this page')
    await page.keyboard.press('Space')
    expect(await page.locator('.pick:checked').count()).toBe(25)
    await page.locator('.pick').first().uncheck()
    expect(await all.isChecked()).toBe(false)
    await look('/dashboard', WAYS)
    await turnOff.click()
    await page.getByRole('heading', { name: 'Turn off 24 links?' }).waitFor()
    await look('/dashboard/bulk/turn-off', WAYS)
    await page.goBack()
    expect(await page.locator('.pick:checked').count()).toBe(24)
    await page.getByLabel('All 26 links that match').check()
    await page.getByRole('button', { name: 'Change tags…' }).click()
    await page.getByRole('button', { name: 'Change the tags of 26 links' }).click()
    await page.getByText('Enter a tag to add or to remove.').waitFor()
    await look('/dashboard/bulk/tags', WAYS)
    await page.getByLabel('Add tags').fill('together')
    await page.getByRole('button', { name: 'Change the tags of 26 links' }).click()
    await page.getByText('26 links changed, 0 unchanged, 0 skipped.').waitFor()
    await page.getByRole('link', { name: 'Back to the links' }).click()
    await page.locator('.pick').first().check()
    await turnOff.click()
    await page.getByRole('button', { name: 'Turn off 1 link' }).click()
    await page.getByText('1 link turned off, 0 unchanged, 0 skipped.').waitFor()
    await look('/dashboard/bulk/turn-off')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('1 link turned on, 0 unchanged, 0 skipped.').waitFor()
    await open('/dashboard')
    await page.setViewportSize(PHONE)
    for (const card of await page.locator('tbody tr').all()) {
      const name = await card.locator('.name').boundingBox()
      const pick = await card.locator('.pick').boundingBox()
      expect(Math.abs((name?.y ?? 0) - (pick?.y ?? 99))).toBeLessThan(12)
    }
    expectNoFaults()
  },
)

dashboardTest(
  'the other pages, and those of members, are accessible and fit on phones and desktops, light and dark',
  async ({ page, service }) => {
    const { open, look, expectNoFaults } = observe(page, service)
    await page.goto(await signInCommand(service, 'link', Date.now))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Links' }).waitFor()
    await callLink(service, 'DELETE', await linkToDelete(service))
    for (const path of ['/links/new', '/import', '/keys', '/domains', '/owners', '/sessions']) {
      await open(`/dashboard${path}`)
      await look(`/dashboard${path}`)
    }
    await open('/dashboard/domains')
    await page.getByLabel('Hostname').fill(HOSTNAME)
    await page.getByLabel('ID (optional)').fill('new')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('Choose who can use it.').waitFor()
    await look('/dashboard/domains')
    await page.getByLabel('Available to').selectOption('Everyone')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('was added').waitFor()
    await page.getByText('Remove this domain').click()
    await page.getByLabel('Unknown back-halves lead to').fill('https://')
    await look('/dashboard/domains/new', WAYS)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use a complete URL').waitFor()
    await look('/dashboard/domains/new')
    await page.getByText('Remove this domain').click()
    await page.getByRole('button', { name: 'Remove domain' }).click()
    await page.getByRole('heading', { name: 'Domains' }).waitFor()
    await open('/dashboard/import')
    await page.getByLabel('CSV file').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Long URL,Notes,${'w'.repeat(80)}\nhttps://example.com/imported,${'v'.repeat(90)}\nnone\n`,
      ),
    })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Notes' }).selectOption('destination_url')
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('already imported as destination_url').waitFor()
    await look('/dashboard/import/columns', WAYS)
    await page.getByRole('combobox', { name: 'Notes' }).selectOption('Don’t import')
    await page.getByLabel('Owner of the links').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('1 link created, 0 already existed, 1 row with errors.').waitFor()
    await look('/dashboard/import/columns')
    await open('/dashboard?state=deleted')
    await look('/dashboard')
    await page.setViewportSize(PHONE)
    await page.getByText('Filters (1 active)').waitFor()
    expect(await page.getByLabel('State', { exact: true }).isVisible()).toBe(true)
    await page.locator('tbody a').first().click()
    await look('/dashboard/links/ID')
    await open('/dashboard/keys')
    await page
      .getByRole('link', { name: /^Revoke/ })
      .first()
      .click()
    await look('/dashboard/keys/ID/revoke')
    await open('/dashboard/keys')
    await page
      .getByRole('link', { name: /^Destinations/ })
      .first()
      .click()
    await page.getByLabel('Destinations').fill('example.com\nnot a host')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Line 2, “not a host”, is not a hostname.').waitFor()
    await look('/dashboard/keys/ID/destinations', WAYS)
    await open('/dashboard/owners')
    await page.getByRole('link', { name: /^Rename/ }).click()
    await look('/dashboard/owners/ID/rename')
    await open('/dashboard/owners')
    await page.getByRole('link', { name: /^Erase names/ }).click()
    await look('/dashboard/owners/ID/erase-names')
    await open('/dashboard/tags')
    await look('/dashboard/tags', WAYS)
    await page.getByRole('link', { name: /^Rename or delete: 0w/ }).click()
    await look('/dashboard/tags/ID/ID')
    await page.getByLabel('Name').fill(LONG_TAGS.slice(41, 81))
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: /^Merge tags/ }).waitFor()
    await look('/dashboard/tags/ID/ID')
    // A member of a workspace, in the browser in which the administrator is signed in.
    const person = { name: 'Wolfeschlegelsteinhausenbergerdorff, Ana', role: 'admin' } as const
    const workspace = 'A workspace with a long name '.repeat(5)
    const address = await signInAddress(service, { ...person, workspace })
    await open(address)
    await look('/dashboard/sign-in/ID', WAYS)
    await page.getByRole('button', { name: 'Sign in as Wolfe' }).click()
    await look('/dashboard')
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('This session').waitFor()
    await look('/dashboard/sessions')
    await open(address)
    await page.getByText('This link no longer works.').waitFor()
    await look('/dashboard/sign-in/ID')
    await service.database.db.deleteFrom('dashboard_tokens').execute()
    await open('/dashboard/links/new')
    await page.getByText('Your session has ended.').waitFor()
    await look('/dashboard/links/new')
    expectNoFaults()
  },
)

/** Collects what is wrong with the pages that a test visits. */
function observe(page: Page, { baseUrl }: RunningService) {
  const seen: unknown[] = []
  const expected: unknown[] = []
  return {
    open: (path: string) => page.goto(baseUrl + path),
    /** Looks at a page at each width. The pages used most are looked at in both color schemes on a desktop. */
    look: async (expectedPath: string, ways: readonly (typeof WAYS)[number][] = FEWER_WAYS) => {
      const at = new URL(page.url()).pathname.replaceAll(/(?:m\.)?[\w-]{36,}/g, 'ID')
      seen.push({ at, glued: await gluedWords(page), faults: await faultsOf(page, ways) })
      expected.push({ at: expectedPath, glued: [], faults: [] })
    },
    expectNoFaults: () => expect(seen).toEqual(expected),
  }
}

/** On how many lines the parts of a card are: their middles are at most a few pixels apart on each. */
async function linesOf(parts: Locator): Promise<number> {
  const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()))
  const middles = boxes.map((box) => (box?.y ?? NaN) + (box?.height ?? NaN) / 2)
  return middles
    .sort((a, b) => a - b)
    .filter((at, index, all) => !(at - (all[index - 1] ?? -99) < 10)).length
}

/** Creates a link, and returns its name. */
async function linkToDelete(service: RunningService): Promise<string> {
  const fields = { destination_url: 'https://example.com/deleted', domain: 'default' }
  const { body } = await postForm(service, fields)
  return createdEnvelope.parse(body).data.shortlink.name
}

/** Adds clicks to a link, so that its page has a chart. */
async function addChart({ database: { db, write } }: RunningService): Promise<void> {
  const { id } = await db
    .selectFrom('links')
    .select('id')
    .where('back_half', '=', 'spring')
    .executeTakeFirstOrThrow()
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const hosts = new Map([[`${'a-long-hostname.'.repeat(12)}example.com`, 700]])
  await write(addClicks([{ link_id: id, day, people: 1_200, bots: 3, hosts }]))
}
