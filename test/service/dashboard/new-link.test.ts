import { expect, test } from 'vitest'
import { addDomain } from '../../../src/service/store/domains.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { cookieOf, multipartForm } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { PNG } from '../../support/images.ts'
import { call } from '../../support/service-calls.ts'

const PATH = '/dashboard/links/new'

describeService((service, browser) => {
  /** Opens the form, fills it in and submits it, as a browser does. */
  async function create(fields: Record<string, string | File>) {
    await browser.get(PATH)
    return submit(fields)
  }

  const submit = (fields: Record<string, string | File>) =>
    browser.post(PATH, multipartForm({ owner: service.ownerId, domain: 'default', ...fields }))

  const rowOf = (backHalf: string) =>
    service.database.db
      .selectFrom('links')
      .selectAll()
      .where('back_half', '=', backHalf)
      .executeTakeFirst()

  const countLinks = async () =>
    (await service.database.db.selectFrom('links').select('id').execute()).length

  test('creates a link with everything that the form offers, and shows it', async () => {
    const { status, location } = await create({
      destination_url: 'https://example.com/all',
      back_half: 'all',
      title: 'All of it',
      utm_analytics_enabled: 'true',
      utm_source: 'newsletter',
      is_custom_preview: 'true',
      preview_title: 'Spring',
      preview_description: 'Two\r\nlines',
      preview_image: new File([PNG], 'card.png'),
      qr_code_enabled: 'true',
      qr_code_color: '#1f4f46',
    })
    const row = await rowOf('all')
    expect([status, location]).toEqual([303, `/dashboard/links/${row?.id}`])
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
    await create({
      destination_url: 'https://example.com/plain',
      back_half: 'plain',
      utm_analytics_enabled: 'true',
      is_custom_preview: 'true',
      qr_code_color: '#000000',
    })
    expect(await rowOf('plain')).toMatchObject({
      utm_analytics_enabled: 0,
      is_custom_preview: 0,
      qr_code_enabled: 0,
      qr_code_color: null,
    })
  })

  test('shows every error at its field and keeps what was entered, except the image', async () => {
    const { status, text } = await create({
      destination_url: 'javascript:alert(1)',
      domain: 'nowhere',
      back_half: 'a b',
      title: '"quoted" <b>',
      utm_source: 'kept',
      preview_description: 'first\r\nsecond',
      preview_image: new File([PNG], 'card.png'),
      qr_code_color: '#ffff00',
    })
    expect(status).toBe(422)
    for (const [name, error] of [
      ['destination_url', 'Use a URL that starts with https:// or http://.'],
      [
        'domain',
        'There is no domain record with this ID that can be used here. Choose another one.',
      ],
      ['back_half', 'Use at most 100 characters: letters, digits, - and _.'],
      ['qr_code_color', 'Phones can’t scan this color on white. Choose a darker one.'],
    ] as const) {
      expect(text).toContain(`<small class="error" id="${name}-error">${error}</small>`)
    }
    expect(text).toContain('value="javascript:alert(1)"')
    expect(text).toContain('value="&quot;quoted&quot; &lt;b>"')
    expect(text).toContain('value="kept"')
    expect(text).toContain('>first\nsecond</textarea>')
    expect(text).toContain('id="preview_image-error">Choose the image again.')
  })

  test('says that the image must be chosen again until it is chosen or the link is created', async () => {
    const image = new File([PNG], 'card.png')
    const first = await create({ destination_url: 'nothing', preview_image: image })
    expect(first.text).toContain('<input type="hidden" name="needs_image" value="true"/>')
    const again = await submit({ destination_url: 'still nothing', needs_image: 'true' })
    expect(again.text).toContain('id="preview_image-error">Choose the image again.')
  })

  test('keeps the text if the image is far too large', async () => {
    const { status, text } = await create({
      destination_url: 'https://example.com/photo',
      title: 'A photo',
      preview_image: new File([new Uint8Array(20_000_000)], 'photo.jpg'),
    })
    expect(status).toBe(422)
    expect(text).toContain('Use an image of at most 512,000 bytes (500 KB).')
    expect(text).toContain('value="A photo"')
  })

  test('creates one link if the form is submitted twice, and shows it both times', async () => {
    await browser.get(PATH)
    const before = await countLinks()
    const fields = { destination_url: 'https://example.com/twice' }
    const responses = await Promise.all([submit(fields), submit(fields)])
    expect(await countLinks()).toBe(before + 1)
    expect(responses.map(({ status }) => status)).toEqual([303, 303])
    expect(new Set(responses.map(({ location }) => location)).size).toBe(1)
  })

  test('a rejected form can be corrected and submitted again', async () => {
    await create({ destination_url: 'https://example.com/first', back_half: 'mine' })
    await browser.get(PATH)
    const taken = await submit({ destination_url: 'https://example.com/second', back_half: 'mine' })
    expect(taken.status).toBe(409)
    expect(taken.text).toContain('This back-half is taken on this domain. Choose another one.')
    const corrected = { destination_url: 'https://example.com/second', back_half: 'yours' }
    expect((await submit(corrected)).status).toBe(303)
  })

  test('links to the existing link of a duplicate', async () => {
    await create({ destination_url: 'https://example.com/known', back_half: 'known' })
    const { status, text } = await create({ destination_url: 'https://example.com/known' })
    expect(status).toBe(409)
    expect(text).toContain(`This destination already has a short link on this domain: `)
    expect(text).toContain(`href="/dashboard/links/${(await rowOf('known'))?.id}"`)
    expect(text).toContain('value="https://example.com/known"')
  })

  test('creates the link for the chosen owner, on a domain that this owner can use', async () => {
    const { db } = service.database
    const other = await addOwner(db, { kind: 'organization', name: 'Other', now: 1, maxLinks: 1 })
    const domain = { id: 'theirs', domain_name: 'their.example', created_at: 1 }
    await addDomain(db, { ...domain, owner_id: other.id })
    const fields = { destination_url: 'https://example.com/theirs', domain: 'theirs' }
    expect((await create(fields)).text).toContain('There is no domain record with this ID')
    expect((await create({ ...fields, owner: other.id })).status).toBe(303)
    const over = await create({ destination_url: 'https://example.com/over', owner: other.id })
    expect(over.status).toBe(409)
    expect(over.text).toContain(
      'This owner’s quota of short links (1) is used up. The administrator of this link service can raise it with npm run admin -- orgs quota',
    )
    const nobody = await create({ destination_url: 'https://example.com/over', owner: 'nobody' })
    expect(nobody.status).toBe(422)
    expect(nobody.text).toContain('Choose an owner.')
  })

  test('rejects a form without its token, and one from another site', async () => {
    await browser.get(PATH)
    const fields = { destination_url: 'https://example.com/forged', domain: 'default' }
    const form = multipartForm({ ...fields, owner: service.ownerId, _csrf: 'forged' })
    const forged = await call(service.baseUrl + PATH, {
      method: 'POST',
      headers: { cookie: cookieOf(browser) },
      body: form,
    })
    expect(forged.status).toBe(403)
    const foreign = await browser.post(PATH, form, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    const anonymous = await call(service.baseUrl + PATH, { method: 'POST', body: form })
    expect(anonymous.headers.get('location')).toBe('/dashboard/sign-in')
  })
})
