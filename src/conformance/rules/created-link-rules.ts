import { isDeepStrictEqual } from 'node:util'
import { asObject } from '../../values/unknown-values.ts'
import {
  isText,
  responds,
  unlessNotFound,
  hasStatus,
  inSection,
  withField,
  type Check,
  type TrialRequest,
  type RuleTable,
} from '../rule.ts'
import { urlIn, type OptionalField } from '../test-links.ts'
import { readData, readShortlink, Unchecked, type ServiceResponse } from '../tested-service.ts'

const plain: TrialRequest = ({ links }) => links.requireLink('plain')

const UNREADABLE = 'The app can’t show the new link: it reports that the response is unreadable.'
const UNSHOWN = 'The app doesn’t show it, or shows something other than what the user entered.'

export const CREATED_LINK_RULES: RuleTable = {
  ...inSection('4.1', undefined, {
    'create-200': {
      rule: 'A create request with only destination_url and domain creates a link and returns 200.',
      otherwise: 'The app can’t create links.',
      check: responds(
        unlessNotFound(({ links }) => links.createOnce('plain')),
        hasStatus(200),
      ),
    },
    'create-json': {
      rule: 'The response to a create request has the content type application/json.',
      check: responds(
        plain,
        (response) => /^application\/json\s*(?:;|$)/i.test(response.header('content-type') ?? ''),
        'The content type is different or missing.',
      ),
    },
    'data-status': dataMember('status', 'text that signals success', isText),
    'data-message': dataMember('message', 'text for people', isText),
    'data-shortlink': {
      ...dataMember('shortlink', 'the new link, as an object', hasMembers),
      otherwise: UNREADABLE,
    },
  }),
  ...inSection('2.1', UNREADABLE, {
    'link-name': {
      rule: 'A new link has name: the ID of the link, as text that is not empty.',
      check: plainLink(({ name }) => isText(name)),
    },
    'link-short-url': {
      rule: 'A new link has shortlink_url: a complete http or https URL.',
      check: plainLink(({ shortlink_url: url }) => isWebUrl(url)),
    },
    'link-destination': {
      rule: 'A new link has destination_url: the URL that was sent.',
      otherwise: 'The app can’t show the new link, or shows the wrong destination.',
      check: plainLink(
        ({ destination_url: url }, sent) =>
          typeof url === 'string' && URL.parse(url)?.href === sent,
      ),
    },
  }),
  ...inSection('2.1', UNSHOWN, {
    ...optionalMember('title', 'the text that was sent', isDeepStrictEqual),
    ...optionalMember('preview_title', 'the text that was sent', isDeepStrictEqual),
    ...optionalMember('preview_description', 'the text that was sent', isDeepStrictEqual),
    ...optionalMember('is_custom_preview', 'true if true was sent', (value) => value === true),
    ...optionalMember('qr_code_enabled', 'true if true was sent', (value) => value === true),
    ...optionalMember('preview_image', 'the URL of the picture that was sent', isWebUrl),
  }),
  ...inSection('4.1', undefined, {
    'flags-default': {
      rule: 'Flags that are not sent are false: is_custom_preview and qr_code_enabled.',
      otherwise: 'Links get previews or QR codes that no one asked for.',
      check: plainLink(
        (link) => link['is_custom_preview'] !== true && link['qr_code_enabled'] !== true,
      ),
    },
    'generated-back-half': {
      rule: 'If back_half is not sent, each link gets its own short URL.',
      otherwise: 'Two links have the same short URL, so one of them leads to the wrong page.',
      check: compareShortUrls(
        (first, second) => first.href !== second.href,
        'An earlier link has the same short URL.',
      ),
    },
    'given-back-half': {
      rule: 'If back_half is sent, it is the path of the short URL.',
      otherwise: 'Users can’t choose a back-half.',
      check: responds(withField('back_half'), (response, { links }) =>
        urlIn(response, 'shortlink_url').pathname.endsWith(`/${links.fields.back_half}`),
      ),
    },
  }),
  hostname: {
    section: '2.2',
    rule: 'All links on a domain record have the same hostname: its domain_name.',
    otherwise: 'The app can’t tell on which domain a link is.',
    check: compareShortUrls(
      (first, second) => first.host === second.host,
      'An earlier link on this domain record has another hostname.',
    ),
  },
}

function dataMember(member: string, what: string, isValid: (value: unknown) => boolean) {
  return {
    rule: `The response to a create request has data.${member}: ${what}.`,
    check: responds(plain, (response) => isValid(readData(response)[member])),
  }
}

function plainLink(
  isValid: (link: Record<string, unknown>, destination: string) => boolean,
): Check {
  return responds(plain, (response, { links }) =>
    isValid(newLink(response), links.destinationOf('plain')),
  )
}

function optionalMember(
  member: OptionalField,
  what: string,
  isValid: (value: unknown, sent: unknown) => boolean,
) {
  return {
    [`link-${member.replaceAll('_', '-')}`]: {
      rule: `If a new link has ${member}, it is ${what}.`,
      check: responds(withField(member), (response, { links }) => {
        const link = newLink(response)
        return !(member in link) || isValid(link[member], links.fields[member])
      }),
    },
  }
}

function compareShortUrls(
  isValid: (first: URL, second: URL) => boolean,
  explanation: string,
): Check {
  return responds(
    async (trial) => {
      await plain(trial)
      return trial.links.requireLink('second')
    },
    async (second, trial) => {
      const first = await plain(trial)
      return isValid(urlIn(first, 'shortlink_url'), urlIn(second, 'shortlink_url'))
    },
    explanation,
  )
}

function newLink(response: ServiceResponse): Record<string, unknown> {
  if (hasMembers(readData(response)['shortlink'])) return readShortlink(response)
  throw new Unchecked('the response has no data.shortlink')
}

function hasMembers(value: unknown): boolean {
  return Object.keys(asObject(value)).length > 0
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}
