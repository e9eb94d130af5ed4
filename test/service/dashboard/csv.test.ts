import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { parse } from 'csv-parse/sync'
import { expect, onTestFinished, test } from 'vitest'
import { addDomain } from '../../../src/service/store/domains.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { cookieOf, importFile as importAs } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { callLink, linkIn, postForm, shorten } from '../../support/service-calls.ts'

const IMPORT = '/dashboard/import'

type Row = Record<string, string>

const rowsOf = (csv: string): Row[] => parse(csv, { bom: true, columns: true })

/** The CSV that the page of an import offers for download. */
function resultOf(text: string): Row[] {
  const base64 = /href="data:text\/csv;charset=utf-8;base64,([^"]+)"/.exec(text)?.[1] ?? ''
  return rowsOf(Buffer.from(base64, 'base64').toString())
}

/** A file with this many destinations. */
const fileOf = (name: string, rows: number) =>
  [
    'destination_url',
    ...Array.from({ length: rows }, (_, at) => `https://${name}.test/${at}`),
  ].join('\n')

const summaryOf = (text: string) => /role="status">([^<]+)/.exec(text)?.[1]

describeService((service, browser) => {
  const countLinks = async () => {
    const links = service.database.db.selectFrom('links').where('deleted_at', 'is', null)
    return (await links.select('id').execute()).length
  }

  const linkTo = async (destination: string) => {
    const links = service.database.db.selectFrom('links').selectAll()
    return links.where('destination_url', '=', destination).executeTakeFirst()
  }

  const importFile = (content: string | Uint8Array<ArrayBuffer>, choices: Row = {}) =>
    importAs(browser, content, { owner: service.ownerId, ...choices })

  test('exports every link, in the order of their creation, as a file that Excel reads as UTF-8', async () => {
    for (let at = 0; at < 3; at++) {
      await shorten(service, `export-${at}`, { title: `“Ünï”, line\u2019s ${at}` })
    }
    const { headers, text } = await browser.get('/dashboard/links.csv')
    expect(headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="links-\d{4}-/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toMatch(/^destination_url,back_half,utm_.*,domain,title,.*\r\n/)
    const rows = rowsOf(text)
    expect(rows.map(({ back_half }) => back_half)).toEqual(['export-0', 'export-1', 'export-2'])
    expect(rows[0]).toMatchObject({
      domain: 'default',
      destination_url: 'https://example.com/export-0',
      title: '“Ünï”, line\u2019s 0',
      enabled: 'true',
      owner_id: service.ownerId,
      owner: 'Test workspace',
      clicks: '0',
    })
  })

  test('exports what the filters of the list find, and offers it there', async () => {
    const { db } = service.database
    const other = await addOwner(db, { kind: 'organization', name: 'Other', created_at: 1 })
    await addDomain(db, { id: 'go', domain_name: 'go.example', owner_id: null, created_at: 1 })
    // The owner that is chosen for the import takes precedence over the file's.
    const lines = ['a', 'b', 'c'].map(
      (name) => `https://filter.test/${name},${name}-half,,${service.ownerId}`,
    )
    const file = ['destination_url,back_half,enabled,owner_id', ...lines].join('\n')
    await importFile(file.replace('a-half,', 'a-half,false'), { owner: other.id, domain: 'go' })
    await db.updateTable('links').set({ expires_at: 1 }).where('back_half', '=', 'b-half').execute()
    const exported = async (query: string) => {
      const list = (await browser.get(`/dashboard?${query}`)).text
      expect(list).toContain(`href="/dashboard/links.csv?${query.replaceAll('&', '&amp;')}"`)
      const { text } = await browser.get(`/dashboard/links.csv?${query}`)
      return rowsOf(text).map((row) => `${row['back_half']} ${row['state']}`)
    }
    const all = ['a-half off', 'b-half expired', 'c-half active']
    expect(await exported(`owner=${other.id}`)).toEqual(all)
    expect(await exported('domain=go')).toEqual(all)
    expect(await exported('state=off')).toEqual(['a-half off'])
    expect(await exported('state=expired')).toEqual(['b-half expired'])
    expect(await exported(`q=filter&owner=${other.id}&domain=go&state=active`)).toEqual([
      'c-half active',
    ])
    await db.updateTable('links').set({ expires_at: null }).execute()
  })

  test('exports what is left of deleted links, and does not import them again', async () => {
    const fields = { destination_url: 'https://gone.test/', domain: 'default', back_half: 'gone' }
    const { name } = linkIn(await postForm(service, { ...fields, title: 'Secret' }))
    expect((await callLink(service, 'DELETE', name)).status).toBe(200)
    const { text } = await browser.get('/dashboard/links.csv?state=deleted')
    const [row, ...more] = rowsOf(text)
    expect(more).toEqual([])
    expect(row).toMatchObject({
      back_half: 'gone',
      shortlink_url: `${service.baseUrl}/gone`,
      state: 'deleted',
      owner_id: service.ownerId,
      destination_url: '',
      title: '',
      clicks: '',
    })
    expect(row?.['deleted_at']).toMatch(/^20\d\d-.*Z$/)
    const page = await importFile(text, { owner: 'from-file' })
    expect(resultOf(page.text)).toMatchObject([
      {
        result: 'error',
        column: 'deleted_at',
        message: 'This link was deleted. Its short URL can’t be used again.',
      },
    ])
    expect((await browser.get('/dashboard/links.csv')).text).not.toContain('/gone')
  })

  test('neither writes a formula for a spreadsheet nor changes a text that looks like one', async () => {
    const titles = ['=1+1', '+1', '-1', '@x', "'=quoted", "'plain", '＝wide']
    for (const [at, title] of titles.entries()) await shorten(service, `formula-${at}`, { title })
    const { text } = await browser.get('/dashboard/links.csv?q=formula-')
    for (const { title } of rowsOf(text)) expect(title).toMatch(/^'/)
    await importFile(text.replaceAll('formula-', 'copy-'))
    const copied = await service.database.db
      .selectFrom('links')
      .select('title')
      .where('back_half', 'like', 'copy-%')
      .orderBy('id')
      .execute()
    expect(copied.map(({ title }) => title)).toEqual(titles)
  })

  test('imports its own export without creating a second link, even values that a new link could not have', async () => {
    // As a link of an earlier version, which has expired and whose destination is on a short domain now.
    const long = `${service.baseUrl}/${encodeURIComponent('ü'.repeat(900))}`
    await postForm(service, { destination_url: 'https://old.test/', domain: 'default' })
    await service.database.db
      .updateTable('links')
      .set({ destination_url: long, expires_at: 1, title: 'Old' })
      .where('destination_url', '=', 'https://old.test/')
      .execute()
    const { text } = await browser.get('/dashboard/links.csv')
    const before = await countLinks()
    const { status, text: page } = await importFile(text, { owner: 'from-file' })
    const changed = await importFile(text.replace(',Old,', ',New\u0007,'), { owner: 'from-file' })
    expect(resultOf(changed.text)).toContainEqual(
      expect.objectContaining({
        result: 'exists',
        message: 'The link keeps other values of: title.',
      }),
    )
    expect(status).toBe(200)
    expect(summaryOf(page)).toBe(
      `0 links created, ${before.toLocaleString('en-US')} already existed, 0 rows with errors.`,
    )
    expect(await countLinks()).toBe(before)
  })

  test('exports more links than are read at once, each of them once', async () => {
    await importFile(fileOf('many', 505))
    const { text } = await browser.get('/dashboard/links.csv?q=many.test')
    const destinations = rowsOf(text).map((row) => row['destination_url'])
    expect(destinations).toHaveLength(505)
    expect(new Set(destinations).size).toBe(505)
  })

  test('each row becomes a link or an error, and a second import creates no link', async () => {
    const file = [
      'Destination_URL;back_half;title;utm_source;utm_analytics_enabled;enabled;expires_at',
      'https://rows.test/1;rows-1;First;news;TRUE;FALSE;2999-12-31',
      ';;;;;;',
      'not a url;a b;;;;;',
      'https://rows.test/2;rows-1;;;;;',
      'https://rows.test/3;;;;;maybe;1999-01-01',
      'https://rows.test/4;;;;;;;extra',
      'https://rows.test/5;;;;;;',
      'https://rows.test/5;other;;;;;',
      ';lonely;;;;;',
    ].join('\r\n')
    const before = await countLinks()
    const { text } = await importFile(file)
    const results = resultOf(text)
    expect(
      results.map(({ row, result, column, message }) => [row, result, column, message]),
    ).toEqual([
      ['2', 'created', '', ''],
      [
        '4',
        'error',
        'destination_url',
        'Use a complete URL, for example https://example.com/page.',
      ],
      ['4', 'error', 'back_half', 'Use at most 100 characters: letters, digits, - and _.'],
      ['5', 'error', 'back_half', 'This back-half is taken on this domain. Choose another one.'],
      ['6', 'error', 'enabled', 'Use true or false.'],
      ['6', 'error', 'expires_at', 'Use a time in the future.'],
      ['7', 'error', '', 'The row has more cells than there are headings.'],
      ['8', 'created', '', ''],
      ['9', 'exists', '', 'The link keeps other values of: back_half.'],
      ['10', 'error', 'destination_url', 'This field is required.'],
    ])
    expect(results[0]?.['shortlink_url']).toBe(`${service.baseUrl}/rows-1`)
    expect(summaryOf(text)).toBe('2 links created, 1 already existed, 5 rows with errors.')
    expect(await countLinks()).toBe(before + 2)
    expect(await linkTo('https://rows.test/1')).toMatchObject({
      title: 'First',
      utm_source: 'news',
      utm_analytics_enabled: 1,
      enabled: 0,
      expires_at: Date.parse('2999-12-31T23:59:59.999Z'),
    })
    const again = await importFile(file)
    expect(summaryOf(again.text)).toBe('0 links created, 3 already existed, 5 rows with errors.')
    expect(await countLinks()).toBe(before + 2)
  })

  test('two imports of the same file at the same time create each link once', async () => {
    const file = fileOf('race', 120)
    const before = await countLinks()
    const pages = await Promise.all([importFile(file), importFile(file)])
    expect(await countLinks()).toBe(before + 120)
    const results = pages.flatMap(({ text }) => resultOf(text).map(({ result }) => result))
    expect(results.filter((result) => result === 'created')).toHaveLength(120)
    expect(results.filter((result) => result === 'exists')).toHaveLength(120)
  })

  test('lists what an import can’t set, and what an existing link keeps', async () => {
    const file = (title: string, enabled: string) =>
      `destination_url,title,enabled,expires_at,clicks,preview_image\nhttps://keeps.test/,${title},${enabled},2999-12-31,7,x.png\n`
    const first = await importFile(file('First', 'true'))
    expect(first.text.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(
      /columns were not imported: +clicks *, +preview_image *\./,
    )
    const [same] = resultOf((await importFile(file('First', 'true'))).text)
    expect([same?.['result'], same?.['message']]).toEqual(['exists', ''])
    const [other] = resultOf((await importFile(file('Second', 'false'))).text)
    expect([other?.['result'], other?.['message']]).toEqual([
      'exists',
      'The link keeps other values of: title, enabled.',
    ])
    expect(await linkTo('https://keeps.test/')).toMatchObject({ title: 'First', enabled: 1 })
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>, string, Row?]>([
    ['no file', '', 'The file has no rows.'],
    ['no names', '\nhttps://bad.test/\n', 'The first row must contain the names of the columns.'],
    ['no rows', 'destination_url\n', 'The file has no rows.'],
    [
      'no destination',
      'utm_source,title\nnews,x\n',
      'Choose “Destination (destination_url)” for the column that has the destinations.',
    ],
    [
      'a quote that does not end',
      'destination_url,title\nhttps://bad.test/,"x\n',
      'Row 2 can’t be read: its quotes don’t match.',
    ],
    [
      'a wrong quote after good rows, one of them with a line break and one empty',
      `destination_url,title\nhttps://bad.test/,"a\nb"\n\n${'https://bad.test/,x\r\n'.repeat(20)}https://bad.test/,"x"y\n`,
      'Row 24 can’t be read: its quotes don’t match.',
    ],
    [
      'an endless row after good rows',
      `destination_url,title\n${'https://bad.test/,x\n'.repeat(8)}https://bad.test/,"${'x\n'.repeat(30_000)}`,
      'Row 10 can’t be read: it is too long, or the quote at its end is missing.',
    ],
    [
      'another encoding',
      new Uint8Array([...Buffer.from('destination_url,title\nhttps://bad.test/,'), 0xfc]),
      'The file is neither UTF-8 nor UTF-16. In Excel, save it as “CSV UTF-8',
    ],
    [
      'pixels',
      new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')),
      'This is not a CSV file. In Excel or LibreOffice, save the table as CSV',
    ],
    [
      'too many rows',
      `destination_url\n${'https://bad.test/\n'.repeat(50_001)}`,
      'A file can have at most 50,000 rows and 10 MB. Split it into smaller files.',
    ],
    ['too many bytes', 'x'.repeat(10_000_001), 'at most 50,000 rows and 10 MB'],
    [
      'no owners, if none is chosen',
      'destination_url\nhttps://bad.test/\n',
      'Choose a workspace.',
      { owner: '' },
    ],
    [
      'no owners, if the file was to name them',
      'destination_url\nhttps://bad.test/\n',
      'No column is imported as the workspace. Choose a workspace.',
      { owner: 'from-file' },
    ],
  ])('imports nothing from a file with %s, and says why', async (_name, content, error, fields) => {
    const { status, text } = await importFile(content, fields)
    expect(status).toBe(422)
    expect(text).toContain(error)
    expect(await linkTo('https://bad.test/')).toBeUndefined()
  })

  test.each<[string, Uint8Array<ArrayBuffer>]>(
    [
      [
        'UTF-16 with a byte order mark',
        Buffer.from('\uFEFFLong URL;Title\nhttps://wide.test/1;Ü\n', 'utf16le'),
      ],
      [
        'UTF-16 without one',
        Buffer.from('Original URL\tTitle\nhttps://wide.test/2\tÜ\n', 'utf16le'),
      ],
      [
        'UTF-16 in the other order',
        Buffer.from('\uFEFFtarget,description\nhttps://wide.test/3,Ü\n', 'utf16le').swap16(),
      ],
    ].map(([name, bytes], at) => [`${String(name)} ${at}`, new Uint8Array(bytes as Buffer)]),
  )('imports %s, with headings of other services', async (_name, content) => {
    expect(summaryOf((await importFile(content)).text)).toMatch(/^1 link created/)
  })

  /** Sends the start of an import. @returns the status, which comes before the body is complete */
  async function statusBeforeBody(path: string): Promise<number | undefined> {
    const headers = {
      cookie: cookieOf(browser),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 9_000_000,
    }
    const sent = request(service.baseUrl + path, { method: 'POST', headers })
    onTestFinished(() => void sent.destroy())
    sent.on('error', () => undefined).write('--b\r\n')
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>
    return answer.then(([{ statusCode }]) => statusCode)
  }

  test('refuses an import without a token before its body arrives', async () => {
    expect(await statusBeforeBody(IMPORT)).toBe(403)
  })
})
