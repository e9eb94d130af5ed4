import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { toCsv } from '../../../src/csv/csv.ts'
import { openExistingDatabase } from '../../../src/database/existing-database.ts'
import { withApp } from '../../support/fixtures.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

const { test, app, slack, ana, ben, gil, until, settings } = withApp()

// The app learns in the background that its service offers tags.
test.beforeAll(async ({ app: _app }) => {
  let form: string
  do {
    form = await ben.opens('/shorten import', 'You’ll see a preview')
    await ben.closes()
  } while (!form.includes('"tags"'))
})

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Chooses a file in the form, and opens the preview. @returns its texts */
async function preview(
  person: PersonDriver,
  file: string | Uint8Array,
  values: Parameters<PersonDriver['fills']>[0] = {},
): Promise<string> {
  await person.opens('/shorten import', 'You’ll see a preview')
  const bytes = typeof file === 'string' ? bytesOf(file) : file
  person.uploads('csv_file', { name: 'links.csv', bytes })
  person.fills(values)
  await person.submits()
  return person.seesModal('Columns:')
}

/** Creates the links, and waits for the result. @returns its rows */
async function create(person: PersonDriver, where: 'app' | 'general' = 'app') {
  const seen = person.sees(where).length
  await person.submits()
  return resultOf(person, where, seen)
}

async function resultOf(person: PersonDriver, where: 'app' | 'general', seen = 0) {
  const result = (): Message | undefined =>
    person
      .sees(where)
      .slice(seen)
      .find(({ author, files }) => author.kind === 'app' && files)
  const [id = ''] = (await until(result)).files ?? []
  const file = slack.workspace.file(id)
  expect(file?.name).toBe('links-result.csv')
  return parse<Record<string, string>>(file?.bytes ?? '', { bom: true, columns: true })
}

/** Ana posts a file, and opens its preview with the message shortcut. @returns the message */
async function previewMessage(bytes: Uint8Array, where = 'general'): Promise<Message> {
  const message = await ana.postsFile('links.csv', bytes, where)
  await ana.runsMessageShortcut('import_message_file', where, message)
  await ana.seesModal('*links.csv* becomes a link')
  await ana.submits()
  await ana.seesModal('Columns:')
  return message
}

async function linksIn(condition: string) {
  const db = openExistingDatabase(app.databaseUrl)
  if (!db) throw new Error('there is no database')
  const links = db.selectFrom('links').selectAll().where('deleted_at', 'is', null)
  return links
    .where('destination_url', 'like', condition)
    .orderBy('id')
    .execute()
    .finally(() => db.destroy())
}

test('creates a link of each row, after a preview, and sends the result', async () => {
  const file = [
    'destination_url,back_half,title,tags,utm_source,expires_at,notes',
    'https://file.test/1,file-one,=First,print,news,2200-12-31,x',
    'file.test/2,,,,,,',
    ',,No destination,,,,',
    'https://file.test/3,a b,,,,,',
    'https://file.test/4,file-one,,,,,',
    'https://file.test/2,,Again,,,,',
    'https://file.test/5,,,"a, b",,1999-01-01,y',
  ].join('\r\n')
  const shown = await preview(ben, file, { tags: 'Spring' })
  expect(shown).toContain('*links.csv* has 7 rows. *2 links can be created.*')
  expect(shown).toContain('destination_url → Destination')
  expect(shown).toContain('Not imported: notes')
  expect(shown).toContain('Row 2: file.test/1  ·  file-one  ·  =First')
  expect(shown).toContain('Row 4: Destination: Enter the link that you want to shorten.')
  expect(shown).toContain('Row 5: Back-half: Use at most 100 characters')
  expect(shown).toContain('Row 6: Row 2 has the same back-half.')
  expect(shown).toContain('Row 7: Row 3 has the same destination on the same domain.')
  expect(shown).toContain('Row 8: Expires: This is in the past. Choose a later time.')
  expect(JSON.stringify(ben.modal()?.view)).toContain('Create 2 links')
  const rows = await create(ben)
  expect(rows.map(({ row, result }) => `${row} ${result}`).join(', ')).toBe(
    '2 created, 3 created, 4 failed, 5 failed, 6 failed, 7 failed, 8 failed',
  )
  expect(rows[0]).toMatchObject({ title: "'=First", tags: 'print', expires_at: '2200-12-31' })
  expect(rows[4]?.['reason']).toBe('Row 2 has the same back-half.')
  expect(rows[6]).toEqual({
    row: '8',
    short_url: '',
    result: 'failed',
    reason: 'Expires: This is in the past. Choose a later time.',
    destination_url: 'https://file.test/5',
    back_half: '',
    title: '',
    tags: 'a, b',
    utm_source: '',
    expires_at: '1999-01-01',
    notes: 'y',
  })
  const made = await linksIn('https://file.test/%')
  expect(made).toMatchObject([
    { back_half: 'file-one', title: '=First', tags: 'print,Spring', utm_source: 'news' },
    { destination_url: 'https://file.test/2', tags: 'Spring' },
  ])
  expect(made.every(({ person_id: id }) => id?.includes(ben.id))).toBe(true)
  expect(rows[0]?.['short_url']).toMatch(/\/file-one$/)
  const done = ben.sees('app').map(texts).join('')
  expect(done).toContain('2 links created, 5 rows failed.')
  expect(done).not.toContain('"Stop"')
})

test('imports a file of a message, and shows the progress in its thread', async () => {
  const text = '\uFEFFLong URL;Link title;Created\nhttps://wide.test/1;Ünï;2020\n'
  const message = await previewMessage(new Uint8Array(Buffer.from(text, 'utf16le')))
  expect(texts(ana.modal())).toContain('Long URL → Destination · Link title → Title')
  const rows = await create(ana, 'general')
  expect(rows).toMatchObject([
    { row: '2', result: 'created', 'Link title': 'Ünï', Created: '2020' },
  ])
  const inThread = ana.sees('general').filter(({ threadTs }) => threadTs === message.ts)
  expect(inThread).toHaveLength(2)
  expect(inThread.map(texts).join('')).toContain(
    `<@${ana.id}> imported *links.csv*: 1 link created.`,
  )
})

test('sends direct messages if the app is not in the channel of the file', async () => {
  await previewMessage(bytesOf('url\nhttps://dm.test/1\n'), 'marketing')
  expect(await create(ana)).toMatchObject([{ result: 'created' }])
  expect(slack.takeRefusals()).toMatchObject([{ error: 'not_in_channel' }])
})

test('explains messages without a file, and files that can’t be read', async () => {
  const message = await ana.posts('no file here')
  await ana.runsMessageShortcut('import_message_file', 'general', message)
  await ana.seesModal('That message has no CSV or TSV file.')
  await ana.closes()
  for (const [content, error] of [
    ['title\nx\n', 'No column contains destinations.'],
    ['destination_url\n', 'The file has no rows.'],
    ['destination_url\n"x', 'its quotes don’t match'],
    [`destination_url\n${'https://a.test/\n'.repeat(1_001)}`, 'at most 1,000 rows'],
    ['x'.repeat(1_000_001), 'A file can have at most 1 MB. Split this file.'],
  ] as const) {
    await ana.opens('/shorten import', 'You’ll see a preview')
    ana.uploads('csv_file', { name: 'links.csv', bytes: bytesOf(content) })
    await ana.submits()
    expect((await ana.seesErrors())['csv_file']).toContain(error)
    await ana.closes()
  }
})

test('a row that another person’s link has taken meanwhile fails alone', async () => {
  await preview(ben, 'url,slug\nhttps://race.test/1,raced\nhttps://race.test/2,free-one\n')
  await ana.asks('/shorten https://race.test/other raced', { for: 'raced' })
  const rows = await create(ben)
  expect(rows.map(({ result }) => result)).toEqual(['failed', 'created'])
  expect(rows[0]?.['reason']).toContain('This back-half is taken on this domain.')
})

test('applies a template, and the rules for destinations and guests', async () => {
  await settings.set({
    templates: [{ name: 'Spring', values: { utm_campaign: 'spring' }, tags: 'seasonal' }],
    destinations: { hosts: ['allowed.test'], ownRequests: false },
    mayShorten: 'not_guests',
  })
  const shown = await preview(ben, 'url\nhttps://allowed.test/1\nhttps://other.test/1\n', {
    template: 'Spring',
  })
  expect(shown).toContain('Row 3: Destination: Links in this workspace can’t lead to other.test')
  await create(ben)
  expect(await linksIn('https://allowed.test/%')).toMatchObject([
    { utm_campaign: 'spring', tags: 'seasonal' },
  ])
  await gil.types('/shorten import', { in: 'general' })
  await gil.seesModal('Guests can’t shorten links')
  await settings.set({})
})

test('a row is compared only with rows that become links', async () => {
  const rows = ['1,same-half', '2,same-half', '2,other-half']
  const shown = await preview(ben, ['url,slug', ...rows].join('\nhttps://rows.test/'))
  expect(shown).toContain('Row 3: Row 2 has the same back-half.')
  expect(shown).not.toContain('Row 4: Row')
  expect((await create(ben)).map(({ result }) => result)).toEqual(['created', 'failed', 'created'])
})

test('sends the result as direct messages if the thread is gone', async () => {
  await previewMessage(bytesOf('url\nhttps://gone.test/1\n'))
  slack.failNext('chat.update', { error: 'message_not_found' })
  expect(await create(ana)).toMatchObject([{ result: 'created' }])
})

test('imports a corrected result, whose own result has each column once', async () => {
  await preview(
    ben,
    'url,slug,until\nhttps://mend.test/1,a b,x,y\nhttps://mend.test/2,c d,z\nhttps://mend.test/3',
  )
  const [tooLong, failed] = await create(ben)
  expect(tooLong).toMatchObject({ result: 'failed', until: 'x', '': 'y' })
  expect(failed).toMatchObject({ result: 'failed', slug: 'c d', until: 'z' })
  const { '': _, ...corrected }: Record<string, string> = { ...failed, slug: 'mended' }
  await preview(ben, toCsv([Object.keys(corrected), Object.values(corrected)]))
  const [created, ...others] = await create(ben)
  expect(created).toMatchObject({ result: 'created', reason: '', slug: 'mended', until: 'z' })
  expect(others).toEqual([])
  expect(await linksIn('https://mend.test/2')).toMatchObject([{ back_half: 'mended' }])
})

test('a second click on the button imports nothing twice', async () => {
  await preview(ben, 'url\nhttps://twice.test/1\n')
  const seen = ben.sees('app').length
  await Promise.all([ben.submits(), ben.submits().catch(() => undefined)])
  await resultOf(ben, 'app', seen)
  expect(await linksIn('https://twice.test/%')).toHaveLength(1)
})
