import { expect } from 'vitest'
import {
  dashboardTest,
  LONG_HOSTNAME,
  LONG_TAGS,
  observe,
  PHONE,
} from '../../support/dashboard-page.ts'
import { signInAddress, signInCommand } from '../../support/dashboard.ts'
import { callLink, newLink } from '../../support/service-calls.ts'

dashboardTest(
  'the other pages, and those of members, are accessible and fit on phones and desktops, light and dark',
  async ({ page, service }) => {
    const { open, look, expectNoFaults } = observe(page, service)
    await page.goto(await signInCommand(service, 'link', Date.now))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Links' }).waitFor()
    await callLink(service, 'DELETE', (await newLink(service)).name)
    for (const path of ['/links/new', '/import', '/keys', '/domains', '/owners', '/sessions']) {
      await open(`/dashboard${path}`)
      await look(`/dashboard${path}`)
    }
    await open('/dashboard/domains')
    await page.getByLabel('Hostname').fill(LONG_HOSTNAME)
    await page.getByLabel('ID (optional)').fill('new')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('Choose who can use it.').waitFor()
    await look('/dashboard/domains')
    await page.getByLabel('Available to').selectOption('Everyone')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('was added').waitFor()
    await page.getByText('Remove this domain').click()
    await page.getByLabel('Unknown back-halves lead to').fill('https://')
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
    await look('/dashboard/import/columns')
    await page.getByRole('combobox', { name: 'Notes' }).selectOption('Don’t import')
    await page.getByLabel('Workspace of the links').selectOption({ index: 2 })
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
    const first = (name: RegExp) => page.getByRole('link', { name }).first()
    await first(/^Revoke/).click()
    await look('/dashboard/keys/ID/revoke')
    await open('/dashboard/keys')
    await first(/^Destinations/).click()
    await page.getByLabel('Destinations').fill('example.com\nnot a host')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Line 2, “not a host”, is not a hostname.').waitFor()
    await look('/dashboard/keys/ID/destinations')
    await open('/dashboard/owners')
    await page.getByRole('link', { name: /^Rename/ }).click()
    await look('/dashboard/owners/ID/rename')
    await open('/dashboard/owners')
    await page.getByRole('link', { name: /^Erase names/ }).click()
    await look('/dashboard/owners/ID/erase-names')
    await open('/dashboard/tags')
    await look('/dashboard/tags')
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
    await look('/dashboard/sign-in/ID')
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
