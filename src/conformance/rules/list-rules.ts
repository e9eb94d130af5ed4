import { isDeepStrictEqual } from 'node:util'
import type { LinkPage } from '../../port/links.ts'
import { readLinkPage } from '../../drivers/backhalf/link-page.ts'
import { SORT_FIELDS } from '../../contract/list-query.ts'
import {
  responds,
  unlessNotFound,
  hasStatus,
  inSection,
  type Check,
  type RuleTable,
} from '../rule.ts'
import { Unchecked, type ServiceResponse } from '../tested-service.ts'

// Keeps readLinkPage from cutting a page, so that its length can be checked.
const UNLIMITED_PER_PAGE = 100_000

export const LIST_RULES: RuleTable = {
  'list-200': {
    section: '4.2',
    rule: 'A list without any parameters returns 200.',
    otherwise: 'The app can’t list links.',
    check: responds(
      unlessNotFound(({ service }) => service.list()),
      hasStatus(200),
    ),
  },
  'list-links': {
    section: '4.2',
    rule: 'A list contains the links, each with name, destination_url and shortlink_url.',
    otherwise: 'The app can’t list links.',
    async check({ service, links }) {
      await links.fillLists()
      const response = await service.list()
      if (response.status !== 200) throw new Unchecked('the service returns no list')
      const page = readPage(response)
      if (!page || page.links.length === 0)
        return { response, explanation: 'It contains no links.' }
      return page.skipped === 0 ? undefined : { response, explanation: 'Some items are not links.' }
    },
  },
  ...inSection('4.3', undefined, {
    'page-default': {
      rule: 'Without page, a list is the same as with page=1.',
      otherwise: 'The first page might show the wrong links.',
      check: comparePages([{ page: '1' }, {}], ([firstPage, defaultPage]) =>
        isDeepStrictEqual(firstPage, defaultPage)
          ? undefined
          : 'With page=1, the list has different links.',
      ),
    },
    page: {
      rule: 'With page=2, a list has the links that follow those of page 1.',
      otherwise: 'Users can’t see more than the first page of links.',
      check: comparePages([{ page: '1' }, { page: '2' }], ([first = [], second = []]) => {
        if (second.length === 0) return 'The page has no links.'
        return second.some((link) => first.includes(link)) ? 'It has links of page 1.' : undefined
      }),
    },
    'per-page-default': {
      rule: 'Without per_page, a page has 10 links.',
      check: comparePages([{}], hasLength(10)),
    },
    'per-page': {
      rule: 'With per_page=3, a page has 3 links.',
      otherwise: 'The app’s pages of links are longer or shorter than they should be.',
      check: comparePages([{ per_page: '3' }], hasLength(3)),
    },
    // The specification's sort fields are all times, so the newest links come first.
    ...Object.fromEntries(
      SORT_FIELDS.map((field) => [
        `sort-${field.replaceAll('_', '-')}`,
        {
          rule: `With sort_by=${field} and order=desc, the newest links come first.`,
          otherwise: `A list in Slack that is sorted by ${field} has the wrong order.`,
          check: checkOrder({ sort_by: field, order: 'desc' }, 'new'),
        },
      ]),
    ),
    'order-asc': {
      rule: 'With sort_by=created_at and order=asc, the oldest links come first.',
      otherwise: 'A list in Slack with the oldest links first has the wrong order.',
      check: checkOrder({ sort_by: 'created_at', order: 'asc' }, 'old'),
    },
    'order-default': {
      rule: 'Without order, the newest links come first.',
      otherwise:
        'Users see their oldest links first, and the app might not find the link that it just created.',
      check: checkOrder({ sort_by: 'created_at' }, 'new'),
    },
    combined: {
      rule: 'page, per_page, sort_by and order can be combined in one request.',
      otherwise: 'Later pages of a sorted list show the wrong links.',
      check: comparePages(
        [
          { page: '1', per_page: '6', sort_by: 'created_at', order: 'asc' },
          { page: '2', per_page: '3', sort_by: 'created_at', order: 'asc' },
        ],
        ([firstSix = [], nextThree]) =>
          isDeepStrictEqual(firstSix.slice(3, 6), nextThree)
            ? undefined
            : 'These are not links 4 to 6 of the same list with per_page=6.',
      ),
    },
  }),
}

type LinkAge = (link: string) => 'new' | 'old' | 'other'

// Receives the destinations on each page. Returns what is wrong with the last page, or undefined.
type FindFault = (pages: readonly string[][], linkAge: LinkAge) => string | undefined

function comparePages(queries: readonly Record<string, string>[], findFault: FindFault): Check {
  return async ({ service, links }) => {
    const linkAge = await links.fillLists()
    const pages: string[][] = []
    let response: ServiceResponse | undefined
    for (const query of queries) {
      response = await service.list(query)
      const page = readPage(response)
      // The parameters are at fault if the service returns a readable list without them.
      if (!page && readPage(await service.list())) return { response }
      // Otherwise, the rules list-200 and list-links report the fault.
      if (!page || page.skipped > 0) {
        throw new Unchecked('the service returns no list that can be read')
      }
      pages.push(page.links.map((link) => link.destination_url))
    }
    const explanation = findFault(pages, linkAge)
    return response && explanation ? { response, explanation } : undefined
  }
}

function checkOrder(query: Record<string, string>, first: 'new' | 'old'): Check {
  const last = first === 'new' ? 'old' : 'new'
  return comparePages([query], ([page = []], linkAge) => {
    // Links that others create during the run can be anywhere.
    const ages = page.map(linkAge).filter((age) => age !== 'other')
    const isOutOfOrder = ages.some((age, index) => age === first && ages[index - 1] === last)
    // A page that starts with the oldest links might have no links of this run, only older ones.
    const hasExpectedLinks = first === 'old' ? page.length > 0 : ages.includes('new')
    return hasExpectedLinks && !isOutOfOrder ? undefined : 'The order is different.'
  })
}

function readPage({ status, json }: ServiceResponse): LinkPage | undefined {
  try {
    return status === 200
      ? readLinkPage(json, { status, page: 1, perPage: UNLIMITED_PER_PAGE })
      : undefined
  } catch {
    return undefined
  }
}

function hasLength(length: number): FindFault {
  return ([page = []]) =>
    page.length === length ? undefined : `The page has ${page.length} links.`
}
