import { beforeAll, expect, test } from 'vitest'
import { REPORTS_PATH } from '../../../src/contract/endpoints.ts'
import type { Report } from '../../../src/contract/report.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { describeService } from '../../support/fixtures.ts'
import {
  call,
  callLink,
  errorIn,
  keyWith,
  linkIn,
  newOwner,
  postForm,
  type Caller,
  type Fields,
} from '../../support/service-calls.ts'

describeService(
  (service) => {
    const names: Record<string, string> = {}

    /** Creates a link that was clicked on these days of March. */
    async function clicked(back_half: string, days: Record<string, number>, fields: Fields) {
      const destination_url = `https://example.com/${back_half}`
      const form = { destination_url, domain: 'default', back_half, ...fields }
      const headers = { 'x-made-by': 'T1-UANA Ana' }
      const { name } = linkIn(await postForm(service, form, headers))
      names[back_half] = name
      for (const [day, people] of Object.entries(days)) {
        const row = { link_id: name, day: `2027-${day}`, people, bots: 7 }
        await service.database.write(addClicks([row]))
      }
    }

    beforeAll(async () => {
      const { database, ownerId: owner_id } = service
      const domain = { id: 'second', domain_name: 'go.example.com', created_at: 0 }
      await addDomain(database.db, { ...domain, owner_id })
      const utm = { utm_analytics_enabled: 'true', utm_campaign: 'spring-sale' }
      const tags = 'print, Spring sale'
      await clicked('letter', { '02-27': 4, '03-01': 5 }, { ...utm, utm_source: 'letter', tags })
      await clicked('poster', { '03-02': 2 }, { ...utm, tags: 'print', domain: 'second' })
      await clicked('plain', { '02-01': 9, '02-28': 1, '03-02': 1 }, {})
    })

    const ask = (query = '', { apiKey }: Pick<Caller, 'apiKey'> = service) =>
      call(`${service.baseUrl}${REPORTS_PATH}?${query}`, { headers: { 'x-api-key': apiKey } })

    async function report(query: string, caller?: Caller): Promise<Report> {
      const { body, text } = await ask(query, caller)
      const { data } = body as { data?: { report: Report } }
      if (!data) throw new Error(text)
      return data.report
    }

    /** The names of the groups with their clicks, and the total. */
    async function groups(query: string, caller?: Caller): Promise<(string | number)[]> {
      const { groups, total_people: total } = await report(query, caller)
      return [...groups.map(({ name, people }) => `${name}: ${people}`), total]
    }

    test('by default, returns the clicks by source since the first of the month, and those of the period before', async () => {
      const { status, body } = await ask()
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          status: 'success',
          message: '8 clicks by people from 2027-03-01 to 2027-03-02.',
          report: {
            from: '2027-03-01',
            to: '2027-03-02',
            previous_from: '2027-02-27',
            previous_to: '2027-02-28',
            group_by: 'utm_source',
            total_people: 8,
            previous_people: 5,
            days: [
              { date: '2027-03-01', people: 5 },
              { date: '2027-03-02', people: 3 },
            ],
            groups: [
              { name: 'letter', label: 'letter', people: 5, previous_people: 4, days: [5, 0] },
              { name: '', label: '', people: 3, previous_people: 1, days: [0, 3] },
            ],
            has_more: false,
          },
        },
      })
      expect(await report('to=2027-02-28')).toMatchObject({ from: '2027-02-01', total_people: 14 })
    })

    test('groups and filters by each value that it offers', async () => {
      expect(await groups('group_by=utm_campaign')).toEqual(['spring-sale: 7', ': 1', 8])
      expect(await groups('group_by=domain')).toEqual(['default: 6', 'second: 2', 8])
      expect(await groups('group_by=maker')).toEqual(['T1-UANA: 8', 8])
      expect(await groups('group_by=link&tag=PRINT')).toEqual([
        `${names['letter']}: 5`,
        `${names['poster']}: 2`,
        7,
      ])
      for (const both of ['tag=print,spring%20%20sale', 'tag=print&tag=spring+sale']) {
        expect(await groups(both)).toEqual(['letter: 5', 5])
      }
      expect(await groups('tag=print&'.repeat(1_000))).toEqual(['letter: 5', ': 2', 7])
      expect(await groups('tag=')).toEqual([': 1', 1])
      expect(await groups('utm_campaign=spring-sale&utm_source=')).toEqual([': 2', 2])
      expect(await groups('domain=second&maker=T1-UANA&utm_medium=')).toEqual([': 2', 2])
      expect(await groups(`link=${names['poster']}`)).toEqual([': 2', 2])
    })

    test('names people, hostnames, titles and tags, and says whether there are other groups', async () => {
      const first = async (query: string) => {
        const { groups, has_more } = await report(`limit=1&${query}`)
        return [groups.map(({ label }) => label), has_more]
      }
      expect(await first('group_by=tag')).toEqual([['print'], true])
      expect(await first(`group_by=tag&link=${names['plain']}`)).toEqual([[''], false])
      expect(await first('group_by=domain&domain=second')).toEqual([['go.example.com'], false])
      expect(await first('group_by=maker')).toEqual([['Ana'], false])
      expect(await first('group_by=link')).toEqual([[`${service.baseUrl}/letter`], true])
    })

    test('counts clicks toward the values that a link has now, and leaves out deleted links', async () => {
      await clicked('changed', { '01-10': 3 }, { tags: 'old' })
      const january = 'group_by=tag&from=2027-01-01&to=2027-01-31'
      expect(await groups(january)).toEqual(['old: 3', 3])
      const fields = { tags: 'new' }
      await callLink(service, 'PATCH', names['changed'] ?? '', { fields })
      expect(await groups(january)).toEqual(['new: 3', 3])
      await callLink(service, 'DELETE', names['changed'] ?? '')
      expect(await groups(january)).toEqual([0])
    })

    test('counts only the clicks on links that the key can reach', async () => {
      const onSecond = await keyWith(service, { domainIds: ['second'] })
      expect(await groups('group_by=domain', onSecond)).toEqual(['second: 2', 2])
      expect(await groups(`link=${names['letter']}`, onSecond)).toEqual([0])
      expect(await groups('domain=default', onSecond)).toEqual([0])
      const other = await newOwner(service, 'Other')
      for (const query of ['', `link=${names['letter']}`, 'domain=second', 'tag=print']) {
        for (const by of ['tag', 'link', 'maker']) {
          expect(await groups(`group_by=${by}&${query}`, other)).toEqual([0])
        }
      }
    })

    test('only a key that may change links may ask about makers', async () => {
      const readOnly = await keyWith(service, { permissions: 'read_only' })
      expect(await groups('group_by=link&limit=1', readOnly)).toEqual([`${names['letter']}: 5`, 8])
      for (const query of ['group_by=maker', 'maker=T1-UANA', 'maker=']) {
        const answer = await ask(query, readOnly)
        expect(errorIn(answer).slice(0, 2)).toEqual([403, 'PERMISSION_DENIED'])
        expect(answer.text).toContain('shortlinks:update')
      }
    })

    const UUID = '019b2c4e-5a31-7c55-9d2e-3f1a7b60c2d4'
    const QUOTES = encodeURIComponent(`'";--%_\\`)

    test.each([
      ...['utm_campaign', 'utm_source', 'utm_medium', 'tag', 'domain', 'link', 'maker'].flatMap(
        (name) => [UUID, QUOTES, '%F0%9F%8E%89', 'x'.repeat(1_000)].map((value) => [name, value]),
      ),
      ['tag', Array.from({ length: 200 }, (_, at) => at).join()],
      ['link', ''],
      ['domain', ''],
    ])('an unknown %s finds no clicks: %s', async (name, value) => {
      for (const by of ['utm_source', 'tag', 'link']) {
        expect(await groups(`group_by=${by}&${name}=${value}`)).toEqual([0])
      }
    })

    test.each([
      ['from=2027-02-30', 'from'],
      ['to=today', 'to'],
      ['from=1969-12-31&to=1970-01-02', 'from'],
      ['from=2027-03-03', 'from'],
      ['from=2026-03-01&to=2027-03-02', 'from'],
      ['from=1970-01-01&to=9999-12-31', 'from'],
      ['to=10000-01-01', 'to'],
      ['group_by=title', 'group_by'],
      ['group_by=tag&group_by=link', 'group_by'],
      ['group_by=', 'group_by'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      [`limit=${'9'.repeat(30)}`, 'limit'],
      ['page=2', 'page'],
      ['utm_term=x', 'utm_term'],
      ['domain=a&domain=b', 'domain'],
      ['utm_source=%00', 'utm_source'],
      ['tag=a%00b', 'tag'],
      ['tag=print&tag=%00', 'tag'],
      [`utm_campaign=${'x'.repeat(1_001)}`, 'utm_campaign'],
      [`link=${'x'.repeat(9_000)}`, 'link'],
      [`tag=${'print,'.repeat(200)}`, 'tag'],
    ])('returns 422 for %s and names the parameter', async (query, field) => {
      const fields = { [field]: [expect.any(String) as string] }
      expect(errorIn(await ask(query))).toEqual([422, 'VALIDATION_ERROR', { fields }])
    })
  },
  { now: () => Date.parse('2027-03-02T10:00:00Z') },
)
