import { broken, hasStatus, HOLDS, type Outcome, type Rule } from '../rule.ts'
import { objectOf, type Answer } from '../tested-service.ts'

const OPEN = 'Anyone can use the service. The app still works.'

/** Rules about API keys (spec §5). */
export const KEY_RULES: readonly Rule[] = [
  {
    id: 'list-without-key',
    section: '5.1',
    rule: 'A list without X-API-Key is refused with 401.',
    otherwise: OPEN,
    check: async ({ service }) => hasStatus(await service.list({}, 'missing'), 401),
  },
  {
    id: 'create-without-key',
    section: '5.1',
    rule: 'A create without X-API-Key is refused with 401.',
    otherwise: OPEN,
    check: async ({ service, links }) =>
      hasStatus(await service.create({ destination_url: links.destination() }, 'missing'), 401),
  },
  {
    id: 'key-in-body',
    section: '5.2',
    rule: 'An API key in the body instead of the header is refused with 401.',
    otherwise:
      'Keys may get into logs. The app still works, because it sends the key in the header.',
    check: async ({ service, links }) => {
      const fields = { destination_url: links.destination() }
      return hasStatus(await service.createWithKeyInBody(fields, ['x-api-key', 'api_key']), 401)
    },
  },
  {
    id: 'list-with-unknown-key',
    section: '5.3',
    rule: 'A list with an unknown API key is refused with 401.',
    otherwise:
      'An admin who mistypes the key in /shorten connect is not told. Anyone can read links.',
    check: async ({ service }) => hasStatus(await service.list({}, 'unknown'), 401),
  },
  {
    id: 'create-with-unknown-key',
    section: '5.3',
    rule: 'A create with an unknown API key is refused with 401.',
    otherwise: 'Anyone can make links.',
    check: async ({ service, links }) =>
      hasStatus(await service.create({ destination_url: links.destination() }, 'unknown'), 401),
  },
  {
    id: 'authentication-code',
    section: '5.3',
    rule: 'The error code of these refusals is AUTHENTICATION_REQUIRED.',
    otherwise:
      'Nothing is missing in the app, which reads the status. Other clients may read the code.',
    check: async ({ service }) => {
      const missing = hasCode(await service.list({}, 'missing'))
      return missing.status === 'holds' ? hasCode(await service.list({}, 'unknown')) : missing
    },
  },
  {
    id: 'key-not-repeated',
    section: '5.5',
    rule: 'Keys are secrets: no answer repeats the API key.',
    otherwise: 'The key may get into logs and into messages. The app removes it from errors.',
    check: async ({ service }) => {
      if (service.answers.length === 0) await service.list()
      const answer = service.answers.find((one) => service.repeatsKey(one))
      return answer ? broken(answer) : HOLDS
    },
  },
]

function hasCode(answer: Answer): Outcome {
  const { code } = objectOf(objectOf(answer.json)['error'])
  if (answer.status !== 401)
    return { status: 'unchecked', reason: 'the service does not answer 401' }
  return code === 'AUTHENTICATION_REQUIRED' ? HOLDS : broken(answer)
}
