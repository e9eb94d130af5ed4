import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addOwner } from '../../../src/service/store/owners.ts'
import { expectPage } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { PNG } from '../../support/images.ts'
import { linkAt } from '../../support/links.ts'
import { addDomainRecord } from '../../support/rows.ts'
import { call } from '../../support/service-calls.ts'

const PATH = '/dashboard/links/new'

describeService((service, browser) => {
  /** Fills in the form, and submits it. */
  const create = (fields: Record<string, string | File | undefined>) =>
    browser.submit(PATH, { owner: service.ownerId, ...fields })

  const rowOf = (backHalf: string) => linkAt(service.database, backHalf)

  test('creates a link with everything that the form offers, and shows it', async () => {
    const { status, location } = await create({
      destination_url: 'https://example.com/all',
      back_half: 'all',
      title: 'All of it',
      utm_source: 'newsletter',
      preview_title: 'Spring',
      preview_description: 'Two\r\nlines',
      preview_image: new File([PNG], 'card.png'),
      qr_code_color: '#1f4f46',
    })
    const row = await rowOf('all')
    expect([status, location]).toEqual([303, `/dashboard/links/${row.id}`])
    expect(row).toMatchObject({
      owner_id: service.ownerId,
      title: 'All of it',
      utm_analytics_enabled: 1,
      utm_source: 'newsletter',
      is_custom_preview: 1,
      preview_title: 'Spring',
      preview_description: 'Two\nlines',
      preview_image_type: 'image/png',
      qr_code_enabled: 1,
      qr_code_color: '#1f4f46',
    })
    expect((await browser.get(location ?? '')).text).toContain('All of it')
    const { headers } = await call(`${service.baseUrl}/all`)
    expect(headers.get('location')).toBe('https://example.com/all?utm_source=newsletter')
  })

  test('a group that is checked but empty is not enabled, and black counts as no color', async () => {
    const fields = { destination_url: 'https://example.com/plain', back_half: 'plain' }
    await create({ ...fields, qr_code_enabled: undefined })
    expect(await rowOf('plain')).toMatchObject({
      utm_analytics_enabled: 0,
      is_custom_preview: 0,
      qr_code_enabled: 0,
      qr_code_color: null,
    })
  })

  test('shows every error at its field and keeps what was entered, except the image, which must be chosen again', async () => {
    const page = await create({
      destination_url: 'javascript:alert(1)',
      domain: 'nowhere',
      back_half: 'a b',
      title: '"quoted" <b>',
      utm_source: 'kept',
      preview_description: 'first\r\nsecond',
      preview_image: new File([PNG], 'card.png'),
      qr_code_color: '#ffff00',
    })
    expect(page.status).toBe(422)
    for (const [name, error] of [
      ['destination_url', 'Use a URL that starts with https:// or http://.'],
      ['domain', 'There is no domain record with this ID that can be used here. Choose another'],
      ['back_half', 'Use at most 100 characters: letters, digits, - and _.'],
      ['qr_code_color', 'Phones can’t scan this color on white. Choose a darker one.'],
      ['preview_image', 'Choose the image again.'],
    ] as const) {
      expect(page.text).toContain(`<small class="error" id="${name}-error">${error}`)
    }
    expect(page.text).toContain('value="javascript:alert(1)"')
    expect(page.text).toContain('value="&quot;quoted&quot; &lt;b>"')
    expect(page.text).toContain('value="kept"')
    expect(page.text).toContain('>first\nsecond</textarea>')
    const again = await browser.submit(PATH, { title: '' }, page)
    expect(again.text).toContain('id="preview_image-error">Choose the image again.')
  })

  test('shrinks an image that is too large', async () => {
    const image = sharp(randomBytes(750_000), { raw: { width: 500, height: 500, channels: 3 } })
    const preview_image = new File([await image.png().toBuffer()], 'noise.png')
    const fields = { destination_url: 'https://example.com/noise', preview_image }
    expect((await create({ ...fields, back_half: 'noise' })).status).toBe(303)
    expect(await rowOf('noise')).toMatchObject({
      preview_image_type: 'image/jpeg',
      preview_image_width: 500,
    })
  })

  test.each([
    ['too large and can’t be shrunk', 600_000, 'This image couldn’t be shrunk. Save it again as'],
    ['far too large', 20_000_000, 'Use an image of at most 512,000 bytes (500 KB).'],
  ])('keeps the text if the image is %s', async (_what, bytes, error) => {
    const preview_image = new File([Buffer.concat([PNG.subarray(0, 20)], bytes)], 'photo.png')
    const destination_url = 'https://example.com/photo'
    const page = await create({ destination_url, title: 'A photo', preview_image })
    expectPage(page, 422, error)
    expect(page.text).toContain('value="A photo"')
  })

  test('creates one link if the form is submitted twice, and shows it both times', async () => {
    const form = await browser.get(PATH)
    const fields = { owner: service.ownerId, destination_url: 'https://example.com/twice' }
    const submit = () => browser.submit(PATH, fields, form)
    const [one, other] = await Promise.all([submit(), submit()])
    expect([one.status, one.location]).toEqual([303, expect.stringContaining('/links/')])
    expect([other.status, other.location]).toEqual([303, one.location])
  })

  test('says once that a back-half differs from another only in case, and links to that one', async () => {
    await create({ destination_url: 'https://example.com/poster', back_half: 'Summer' })
    const told = await create({ destination_url: 'https://example.com/other', back_half: 'summer' })
    expect(told.status).toBe(409)
    expect(told.text).toContain('/Summer differs only in upper and lower case.')
    expect(told.text).toContain(`href="/dashboard/links/${(await rowOf('Summer')).id}"`)
    expect((await browser.submit(PATH, {}, told)).status).toBe(303)
    expect((await rowOf('summer')).destination_url).toBe('https://example.com/other')
  })

  test('links to the existing link of a duplicate, and can be corrected and submitted again', async () => {
    await create({ destination_url: 'https://example.com/known', back_half: 'known' })
    const page = await create({ destination_url: 'https://example.com/known' })
    expectPage(page, 409, 'This destination already has a short link on this domain: ')
    expect(page.text).toContain(`href="/dashboard/links/${(await rowOf('known')).id}"`)
    expect(page.text).toContain('value="https://example.com/known"')
    const corrected = { destination_url: 'https://example.com/new', back_half: 'corrected' }
    expect((await browser.submit(PATH, corrected, page)).status).toBe(303)
    expect((await rowOf('corrected')).destination_url).toBe('https://example.com/new')
  })

  test('creates the link for the chosen owner, on a domain that this owner can use', async () => {
    const { db } = service.database
    const row = { kind: 'organization', name: 'Other', created_at: 1, max_links: 1 } as const
    const other = await addOwner(db, row)
    await addDomainRecord(service.database, 'theirs', other.id)
    const fields = { destination_url: 'https://example.com/theirs', domain: 'theirs' }
    expect((await create(fields)).text).toContain('There is no domain record with this ID')
    expect((await create({ ...fields, owner: other.id })).status).toBe(303)
    const over = await create({ destination_url: 'https://example.com/over', owner: other.id })
    const error =
      'This workspace’s quota of short links (1) is used up. The administrator of this link service can raise it with npm run admin -- orgs quota'
    expectPage(over, 409, error)
    expect(over.text).toContain('value="https://example.com/over"')
    const unowned = await create({ destination_url: 'https://example.com/over', owner: 'nobody' })
    expectPage(unowned, 422, 'Choose a workspace.')
  })
})
