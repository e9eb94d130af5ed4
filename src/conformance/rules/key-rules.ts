import { asObject } from '../../values/unknown-values.ts'
import { responds, hasStatus, rows, type Request, type Rule } from '../rule.ts'
import { Unchecked, type Key, type ServiceResponse } from '../tested-service.ts'

const OPEN = 'Anyone can use the service. The app still works.'

const is401 = hasStatus(401)

const list =
  (key: Key): Request =>
  ({ service }) =>
    service.list({}, key)

const create =
  (key: Key): Request =>
  ({ service, links }) =>
    service.create({ destination_url: links.newDestination() }, key)

export const KEY_RULES: readonly Rule[] = [
  {
    id: 'list-without-key',
    section: '5.1',
    rule: 'A list without X-API-Key is refused with 401.',
    otherwise: OPEN,
    check: responds(list('missing'), is401),
  },
  {
    id: 'create-without-key',
    section: '5.1',
    rule: 'A create without X-API-Key is refused with 401.',
    otherwise: OPEN,
    check: responds(create('missing'), is401),
  },
  {
    id: 'key-in-body',
    section: '5.2',
    rule: 'An API key in the body instead of the header is refused with 401.',
    otherwise:
      'Keys might get into logs. The app still works, because it sends the key in the header.',
    check: responds(
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
      check: responds(list('unknown'), is401),
    },
    {
      id: 'create-with-unknown-key',
      rule: 'A create with an unknown API key is refused with 401.',
      otherwise: 'Anyone can create links.',
      check: responds(create('unknown'), is401),
    },
    {
      id: 'authentication-code',
      rule: 'The error code of these refusals is AUTHENTICATION_REQUIRED.',
      check: responds([list('missing'), list('unknown')], hasCode),
    },
  ),
  {
    id: 'key-not-repeated',
    section: '5.5',
    rule: 'Keys are secrets: no response repeats the API key.',
    otherwise: 'The key might get into logs and into messages. The app removes it from errors.',
    check: async ({ service }) => {
      if (service.responses.length === 0) await service.list()
      const response = service.responses.find((one) => service.repeatsKey(one))
      return response && { response }
    },
  },
]

function hasCode({ status, json }: ServiceResponse): boolean {
  if (status !== 401) throw new Unchecked('the service does not return 401')
  return asObject(asObject(json)['error'])['code'] === 'AUTHENTICATION_REQUIRED'
}
