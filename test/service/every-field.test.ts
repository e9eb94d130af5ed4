import { beforeAll, expect, test } from 'vitest'
import {
  CREATE_FIELDS,
  eachField,
  fieldsOfKind,
  fieldsWith,
  LINK_FIELD_NAMES,
  specOf,
  without,
  type FieldKind,
  type LinkField,
} from '../../src/contract/link-fields.ts'
import { LISTED_FIELDS } from '../../src/contract/shortlink.ts'
import { signedIn, type DashboardBrowser } from '../support/dashboard.ts'
import { PNG } from '../support/images.ts'
import { callLink, getList, postForm, type ServiceResponse } from '../support/service-calls.ts'
import { startService, type RunningService } from '../support/service.ts'

/*
 * Whatever the table of fields has, the service stores, shows, changes, clears, exports and imports.
 */

const SAMPLES: Record<Exclude<FieldKind, 'image'>, (name: LinkField) => string> = {
  url: () => 'https://example.com/every-field',
  domain: () => 'default',
  back_half: () => 'every-field',
  text: (name) => `The ${name}`,
  lines: (name) => `Two lines\r\nof ${name}`,
  flag: () => 'true',
  color: () => '#123456',
  instant: () => '2999-12-31T18:00:00.000Z',
}

const TEXTS = without(CREATE_FIELDS, fieldsOfKind('image'))

const samples = eachField(TEXTS, (name) => {
  const { kind } = specOf(name)
  return kind === 'image' ? '' : SAMPLES[kind](name)
})

let service: RunningService
let browser: DashboardBrowser
let name: string

type Link = Record<string, unknown>

const linkIn = ({ body }: ServiceResponse) =>
  (body as { data: { shortlink: Link & { name: string } } }).data.shortlink

/** The samples as responses show them. */
function expected(names: readonly LinkField[], link: Link): Link {
  return eachField(names, (field) => {
    const { kind } = specOf(field)
    if (kind === 'image') return `${service.baseUrl}/preview-images/${String(link['name'])}.png`
    return kind === 'flag' ? true : samples[field as (typeof TEXTS)[number]]
  })
}

beforeAll(async () => {
  service = await startService()
  browser = await signedIn(service)
  const created = await postForm(service, { ...samples, preview_image: new File([PNG], 'a.png') })
  expect(created.text).toContain('"success"')
  name = linkIn(created).name
  return () => service.close()
})

test('a link and the list show it', async () => {
  const link = linkIn(await callLink(service, 'GET', name))
  expect(link).toMatchObject(expected(LINK_FIELD_NAMES, link))
  const { body } = await getList(service)
  const [listed = {}] = (body as { data: { shortlinks: Link[] } }).data.shortlinks
  expect(listed).toMatchObject(expected(LISTED_FIELDS, listed))
})

test('the dashboard shows it, and its form contains it', async () => {
  const page = await browser.get(`/dashboard/links/${name}`)
  for (const field of without(fieldsOfKind('text', 'lines'), ['title'])) {
    expect(page.text).toContain(`<dt>${specOf(field).label}</dt><dd>${samples[field]}</dd>`)
  }
  const form = await browser.get(`/dashboard/links/${name}/edit`)
  for (const field of CREATE_FIELDS) expect(form.text).toContain(` name="${field}"`)
  for (const field of fieldsOfKind('url', 'back_half', 'text', 'color')) {
    expect(form.text).toContain(` name="${field}" value="${samples[field]}"`)
  }
})

test('an export has it, and an import takes it', async () => {
  const { text } = await browser.get('/dashboard/links.csv')
  const [headings = ''] = text.split('\r\n')
  for (const field of TEXTS) expect(headings.split(',')).toContain(field)
  const { db } = service.database
  const { id } = await db.selectFrom('owners').select('id').executeTakeFirstOrThrow()
  const form = new FormData()
  form.set('owner', id)
  form.set('domain', 'default')
  form.set(
    'file',
    new File([text.replaceAll('every-field', 'copy')], 'links.csv', { type: 'text/csv' }),
  )
  await browser.get('/dashboard/import')
  expect((await browser.post('/dashboard/import', form)).text).toContain('1 link created')
  const { id: copy } = await db
    .selectFrom('links')
    .select('id')
    .where('back_half', '=', 'copy')
    .executeTakeFirstOrThrow()
  const kept = without(TEXTS, ['destination_url', 'back_half'])
  const link = linkIn(await callLink(service, 'GET', copy))
  expect(link).toMatchObject(expected(kept, link))
})

test('a change clears it, unless every link has it, and the history shows that', async () => {
  const permanent = fieldsWith({ isPermanent: true })
  const fields = eachField(permanent, () => '')
  const { status, text } = await callLink(service, 'PATCH', name, { fields })
  expect(status).toBe(422)
  for (const field of permanent) expect(text).toContain(`"${field}":["This field can’t be empty."]`)

  const clearable = without(LINK_FIELD_NAMES, permanent)
  await callLink(service, 'PATCH', name, { fields: eachField(clearable, () => '') })
  const link = linkIn(await callLink(service, 'GET', name))
  for (const field of clearable) {
    expect(link[field]).toBe(specOf(field).kind === 'flag' ? false : undefined)
  }
  const history = (await browser.get(`/dashboard/links/${name}`)).text
  for (const field of clearable) expect(history).toContain(`<bdi>${specOf(field).label}: `)
})
