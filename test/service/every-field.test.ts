import { expect } from 'vitest'
import {
  CREATE_FIELDS,
  fieldsOfKind,
  fieldsWith,
  LINK_FIELD_NAMES,
  FIELD_SPECS,
  without,
  type LinkField,
} from '../../src/contract/link-fields.ts'
import { eachField, type FieldKind } from '../../src/contract/field-spec.ts'
import { LISTED_FIELDS } from '../../src/contract/shortlink.ts'
import { importFile, plainText } from '../support/dashboard.ts'
import { withDashboard } from '../support/fixtures.ts'
import { PNG } from '../support/images.ts'
import { linkAt } from '../support/links.ts'
import { callLink, errorsIn, linkIn, listed, postForm } from '../support/service-calls.ts'

/*
 * Whatever the table of fields has, the service stores, shows, changes, clears, exports and imports.
 */

const SAMPLES: Record<Exclude<FieldKind, 'image'>, (name: LinkField) => string> = {
  url: () => 'https://example.com/every-field',
  domain: () => 'default',
  back_half: () => 'every-field',
  text: (name) => `The ${name}`,
  lines: (name) => `Two lines\r\nof ${name}`,
  tags: () => 'print, Spring sale',
  flag: () => 'true',
  color: () => '#123456',
  instant: () => '2999-12-31T18:00:00.000Z',
}

const TEXTS = without(CREATE_FIELDS, fieldsOfKind('image'))

const samples = eachField(TEXTS, (name) => {
  const { kind } = FIELD_SPECS[name]
  return kind === 'image' ? '' : SAMPLES[kind](name)
})

const { test, service, browser } = withDashboard()
let name: string

type Link = Partial<Record<string, unknown>>

/** The samples as responses show them. */
function expected(names: readonly LinkField[], link: Link): Link {
  return eachField(names, (field) => {
    const { kind } = FIELD_SPECS[field]
    if (kind === 'image') return `${service.baseUrl}/preview-images/${String(link['name'])}.png`
    if (kind === 'tags') return ['print', 'Spring sale']
    return kind === 'flag' ? true : samples[field as (typeof TEXTS)[number]]
  })
}

test.beforeAll(async ({ service }) => {
  const fields = { ...samples, preview_image: new File([PNG], 'a.png') }
  name = linkIn(await postForm(service, fields)).name
})

test('a link and the list show it', async () => {
  const link = linkIn(await callLink(service, 'GET', name))
  expect(link).toMatchObject(expected(LINK_FIELD_NAMES, link))
  const [entry] = (await listed(service)).shortlinks
  expect(entry).toMatchObject(expected(LISTED_FIELDS, link))
})

test('the dashboard shows it, and its form contains it', async () => {
  const page = await browser.get(`/dashboard/links/${name}`)
  for (const field of without(fieldsOfKind('text', 'lines'), ['title'])) {
    expect(page.text).toContain(`<dt>${FIELD_SPECS[field].label}</dt><dd>${samples[field]}</dd>`)
  }
  expect(plainText(page)).toContain('Tags print Spring sale')
  const form = await browser.get(`/dashboard/links/${name}/edit`)
  for (const field of CREATE_FIELDS) expect(form.text).toContain(` name="${field}"`)
  for (const field of fieldsOfKind('url', 'back_half', 'text', 'tags', 'color')) {
    expect(form.text).toContain(` name="${field}" value="${samples[field]}"`)
  }
})

test('an export has it, and an import takes it', async () => {
  const { text } = await browser.get('/dashboard/links.csv')
  const [headings = ''] = text.split('\r\n')
  for (const field of TEXTS) expect(headings.split(',')).toContain(field)
  const choices = { owner: service.ownerId, domain: 'default' }
  const page = await importFile(browser, text.replaceAll('every-field', 'copy'), choices)
  expect(page.text).toContain('1 link created')
  const { id: copy } = await linkAt(service.database, 'copy')
  const kept = without(TEXTS, ['destination_url', 'back_half'])
  const link = linkIn(await callLink(service, 'GET', copy))
  expect(link).toMatchObject(expected(kept, link))
})

test('a change clears it, unless every link has it, and the history shows that', async () => {
  const permanent = fieldsWith({ isPermanent: true })
  const fields = eachField(permanent, () => '')
  const refused = await callLink(service, 'PATCH', name, { fields })
  const empty = eachField(permanent, () => ['This field can’t be empty.'])
  expect(errorsIn(refused)).toEqual(empty)

  const clearable = without(LINK_FIELD_NAMES, permanent)
  await callLink(service, 'PATCH', name, { fields: eachField(clearable, () => '') })
  const link: Link = linkIn(await callLink(service, 'GET', name))
  for (const field of clearable) {
    expect(link[field]).toBe(FIELD_SPECS[field].kind === 'flag' ? false : undefined)
  }
  const history = (await browser.get(`/dashboard/links/${name}`)).text
  for (const field of clearable) expect(history).toContain(`<bdi>${FIELD_SPECS[field].label}: `)
})
