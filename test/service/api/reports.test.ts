import { beforeAll, expect, test } from 'vitest'
import { REPORTS_PATH } from '../../../src/contract/endpoints.ts'
import type { Report } from '../../../src/contract/report.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import { describeService } from '../../support/fixtures.ts'
import { addDomainRecord } from '../../support/rows.ts'
import {
  errorIn,
  invalidIn,
  keyWith,
  newLink,
  newOwner,
  request,
  type Caller,
  type Fields,
} from '../../support/service-calls.ts'

/* What reports count is tested in test/service/store/report.slow.test.ts. */

describeService(
  (service) => {
    const names: Record<string, string> = {}

    /** Creates a link that was clicked on these days of 2027. */
    async function clicked(back_half: string, days: Record<string, number>, fields: Fields) {
      const headers = { 'x-created-by': 'T1-UANA Ana' }
      const { name } = await newLink(service, { back_half, ...fields }, headers)
      names[back_half] = name
      const rows = Object.entries(days).map(([day, people]) => ({
        link_id: name,
        day: `2027-${day}`,
        people,
        bots: 7,
      }))
      await service.database.write(addClicks(rows))
    }

    beforeAll(async () => {
      await addDomainRecord(service.database, 'second', service.ownerId)
      const utm = { utm_analytics_enabled: 'true', utm_campaign: 'spring-sale' }
      const tags = 'print, Spring sale'
      await clicked('letter', { '02-27': 4, '03-01': 5 }, { ...utm, utm_source: 'letter', tags })
      await clicked('poster', { '03-02': 2 }, { ...utm, tags: 'print', domain: 'second' })
      await clicked('plain', { '02-01': 9, '02-28': 1, '03-02': 1 }, {})
    })

    test('a key learns no names and spellings from links that it can’t reach', async () => {
      const day = '2027-01-05'
      const add = async (name: string, fields: Fields) => {
        const headers = { 'x-created-by': `T1-UEVE ${name}` }
        const link = await newLink(service, fields, headers)
        await service.database.write(addClicks([{ link_id: link.name, day, people: 1, bots: 0 }]))
      }
      await add('Eve', { tags: 'zeta' })
      const limited = await keyWith(service, {
        scopes: ['shortlinks:read', 'shortlinks:update'],
        domainIds: ['default'],
      })
      await add('Secret', { tags: 'zeta', domain: 'second' })
      // The owner's spelling changed since.
      const sets = service.database.db.insertInto('tag_sets')
      const set = { owner_id: service.ownerId, tags: 'ZETA', key: 'zeta', name: 'ZETA' }
      await sets.values(set).execute()
      for (const [group, label] of [
        ['creator', 'Eve'],
        ['tag', 'zeta'],
      ] as const) {
        const query = `group_by=${group}&from=${day}&to=${day}`
        const { groups } = await reportOn(query, limited)
        expect(groups.map((group) => group.label)).toEqual([label])
      }
      const { unknown } = await reportOn(`tag=zetas&from=${day}&to=${day}`, limited)
      expect(unknown).toMatchObject([{ nearest: ['zeta'] }])
    })

    const ask = (query = '', caller: Caller = service) =>
      request(caller, 'GET', `${REPORTS_PATH}?${query}`)

    async function reportOn(query: string, caller?: Caller): Promise<Report> {
      const { body, text } = await ask(query, caller)
      const { data } = body as { data?: { report: Report } }
      if (!data) throw new Error(text)
      return data.report
    }

    /** The names of the groups with their clicks, and the total. */
    async function groups(query: string, caller?: Caller): Promise<(string | number)[]> {
      const { groups, total_people: total } = await reportOn(query, caller)
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
      expect((await ask('to=2027-02-28')).body).toMatchObject({
        data: { report: { from: '2027-02-01', total_people: 14 } },
      })
    })

    test('groups and filters by what the query says', async () => {
      for (const [query, ...expected] of [
        ['group_by=utm_campaign&limit=1', 'spring-sale: 7', 8],
        ['group_by=link&tag=PRINT', `${names['letter']}: 5`, `${names['poster']}: 2`, 7],
        ['tag=print,spring%20%20sale', 'letter: 5', 5],
        ['tag=print&tag=spring+sale', 'letter: 5', 5],
        ['tag=print&'.repeat(1_000), 'letter: 5', ': 2', 7],
        ['tag=', ': 1', 1],
        ['utm_campaign=spring-sale&utm_source=', ': 2', 2],
        ['domain=second&creator=T1-UANA&utm_medium=', ': 2', 2],
        [`link=${names['poster']}`, ': 2', 2],
      ]) {
        expect([query, ...(await groups(String(query)))]).toEqual([query, ...expected])
      }
    })

    test('counts only the clicks on links that the key can reach', async () => {
      const onSecond = await keyWith(service, { domainIds: ['second'] })
      expect(await groups('group_by=domain', onSecond)).toEqual(['second: 2', 2])
      expect(await groups(`link=${names['letter']}`, onSecond)).toEqual([0])
      const other = await newOwner(service, 'Other')
      expect(await groups(`group_by=link&link=${names['letter']}`, other)).toEqual([0])
    })

    test('only a key that can change links can ask about creators', async () => {
      const readOnly = await keyWith(service, { permissions: 'read_only' })
      expect(await groups('group_by=link&limit=1', readOnly)).toEqual([`${names['letter']}: 5`, 8])
      for (const query of ['group_by=creator', 'creator=T1-UANA', 'creator=']) {
        const answer = await ask(query, readOnly)
        expect(errorIn(answer).slice(0, 2)).toEqual([403, 'PERMISSION_DENIED'])
        expect(answer.text).toContain('shortlinks:update')
      }
    })

    test.each(['utm_campaign', 'utm_source', 'utm_medium', 'tag', 'domain', 'link', 'creator'])(
      'an unknown %s finds no clicks',
      async (name) => {
        const id = '019b2c4e-5a31-7c55-9d2e-3f1a7b60c2d4'
        const many = Array.from({ length: 200 }, (_, at) => at).join()
        // Links without a campaign, for example, exist.
        const empty = name === 'link' || name === 'domain' ? [''] : []
        for (const value of [id, `'";--%_\\`, '🎉', 'x'.repeat(1_000), many, ...empty]) {
          for (const by of ['utm_source', 'tag', 'link']) {
            const query = new URLSearchParams({ group_by: by, [name]: value }).toString()
            expect([value, ...(await groups(query))]).toEqual([value, 0])
          }
        }
      },
    )

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
      ['limit=101', 'limit'],
      ['page=2', 'page'],
      ['utm_source=%00', 'utm_source'],
      ['tag=print&tag=%00', 'tag'],
      [`utm_campaign=${'x'.repeat(1_001)}`, 'utm_campaign'],
      [`link=${'x'.repeat(9_000)}`, 'link'],
    ])('returns 422 for %s and names the parameter', async (query, name) => {
      expect(invalidIn(await ask(query))).toEqual([name])
    })
  },
  { now: () => Date.parse('2027-03-02T10:00:00Z') },
)
