import { beforeAll, expect, test } from 'vitest'
import { encodePerson } from '../../../src/contract/person.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { expectPage, plainText, signedInMember, type Page } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'
import { newLink, newOwner, type Caller } from '../../support/service-calls.ts'

const NOW = Date.parse('2027-03-15T12:00:00.000Z')

const PATH = '/dashboard/reports'

/** The cells of the tables of a page, by row. */
function tableOf({ text }: Page): string[][] {
  return [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].flatMap(([, row = '']) => {
    const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
      plainText({ text: cell }).trim(),
    )
    return cells.length > 0 ? [cells] : []
  })
}

/** The address of a link with a text. */
function hrefOf({ text }: Page, name: string): string {
  const links = [...text.matchAll(/<a href="([^"]+)"[^>]*>(.*?)<\/a>/gs)]
  const found = links.find(([, , content = '']) => content.replaceAll(/<[^>]+>/g, '') === name)
  return found?.[1]?.replaceAll('&amp;', '&') ?? `no link ${name}`
}

const ANA = { id: 'T0TEST-U0ANA', name: 'Ana' }
const BEN = { id: 'T0TEST-U0BEN', name: 'Ben' }

describeService(
  (service, browser) => {
    let others: Caller
    const ids: string[] = []

    /** Adds a link with clicks, by day. */
    async function addClicked(
      fields: Record<string, string>,
      days: Record<string, number>,
      { by = ANA, caller = service }: { by?: typeof ANA; caller?: Caller } = {},
    ): Promise<void> {
      const destination_url = `https://example.com/${ids.length}`
      const values = { utm_analytics_enabled: 'true', destination_url }
      const headers = { 'x-created-by': encodePerson(by) ?? '' }
      const { name: link_id } = await newLink(caller, { ...values, ...fields }, headers)
      ids.push(link_id)
      const rows = Object.entries(days).map(([day, people]) => ({ link_id, day, people, bots: 9 }))
      await service.database.write(addClicks(rows))
    }

    beforeAll(async () => {
      const spring = { utm_campaign: 'spring', utm_medium: 'email' }
      const one = { ...spring, utm_source: 'newsletter', tags: 'print,Café', title: '=1+1' }
      const days = { '2027-03-01': 10, '2027-03-15': 20, '2027-02-28': 4, '2027-02-13': 99 }
      await addClicked({ ...one, back_half: 'one' }, days)
      const two = { ...spring, utm_source: '=cmd', tags: 'print', back_half: 'two' }
      await addClicked(two, { '2027-03-02': 5 }, { by: BEN })
      await addClicked({ back_half: 'three' }, { '2027-03-15': 2, '2027-02-14': 46 })
      others = await newOwner(service, 'zz-other')
      await addClicked({ utm_source: 'theirs' }, { '2027-03-01': 7 }, { caller: others })
    })

    const member = (role: 'creator' | 'editor', caller: Caller = service) =>
      signedInMember({ baseUrl: service.baseUrl, apiKey: caller.apiKey }, { ...ANA, role })

    test('by default, shows this month with the period before, the chart, the groups and the links with the most clicks', async () => {
      const page = await (await member('creator')).get(PATH)
      expectPage(
        page,
        200,
        'Clicks 37',
        '-26% compared with 50 in the 15 days before (Feb 14 – Feb 28, 2027)',
        'days are in UTC',
        'Mar 1 – Mar 15, 2027 (UTC): 37 clicks by people. newsletter: 30. =cmd: 5. No source: 2',
      )
      const host = new URL(service.baseUrl).host
      expect(tableOf(page)).toEqual([
        ['newsletter', '30', '4', '+650%'],
        ['=cmd', '5', '0', '–'],
        ['No source', '2', '46', '-96%'],
        [`${host}/one =1+1 → example.com`, '30', '4', '+650%'],
        [`${host}/two → example.com`, '5', '0', '–'],
        [`${host}/three → example.com`, '2', '46', '-96%'],
      ])
      expect(hrefOf(page, `${host}/one`)).toBe(`/dashboard/links/${ids[0]}`)
    })

    test('the periods can be chosen with one click, and keep the filters', async () => {
      const names = ['This week', 'Last week', 'Last month', 'Last 30 days', 'This year']
      let page = await browser.get(`${PATH}?utm_campaign=spring&group_by=tag`)
      for (const name of [...names, 'This month']) {
        page = await browser.get(hrefOf(page, name))
        expect(page.text).toContain(`aria-current="true">${name}</a>`)
        expect(page.text.includes('Each bar is one day.')).toBe(name !== 'Last week')
      }
      expect(tableOf(page)[0]).toEqual(['print', '35', '4', '+775%'])
      const long = await browser.get(`${PATH}?from=2026-09-01`)
      expect(long.text).toContain('Each bar is one week.')
    })

    test('each group leads to the report on its links, even the group of links without a value', async () => {
      const campaigns = await browser.get(`${PATH}?group_by=utm_campaign`)
      const sources = await browser.get(hrefOf(campaigns, 'spring'))
      expect(tableOf(sources).slice(0, 2).flat()).toEqual(
        expect.arrayContaining(['newsletter', '=cmd']),
      )
      const links = await browser.get(hrefOf(sources, '=cmd'))
      expect(tableOf(links).map(([, clicks]) => clicks)).toEqual(['5'])
      expect(plainText(links)).toContain('Campaign: spring · Source: =cmd')
      const none = await browser.get(hrefOf(campaigns, 'No campaign'))
      expect(tableOf(none)[0]).toEqual(['No source', '2', '46', '-96%'])
      expect(none.text).toContain('value="(none)"')
      const tags = await browser.get(`${PATH}?group_by=tag&tag=print`)
      expect(plainText(tags)).toContain('A link with several tags counts toward each')
      const both = await browser.get(hrefOf(tags, 'Café'))
      expect(plainText(both)).toContain('Tag: print,Café')
      expect(tableOf(both)[0]).toEqual(['newsletter', '30', '4', '+650%'])
    })

    test('the CSV file has the table, and a spreadsheet runs none of it', async () => {
      const csvOf = async (query: string) =>
        (await browser.get(`${PATH}.csv?${query}`)).text.replace('\uFEFF', '').trim().split('\r\n')
      expect(await csvOf('')).toEqual([
        'utm_source,clicks,clicks_before',
        'newsletter,30,4',
        "'=cmd,5,0",
        'No source,2,46',
      ])
      expect(await csvOf('group_by=link&utm_source=newsletter')).toEqual([
        'link,title,clicks,clicks_before',
        `${service.baseUrl}/one,'=1+1,30,4`,
      ])
      const { headers } = await browser.get(`${PATH}.csv?from=2027-02-01&to=2027-02-28`)
      expect(headers.get('content-disposition')).toBe(
        'attachment; filename="report-2027-02-01-2027-02-28.csv"',
      )
      expect(headers.get('cache-control')).toBe('no-store')
    })

    test.each([
      ['from=2027-03-02&to=2027-03-01', 'from', 'Use a day that is not after 2027-03-01.'],
      ['from=2027-03-16&to=2027-03-20', 'from', 'Use a day up to today, 2027-03-15 in UTC.'],
      ['from=2026-03-01&to=2027-03-15', 'from', 'Ask for at most 366 days.'],
      ['to=2027-02-30', 'to', 'Use a date fro'],
      ['group_by=color', 'group_by', 'Use utm_campaign'],
      ['utm_medium=a%00b', 'utm_medium', 'Use at most 1,000 characters'],
      ['owner=nobody', 'owner', 'Choose a workspace.'],
    ])('%s is an error of its field, and what was typed stays', async (query, field, error) => {
      const page = await browser.get(`${PATH}?${query}&utm_campaign=kept&creator=T0TEST-U0ANA`)
      expectPage(page, 422, error)
      expect(page.text).toMatch(new RegExp(`id="${field}-error">[^<]*${error.slice(0, 12)}`))
      expect(page.text).toContain('value="kept"')
      expect(page.text).toContain('<option value="T0TEST-U0ANA" selected')
      const csv = await browser.get(`${PATH}.csv?${query}`)
      expect([csv.status, csv.location?.split('?')[0]]).toEqual([303, PATH])
    })

    test('says that there were no clicks', async () => {
      const page = await browser.get(`${PATH}?utm_source=newsletter&from=2027-03-14&to=2027-03-14`)
      expect(plainText(page)).toContain('Clicks 0 There were also no clicks in the day before')
      expect(tableOf(page)).toEqual([])
    })

    test('names the nearest sources if no link has the requested one, and suggests all', async () => {
      const page = await browser.get(`${PATH}?utm_source=news-leter`)
      expect(plainText(page)).toContain(
        'No link has the source news-leter . Did you mean newsletter ?',
      )
      expect(hrefOf(page, 'newsletter')).toContain('utm_source=newsletter')
      expect(page.text).toMatch(/<datalist id="utm_source-list">.*<option value="newsletter">/)
    })

    test('editors see the clicks of each creator, and creators don’t', async () => {
      const query = `${PATH}?group_by=creator`
      const editor = await member('editor')
      const page = await editor.get(query)
      expect(tableOf(page).slice(0, 2)).toEqual([
        ['Ana', '32', '50', '-36%'],
        ['Ben', '5', '0', '–'],
      ])
      const ofBen = await editor.get(hrefOf(page, 'Ben'))
      expect(tableOf(ofBen)[0]).toEqual(['=cmd', '5', '0', '–'])
      expect(plainText(ofBen)).toContain('Creator: Ben')
      const creator = await member('creator')
      for (const asked of [query, `${PATH}?creator=${BEN.id}`]) {
        const refused = await creator.get(asked)
        expect(refused.status).toBe(422)
        expect(refused.text).toContain('Only editors and admins can see clicks by creator')
        expect(tableOf(refused)).toEqual([])
        expect((await creator.get(asked.replace('?', '.csv?'))).status).toBe(303)
      }
      expect((await creator.get(PATH)).text).not.toContain('id="creator"')
    })

    test('the administrator sees one owner at a time, and members only their own', async () => {
      const first = await browser.get(PATH)
      expect(tableOf(first)[0]?.[0]).toBe('newsletter')
      const [, owner] = /<option value="([^"]+)">zz-other/.exec(first.text) ?? []
      const theirs = await browser.get(`${PATH}?owner=${owner}`)
      expect(tableOf(theirs)[0]).toEqual(['theirs', '7', '0', '–'])
      expect(plainText(theirs)).toContain('Workspace: zz-other')
      const asked = await (await member('editor')).get(`${PATH}?owner=${owner}`)
      expect(tableOf(asked)[0]?.[0]).toBe('newsletter')
      expect(asked.text).not.toContain('zz-other')
    })
  },
  { now: () => NOW },
)
