import { asObject } from '../../values/unknown-values.ts'
import { responds, hasStatus, inSection, type TrialRequest, type RuleTable } from '../rule.ts'
import { Unchecked, type KeyKind, type ServiceResponse } from '../tested-service.ts'

const list =
  (key: KeyKind): TrialRequest =>
  ({ service }) =>
    service.list({}, key)

const create =
  (key: KeyKind): TrialRequest =>
  ({ service, links }) =>
    service.create({ destination_url: links.newDestination() }, key)

const refusal = (what: string, request: TrialRequest) => ({
  rule: `${what} is refused with 401.`,
  check: responds(request, hasStatus(401)),
})

export const KEY_RULES: RuleTable = {
  ...inSection('5.1', 'Anyone can use the service. The app still works.', {
    'list-without-key': refusal('A list without X-API-Key', list('missing')),
    'create-without-key': refusal('A create request without X-API-Key', create('missing')),
  }),
  'key-in-body': {
    ...refusal('An API key in the body instead of the header', ({ service, links }) =>
      service.createWithKeyInBody(links.newDestination()),
    ),
    section: '5.2',
    otherwise:
      'Keys might get into logs. The app still works, because it sends the key in the header.',
  },
  ...inSection('5.3', undefined, {
    'list-with-unknown-key': {
      ...refusal('A list with an unknown API key', list('unknown')),
      otherwise:
        'An admin who mistypes the key while connecting a workspace is not told. Anyone can read links.',
    },
    'create-with-unknown-key': {
      ...refusal('A create request with an unknown key', create('unknown')),
      otherwise: 'Anyone can create links.',
    },
    'authentication-code': {
      rule: 'The error code of these refusals is AUTHENTICATION_REQUIRED.',
      check: responds([list('missing'), list('unknown')], hasCode),
    },
  }),
  'key-not-repeated': {
    section: '5.5',
    rule: 'Keys are secrets: no response repeats the API key.',
    otherwise: 'The key might get into logs and into messages. The app removes it from errors.',
    check: async ({ service }) => {
      if (service.responses.length === 0) await service.list()
      const response = service.responses.find((received) => service.repeatsKey(received))
      return response && { response }
    },
  },
}

function hasCode({ status, json }: ServiceResponse): boolean {
  if (status !== 401) throw new Unchecked('the service does not return 401')
  return asObject(asObject(json)['error'])['code'] === 'AUTHENTICATION_REQUIRED'
}
