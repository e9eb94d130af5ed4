import { randomUUID } from 'node:crypto'
import { OPENAPI_PATH } from '../../contract/endpoints.ts'
import { asObject, isObject } from '../../values/unknown-values.ts'
import {
  isText,
  responds,
  hasStatus,
  inSection,
  type Check,
  type RuleTable,
  type Trial,
} from '../rule.ts'
import { Unchecked, type ServiceResponse } from '../tested-service.ts'

const STATUSES = [200, 201, 400, 401, 403, 404, 409, 422, 429, 500]

/** These rules are checked last, because they are about the responses in all other checks (spec §7, §9). */
export const ERROR_RULES: RuleTable = {
  paths: {
    section: '9',
    rule: 'The paths of create and list begin with /api/v1/ below the base URL.',
    otherwise: 'The app can’t use the service.',
    check: responds(
      [({ service }) => service.list(), ({ links }) => links.createOnce('plain')],
      ({ status }) => status !== 404,
    ),
  },
  ...inSection('7', 'The app can’t show users the service’s explanation, only the status.', {
    'not-found': {
      rule: 'A path that does not exist returns 404.',
      otherwise: 'The app might think that the service offers calls beyond the specification.',
      check: responds(
        ({ service }) => service.get(`/api/v1/no-such-path-${randomUUID()}`),
        hasStatus(404),
      ),
    },
    'error-object': {
      rule: 'Every error is a JSON object with the member error.',
      check: everyError(({ json }) => isObject(asObject(json)['error'])),
    },
    'error-message': everyErrorHas('message', 'text that is not empty', isText),
    'error-status-code': everyErrorHas(
      'status_code',
      'the status of the response, as a number',
      (code, status) => code === status,
    ),
    'error-code': everyErrorHas('code', 'text that is not empty', isText),
    'error-details': {
      rule: 'If an error has error.details, it is an object.',
      check: everyMember('details', (details) => details === undefined || isObject(details)),
    },
    statuses: {
      rule: `Every response has one of the statuses ${STATUSES.join(', ')}.`,
      otherwise: 'The app can’t explain the error to users.',
      async check(trial) {
        await receivedErrors(trial)
        const response = trial.service.responses.find(({ status }) => !STATUSES.includes(status))
        return response && { response }
      },
    },
  }),
  version: {
    section: '9',
    rule: 'The machine-readable description of the interface has the version 1.0.0.',
    check: responds(
      ({ service }) => service.get(OPENAPI_PATH),
      ({ status, json }) => {
        const { openapi, info } = asObject(json)
        if (status === 200 && openapi !== undefined) return asObject(info)['version'] === '1.0.0'
        throw new Unchecked(
          `the specification does not say where the description is, and it is not at ${OPENAPI_PATH}`,
        )
      },
      'info.version differs.',
    ),
  },
}

function everyError(isValid: (error: ServiceResponse) => boolean): Check {
  return async (trial) => {
    const response = (await receivedErrors(trial)).find((error) => !isValid(error))
    return response && { response }
  }
}

type MemberTest = (value: unknown, status: number) => boolean

/** Checks a member of every error. An error that is not an object breaks only the rule `error-object`. */
function everyMember(member: string, isValid: MemberTest): Check {
  return everyError(({ json, status }) => {
    const { error } = asObject(json)
    return !isObject(error) || isValid(error[member], status)
  })
}

function everyErrorHas(member: string, what: string, isValid: MemberTest) {
  return {
    rule: `Every error has error.${member}: ${what}.`,
    check: everyMember(member, isValid),
  }
}

async function receivedErrors({ service }: Trial): Promise<readonly ServiceResponse[]> {
  const errors = (): ServiceResponse[] => service.responses.filter(({ status }) => status >= 400)
  if (errors().length === 0) {
    await service.list({}, 'missing')
    await service.create({ title: 'No destination' })
  }
  if (errors().length === 0) throw new Unchecked('the service returned no error')
  return errors()
}
