import { asObject } from '../../values/objects.ts'
import { answers, hasStatus, rows, type Rule } from '../rule.ts'
import { Unchecked, type Answer } from '../tested-service.ts'

const OPEN = 'Anyone can use the service. The app still works.'

const is401 = hasStatus(401)

/** Rules about API keys (spec §5). */
export const KEY_RULES: readonly Rule[] = [
  {
    id: 'list-without-key',
    section: '5.1',
    rule: 'A list without X-API-Key is refused with 401.',
    otherwise: OPEN,
    check: answers(({ service }) => service.list({}, 'missing'), is401),
  },
  {
    id: 'create-without-key',
    section: '5.1',
    rule: 'A create without X-API-Key is refused with 401.',
    otherwise: OPEN,
    check: answers(
      ({ service, links }) =>
        service.create({ destination_url: links.newDestination() }, 'missing'),
      is401,
    ),
  },
  {
    id: 'key-in-body',
    section: '5.2',
    rule: 'An API key in the body instead of the header is refused with 401.',
    otherwise:
      'Keys may get into logs. The app still works, because it sends the key in the header.',
    check: answers(
      ({ service, links }) => service.createWithKeyInBody(links.newDestination()),
      is401,
    ),
  },
  ...rows(
    { section: '5.3' },
    {
      id: 'list-with-unknown-key',
      rule: 'A list with an unknown API key is refused with 401.',
      otherwise:
        'An admin who mistypes the key while connecting a workspace is not told. Anyone can read links.',
      check: answers(({ service }) => service.list({}, 'unknown'), is401),
    },
    {
      id: 'create-with-unknown-key',
      rule: 'A create with an unknown API key is refused with 401.',
      otherwise: 'Anyone can make links.',
      check: answers(
        ({ service, links }) =>
          service.create({ destination_url: links.newDestination() }, 'unknown'),
        is401,
      ),
    },
    {
      id: 'authentication-code',
      rule: 'The error code of these refusals is AUTHENTICATION_REQUIRED.',
      check: answers(
        [
          ({ service }) => service.list({}, 'missing'),
          ({ service }) => service.list({}, 'unknown'),
        ],
        hasCode,
      ),
    },
  ),
  {
    id: 'key-not-repeated',
    section: '5.5',
    rule: 'Keys are secrets: no answer repeats the API key.',
    otherwise: 'The key may get into logs and into messages. The app removes it from errors.',
    check: async ({ service }) => {
      if (service.answers.length === 0) await service.list()
      const answer = service.answers.find((one) => service.repeatsKey(one))
      return answer && { answer }
    },
  },
]

function hasCode({ status, json }: Answer): boolean {
  if (status !== 401) throw new Unchecked('the service does not answer 401')
  return asObject(asObject(json)['error'])['code'] === 'AUTHENTICATION_REQUIRED'
}
