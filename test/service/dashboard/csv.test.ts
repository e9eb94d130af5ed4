import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { parse } from 'csv-parse/sync'
import { expect, onTestFinished, test } from 'vitest'
import { addOwner } from '../../../src/service/store/owners.ts'
import { cookieOf, expectPage, importFile as importAs } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { changeLink } from '../../support/links.ts'
import { addDomainRecord } from '../../support/rows.ts'
import { callLink, newLink, shorten } from '../../support/service-calls.ts'

const HEADINGS = 'destination_url,title\n'
/** A destination that is never imported. */
const BAD = 'https://bad.test/'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

type Row = Record<string, string>

const rowsOf = (csv: string): Row[] => parse(csv, { bom: true, columns: true })

/** The CSV that the page of an import offers for download. */
function resultOf(text: string): Row[] {
  const base64 = /href="data:text\/csv;charset=utf-8;base64,([^"]+)"/.exec(text)?.[1] ?? ''
  return rowsOf(Buffer.from(base64, 'base64').toString())
}

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
    await addDomainRecord(service.database, 'go')
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
    const { name } = await newLink(service, { back_half: 'gone', title: 'Secret' })
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
    const message = 'This link was deleted. Its short URL can’t be used again.'
    expect(resultOf(page.text)).toMatchObject([{ result: 'error', column: 'deleted_at', message }])
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
    await newLink(service, { back_half: 'old' })
    const old = { destination_url: long, expires_at: 1, title: 'Old' }
    await changeLink(service.database, 'old', old)
    const { text } = await browser.get('/dashboard/links.csv')
    const before = await countLinks()
    const { status, text: page } = await importFile(text, { owner: 'from-file' })
    const changed = await importFile(text.replace(',Old,', ',New\u0007,'), { owner: 'from-file' })
    const kept = { result: 'exists', message: 'The link keeps other values of: title.' }
    expect(resultOf(changed.text)).toContainEqual(expect.objectContaining(kept))
    expect(status).toBe(200)
    expect(summaryOf(page)).toBe(
      `0 links created, ${before.toLocaleString('en-US')} already existed, 0 rows with errors.`,
    )
    expect(await countLinks()).toBe(before)
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
      results.map(({ row, result, column, message }) => `${row} ${result} ${column} ${message}`),
    ).toEqual([
      '2 created  ',
      '4 error destination_url Use a complete URL, for example https://example.com/page.',
      '4 error back_half Use at most 100 characters: letters, digits, - and _.',
      '5 error back_half This back-half is taken on this domain. Choose another one.',
      '6 error enabled Use true or false.',
      '6 error expires_at Use a time in the future.',
      '7 error  The row has more cells than there are headings.',
      '8 created  ',
      '9 exists  The link keeps other values of: back_half.',
      '10 error destination_url This field is required.',
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
    const destinations = Array.from({ length: 120 }, (_, at) => `https://race.test/${at}`)
    const file = ['destination_url', ...destinations].join('\n')
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
    const message = 'The link keeps other values of: title, enabled.'
    expect(other).toMatchObject({ result: 'exists', message })
    expect(await linkTo('https://keeps.test/')).toMatchObject({ title: 'First', enabled: 1 })
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>, string, Row?]>([
    ['no file', '', 'The file has no rows.'],
    ['no names', `\n${BAD}\n`, 'The first row must contain the names of the columns.'],
    ['no rows', 'destination_url\n', 'The file has no rows.'],
    ['a quote that does not end', `${HEADINGS}${BAD},"x\n`, 'Row 2 can’t be read: its quotes'],
    [
      'a wrong quote after good rows, one of them with a line break and one empty',
      `${HEADINGS}${BAD},"a\nb"\n\n${`${BAD},x\r\n`.repeat(20)}${BAD},"x"y\n`,
      'Row 24 can’t be read: its quotes don’t match.',
    ],
    [
      'an endless row after good rows',
      `${HEADINGS}${`${BAD},x\n`.repeat(8)}${BAD},"${'x\n'.repeat(30_000)}`,
      'Row 10 can’t be read: it is too long, or the quote at its end is missing.',
    ],
    ['another encoding', latin1(`${HEADINGS}${BAD},ü`), 'The file is neither UTF-8 nor UTF-16.'],
    ['pixels', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'This is not a CSV file. In Excel or'],
    ['too many rows', HEADINGS + `${BAD},\n`.repeat(50_001), 'at most 50,000 rows and 10 MB.'],
    ['too many bytes', 'x'.repeat(10_000_001), 'at most 50,000 rows and 10 MB. Split it into'],
    ['no chosen owner', `${HEADINGS}${BAD},x\n`, 'Choose a workspace.', { owner: '' }],
    ['no owners', `${HEADINGS}${BAD},x\n`, 'No column is imported as', { owner: 'from-file' }],
  ])('imports nothing from a file with %s, and says why', async (_name, content, error, fields) => {
    expectPage(await importFile(content, fields), 422, error)
    expect(await linkTo(BAD)).toBeUndefined()
  })

  test('imports UTF-16 without a byte order mark, and in the other order', async () => {
    const tabs = Buffer.from('Original URL\tTitle\nhttps://wide.test/2\tÜ\n', 'utf16le')
    const commas = Buffer.from('\uFEFFtarget,description\nhttps://wide.test/3,Ü\n', 'utf16le')
    for (const bytes of [tabs, commas.swap16()]) {
      const page = await importFile(new Uint8Array(bytes))
      expect(summaryOf(page.text)).toMatch(/^1 link created/)
    }
  })

  test('refuses an import without a token before its body arrives', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 9_000_000 }
    const headers = { cookie: cookieOf(browser), ...type }
    const sent = request(`${service.baseUrl}/dashboard/import`, { method: 'POST', headers })
    onTestFinished(() => void sent.destroy())
    sent.on('error', () => undefined).write('--b\r\n')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(403)
  })
})
