import { expect } from 'vitest'
import { createdEnvelope } from '../../../src/contract/shortlink.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { browserFixtures, browserIsMissing } from '../../support/browser.ts'
import { accessibilityFaults, gluedWords, overflow } from '../../support/accessibility.ts'
import { signInCommand } from '../../support/dashboard.ts'
import { callLink, getList, postForm } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

const dashboardTest = browserFixtures
  .extend('service', async ({}, { onCleanup }) => {
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
      })
    }
    return service
  })
  .skipIf(browserIsMissing)

dashboardTest('creates and copies a key with the keyboard only', async ({ page, service }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(await signInCommand(service, 'link', Date.now))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Links' }).waitFor()
  await page.goto(`${service.baseUrl}/dashboard/keys`)
  await page.getByLabel('Name').focus()
  await page.keyboard.type('Website')
  await page.keyboard.press('Enter')
  const copy = page.getByRole('button', { name: 'Copy' })
  await copy.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Copied').waitFor()
  const apiKey = await page.evaluate<string>('navigator.clipboard.readText()')
  expect((await getList({ ...service, apiKey })).status).toBe(200)
})

dashboardTest(
  'everything but the copy button works without JavaScript',
  async ({ browser, service }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(await signInCommand(service, 'link', Date.now))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Search').fill('autumn')
    await page.getByRole('button', { name: 'Search' }).click()
    await page
      .getByRole('link', { name: /\/autumn$/ })
      .first()
      .click()
    await page.getByRole('img', { name: /^QR code of/ }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/winter')
    await page.getByLabel('Expires (optional)').fill('2999-12-31')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“https://example.com/autumn” → “https://example.com/winter”').waitFor()
    const open = () => fetch(`${service.baseUrl}/autumn`, { redirect: 'manual' })
    expect((await open()).headers.get('location')).toBe('https://example.com/winter')
    await page.getByRole('button', { name: /^Turn off/ }).click()
    await page.getByRole('button', { name: /^Turn on/ }).waitFor()
    expect((await open()).status).toBe(410)
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: /^Delete link/ }).click()
    await page.getByText('This short URL will never lead anywhere again').waitFor()
    await page.goto(`${service.baseUrl}/dashboard/import`)
    await page.getByLabel('CSV file').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('destination_url\nhttps://example.com/imported\nnone\n'),
    })
    await page.getByLabel('Owner of the links').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('1 link created, 0 already existed, 1 row with errors.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await context.close()
  },
)

for (const [colorScheme, width] of [
  ['light', 1200],
  ['light', 660],
  ['dark', 380],
] as const) {
  dashboardTest(
    `pages are accessible and fit, ${colorScheme} and ${width} pixels wide`,
    async ({ page, service }) => {
      await service.database.db
        .insertInto('domains')
        .values({
          id: `go.a-long-hostname-of-a-brand.${colorScheme}-${width}.example.com`,
          domain_name: `go.a-long-hostname-of-a-brand.${colorScheme}-${width}.example.com`,
          owner_id: null,
          created_at: 1,
        })
        .execute()
      await addChart(service)
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const look = async () => ({
        at: new URL(page.url()).pathname.replace(/[\w-]{36,}/, 'ID'),
        faults: await accessibilityFaults(page),
        overflow: await overflow(page),
        glued: await gluedWords(page),
      })
      const seen = []
      await page.goto(`${service.baseUrl}/docs`)
      seen.push(await look())
      await page.goto(`${service.baseUrl}/dashboard`)
      seen.push(await look())
      await page.goto(await signInCommand(service, 'link', Date.now))
      seen.push(await look())
      await page.getByRole('button', { name: 'Sign in' }).click()
      seen.push(await look())
      await page
        .getByRole('link', { name: /\/autumn$/ })
        .first()
        .click()
      await page.getByRole('img', { name: /^Clicks by people, .* 1,200 in 7 days/ }).waitFor()
      await page.getByText('Show the figures').click()
      seen.push(await look())
      await page.goto(`${service.baseUrl}/dashboard?q=spring`)
      await page.locator('tbody a').first().click()
      seen.push(await look())
      const link = page.url()
      for (const action of ['edit', 'delete']) {
        await page.goto(`${link}/${action}`)
        seen.push(await look())
      }
      await page.goto(`${link}/edit`)
      const title = `Theirs, as long as it may be ${'very '.repeat(30)}${colorScheme} ${width}`
      const name = link.split('/').at(-1) ?? ''
      await callLink(service, 'PATCH', name, { fields: { title } })
      await page.getByLabel('Title (optional)').fill('Mine')
      await page.getByLabel('Color').fill('#ffff00')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      seen.push(await look())
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Phones can’t scan this color').waitFor()
      seen.push(await look())
      await callLink(service, 'DELETE', await linkToDelete(service))
      for (const path of ['?state=deleted', '/links/new', '/import', '/keys', '/domains']) {
        await page.goto(`${service.baseUrl}/dashboard${path}`)
        seen.push(await look())
      }
      await page.goto(`${service.baseUrl}/dashboard?state=deleted`)
      await page.locator('tbody a').first().click()
      seen.push(await look())
      await page.goto(`${service.baseUrl}/dashboard/keys`)
      await page.getByRole('link', { name: /^Revoke/ }).click()
      seen.push(await look())
      expect(seen).toEqual(
        [
          '/docs',
          '/dashboard/sign-in',
          '/dashboard/sign-in/ID',
          '/dashboard',
          '/dashboard/links/ID',
          '/dashboard/links/ID',
          '/dashboard/links/ID/edit',
          '/dashboard/links/ID/delete',
          '/dashboard/links/ID/edit',
          '/dashboard/links/ID/edit',
          '/dashboard',
          '/dashboard/links/new',
          '/dashboard/import',
          '/dashboard/keys',
          '/dashboard/domains',
          '/dashboard/links/ID',
          '/dashboard/keys/ID/revoke',
        ].map((at) => ({ at, faults: [], overflow: 0, glued: [] })),
      )
    },
  )
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
    .where('back_half', '=', 'autumn')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('click_totals').where('link_id', '=', id).execute()
  await db.deleteFrom('clicks').where('link_id', '=', id).execute()
  await db.deleteFrom('referrers').where('link_id', '=', id).execute()
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const hosts = new Map([[`${'a-long-hostname.'.repeat(12)}example.com`, 700]])
  await write(addClicks([{ link_id: id, day, people: 1_200, bots: 3, hosts }]))
}
