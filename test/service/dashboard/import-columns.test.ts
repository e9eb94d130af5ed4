import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  expectPage,
  formTo,
  importFile,
  multipartForm,
  plainText,
} from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { newOwner } from '../../support/service-calls.ts'

const IMPORT = '/dashboard/import'
const COLUMNS = '/dashboard/import/columns'

const toFile = (content: string | Uint8Array<ArrayBuffer>) => new File([content], 'links.csv')

describeService((service, browser) => {
  const upload = (content: string | Uint8Array<ArrayBuffer>) =>
    browser.submit(IMPORT, { file: toFile(content) })

  const linksTo = (host: string) =>
    service.database.db
      .selectFrom('links')
      .selectAll()
      .where('destination_url', 'like', `https://${host}/%`)
      .orderBy('id')
      .execute()

  test('shows each heading with its first values and the guess, and imports nothing yet', async () => {
    const rows = [
      'Long URL (required),Notes,,clicks',
      'https://first.test/1,=x,a,1',
      `,"second, ""note""",b,`,
      `https://first.test/3,${'n'.repeat(50)},c,3`,
      'https://first.test/4,fourth,d,4',
    ]
    const page = await upload(rows.join('\n'))
    const unused =
      'Not imported, unless you choose a field: Notes , clicks . A column is imported only if you choose a field for it.'
    const example = 'For example: https://first.test/1 · https://first.test/3 · https://'
    expectPage(page, 200, 'The file has 4 rows.', unused, example, 'Column 3')
    expect(page.text).toContain(`For example: =x · second, &quot;note&quot; · ${'n'.repeat(40)}…`)
    const form = formTo(COLUMNS, page)
    const chosen = ['0', '1', '2', '3'].map((at) => form.get(`column-${at}`))
    expect(chosen).toEqual(['destination_url', '', '', ''])
    expect(await linksTo('first.test')).toEqual([])
  })

  test('imports what was chosen, and says so', async () => {
    const file = 'A,B,C\nTitle 1,https://chosen.test/1,x\nTitle 2,https://chosen.test/2,y\n'
    const page = await importFile(browser, file, {
      owner: service.ownerId,
      'column-0': 'title',
      'column-1': 'destination_url',
    })
    const summary = '2 links created, 0 already existed, 0 rows with errors.'
    expectPage(page, 200, summary, 'These columns were not imported: C .')
    expect((await linksTo('chosen.test')).map(({ title }) => title)).toEqual(['Title 1', 'Title 2'])
  })

  test('asks the administrator for the workspace, unless the file names it', async () => {
    await newOwner(service, 'Second')
    const plain = await upload('URL\nhttps://workspace.test/\n')
    expect(plain.text).toMatch(/<select id="owner" name="owner" required/)
    expect(formTo(COLUMNS, plain).get('owner')).toBe('')
    const named = await upload(`URL,owner_id\nhttps://workspace.test/,${service.ownerId}\n`)
    expectPage(await browser.submit(COLUMNS, {}, named), 200, '1 link created')
  })

  test.each<[string, string[], Record<string, string>]>([
    ['no destination', ['title', ''], { 'column-0': 'Choose “Destination (destination_url)”' }],
    [
      'two destinations',
      ['destination_url', 'destination_url'],
      { 'column-1': 'Another column is already imported as destination_url.' },
    ],
    [
      'a title twice, and no destination',
      ['title', 'title'],
      { 'column-0': 'Choose “Destination', 'column-1': 'already imported as title' },
    ],
    ['an unknown field', ['constructor', ''], { 'column-0': 'Choose “Destination' }],
  ])('explains at the field that there is %s', async (_name, chosen, errors) => {
    const page = await importFile(browser, 'X,Y\nhttps://wrong.test/,https://wrong.test/2\n', {
      owner: service.ownerId,
      'column-0': chosen[0] ?? '',
      'column-1': chosen[1] ?? '',
    })
    expect(page.status).toBe(422)
    const found = [...page.text.matchAll(/class="error" id="(column-\d+)-error">([^<]*)/g)]
    expect(found.map(([, field]) => field)).toEqual(Object.keys(errors))
    for (const [, field = '', text] of found) expect(text).toContain(errors[field])
    // The file is still there.
    const again = { 'column-0': 'destination_url', 'column-1': '' }
    const done = await browser.submit(COLUMNS, again, page)
    expect(plainText(done)).toMatch(/1 links? created|0 links created, 1 already existed/)
  })

  test.each<[string, string, Record<string, unknown>]>([
    [
      'bitly',
      'Created Date,Title,Long URL,Bitlink,Custom Back-half,Tags\n2026-01-01,T,https://bitly.test/1,bit.ly/x,bitly-1,"a,b"\n',
      { title: 'T', back_half: 'bitly-1', tags: 'a,b' },
    ],
    [
      'rebrandly',
      'Title,Slashtag,Destination,Domain\nT,rebrandly-1,https://rebrandly.test/1,rebrand.ly\n',
      { title: 'T', back_half: 'rebrandly-1' },
    ],
    [
      'short-io',
      'originalURL;path;title;tags\nhttps://short-io.test/1;short-1;T;a\n',
      { title: 'T', back_half: 'short-1', tags: 'a' },
    ],
    [
      'kutt',
      'address\tdescription\ttarget\nkutt-1\tT\thttps://kutt.test/1\n',
      { title: 'T', back_half: 'kutt-1' },
    ],
  ])('guesses the columns of %s, in UTF-8 and UTF-16', async (name, file, link) => {
    const wide = new Uint8Array(Buffer.from(`\uFEFF${file}`, 'utf16le'))
    const choices = { owner: service.ownerId }
    expect(plainText(await importFile(browser, wide, choices))).toContain('1 link created')
    expect(await linksTo(`${name}.test`)).toMatchObject([link])
    expect(plainText(await importFile(browser, file, choices))).toContain('1 already existed')
  })

  test('takes the domain of a row if the file names one that exists', async () => {
    const file =
      'Domain,URL\n,https://own.test/1\ndefault,https://own.test/2\nx,https://own.test/3\n'
    const page = await importFile(browser, file, { owner: service.ownerId })
    expect(plainText(page)).toContain('2 links created, 0 already existed, 1 row with errors.')
  })

  test('takes a file with as many columns as might be', async () => {
    const names = ['destination_url', ...Array.from({ length: 199 }, (_, at) => `c${at}`)]
    const page = await importFile(browser, `${names.join()}\nhttps://columns.test/1\n`, {
      owner: service.ownerId,
    })
    expect(plainText(page)).toContain('1 link created')
  })

  test.each([
    ['nothing', ''],
    ['something else', 'not compressed'],
    ['a bomb', gzipSync(Buffer.alloc(20_000_000, 'x')).toString('base64url')],
  ])('asks for the file again if the form carries %s', async (_name, packed) => {
    await browser.get(IMPORT)
    const fields = { large_text: packed, owner: service.ownerId, 'column-0': 'destination_url' }
    const page = await browser.post(COLUMNS, multipartForm(fields))
    expectPage(page, 422, 'Choose a CSV file.')
  })
})
