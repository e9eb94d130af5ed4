import { broken, hasStatus, HOLDS, type Rule } from '../rule.ts'
import { isMade, urlIn } from '../test-links.ts'
import { Unchecked, dataOf, objectOf, shortlinkOf, type Answer } from '../tested-service.ts'

/** Rules about the answer to a create that succeeds (spec §2.1, §2.2, §4.1). */
export const CREATED_LINK_RULES: readonly Rule[] = [
  {
    id: 'create-200',
    section: '4.1',
    rule: 'A create with only destination_url and domain makes a link and is answered with 200.',
    otherwise: 'The app can’t make links.',
    links: ['plain'],
    async check({ links }) {
      const answer = await links.attempt('plain')
      if (answer.status === 404) throw new Unchecked('there is nothing at this address (see §9)')
      return hasStatus(answer, 200)
    },
  },
  {
    id: 'create-json',
    section: '4.1',
    rule: 'The answer to a create has the content type application/json.',
    otherwise: 'Nothing is missing in the app, but other clients may not read the answer.',
    links: ['plain'],
    async check({ links }) {
      const answer = await links.link('plain')
      const type = answer.header('content-type') ?? 'none'
      if (/^application\/json\s*(?:;|$)/i.test(type)) return HOLDS
      return broken(answer, 'The content type is different or missing.')
    },
  },
  dataRule('data-status', 'status', 'text that signals success', isText),
  dataRule('data-message', 'message', 'text for people', isText),
  {
    ...dataRule('data-shortlink', 'shortlink', 'the new link, as an object', isObject),
    otherwise: 'The app can’t show the new link: it reports that the answer is unreadable.',
  },
  requiredMember('link-name', 'name', 'the ID of the link, as text that is not empty', isText),
  requiredMember('link-short-url', 'shortlink_url', 'a complete http or https URL', isWebUrl),
  {
    id: 'link-destination',
    section: '2.1',
    rule: 'A new link has destination_url: the URL that was sent.',
    otherwise: 'The app can’t show the new link, or shows the wrong destination.',
    links: ['plain'],
    async check({ links }) {
      const answer = await links.link('plain')
      const sent = links.destinationOf('plain')
      const { destination_url: url } = memberOwner(answer)
      return typeof url === 'string' && URL.parse(url)?.href === sent ? HOLDS : broken(answer)
    },
  },
  ...(['title', 'preview_title', 'preview_description'] as const).map((name) =>
    optionalMember(name, 'the text that was sent', (value, sent) => value === sent),
  ),
  ...(['is_custom_preview', 'qr_code_enabled'] as const).map((name) =>
    optionalMember(name, 'true if true was sent', (value) => value === true),
  ),
  optionalMember('preview_image', 'the URL of the picture that was sent', isWebUrl),
  {
    id: 'flags-default',
    section: '4.1',
    rule: 'Flags that are not sent are false: is_custom_preview and qr_code_enabled.',
    otherwise: 'Links get previews or QR codes that no one asked for.',
    links: ['plain'],
    async check({ links }) {
      const answer = await links.link('plain')
      const { is_custom_preview: preview, qr_code_enabled: qr } = memberOwner(answer)
      return [preview, qr].includes(true) ? broken(answer) : HOLDS
    },
  },
  {
    id: 'generated-back-half',
    section: '4.1',
    rule: 'If back_half is not sent, each link gets its own short URL.',
    otherwise: 'Two links have the same short URL, so one of them leads to the wrong page.',
    links: ['plain', 'second'],
    async check({ links }) {
      const first = await links.link('plain')
      const second = await links.link('second')
      const isSame = urlIn(first, 'shortlink_url').href === urlIn(second, 'shortlink_url').href
      return isSame ? broken(second, 'An earlier link has the same short URL.') : HOLDS
    },
  },
  {
    id: 'given-back-half',
    section: '4.1',
    rule: 'If back_half is sent, it is the path of the short URL.',
    otherwise: 'Users can’t choose a back-half.',
    links: ['full'],
    async check({ links }) {
      const answer = await links.withField('back_half')
      if (!isMade(answer)) throw new Unchecked('the service refuses back_half')
      const path = urlIn(answer, 'shortlink_url').pathname
      const backHalf = links.textOf('back_half')
      return path.endsWith(`/${backHalf}`) ? HOLDS : broken(answer)
    },
  },
  {
    id: 'hostname',
    section: '2.2',
    rule: 'All links on a domain record have the same hostname: its domain_name.',
    otherwise: 'The app can’t tell on which domain a link is.',
    links: ['plain', 'second'],
    async check({ links }) {
      const first = await links.link('plain')
      const second = await links.link('second')
      const hosts = [first, second].map((answer) => urlIn(answer, 'shortlink_url').host)
      return hosts[0] === hosts[1]
        ? HOLDS
        : broken(second, 'An earlier link on this domain record has another hostname.')
    },
  },
]

function dataRule(
  id: string,
  member: string,
  what: string,
  isValid: (value: unknown) => boolean,
): Rule {
  return {
    id,
    section: '4.1',
    rule: `The answer to a create has data.${member}: ${what}.`,
    otherwise: 'Nothing is missing in the app, but other clients may need it.',
    links: ['plain'],
    async check({ links }) {
      const answer = await links.link('plain')
      return isValid(dataOf(answer)[member]) ? HOLDS : broken(answer)
    },
  }
}

function requiredMember(
  id: string,
  member: string,
  what: string,
  isValid: (value: unknown) => boolean,
): Rule {
  return {
    id,
    section: '2.1',
    rule: `A new link has ${member}: ${what}.`,
    otherwise: 'The app can’t show the new link: it reports that the answer is unreadable.',
    links: ['plain'],
    async check({ links }) {
      const answer = await links.link('plain')
      return isValid(memberOwner(answer)[member]) ? HOLDS : broken(answer)
    },
  }
}

/** A member that may be absent. If it is not, it has the value that was sent. */
function optionalMember(
  member:
    | 'title'
    | 'preview_title'
    | 'preview_description'
    | 'is_custom_preview'
    | 'qr_code_enabled'
    | 'preview_image',
  what: string,
  isValid: (value: unknown, sent: unknown) => boolean,
): Rule {
  return {
    id: `link-${member.replaceAll('_', '-')}`,
    section: '2.1',
    rule: `If a new link has ${member}, it is ${what}.`,
    otherwise: 'The app doesn’t show it, or shows something other than what the user entered.',
    links: ['full'],
    async check({ links }) {
      const answer = await links.withField(member)
      if (!isMade(answer)) throw new Unchecked(`the service refuses ${member}`)
      const link = memberOwner(answer)
      const holds = !(member in link) || isValid(link[member], links.fields[member])
      return holds ? HOLDS : broken(answer)
    },
  }
}

/** @throws Unchecked if the answer has no link */
function memberOwner(answer: Answer): Record<string, unknown> {
  if (isObject(dataOf(answer)['shortlink'])) return shortlinkOf(answer)
  throw new Unchecked('the answer has no data.shortlink')
}

function isObject(value: unknown): boolean {
  return Object.keys(objectOf(value)).length > 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}
