import { eachField, GROUP_FLAGS, UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { all, broken, hasStatus, HOLDS, type Check, type Outcome, type Rule } from '../rule.ts'
import { isMade, OPTIONAL_FIELDS, type OptionalField } from '../test-links.ts'
import { Unchecked, type Fields } from '../tested-service.ts'

/** What a field is for in the app. */
const OTHERWISE: Record<OptionalField, string> = {
  title: 'Users can’t give a link a title.',
  back_half: 'Users can’t choose a back-half.',
  utm_analytics_enabled: 'UTM parameters have no effect.',
  ...eachField(UTM_PARAMETERS, (name) => `Users can’t set ${name}.`),
  is_custom_preview: 'Users can’t give a link a preview.',
  preview_title: 'Users can’t give a preview a title.',
  preview_description: 'Users can’t give a preview a description.',
  preview_image: 'Users can’t give a preview a picture.',
  qr_code_enabled: 'Users can’t turn on the service’s QR code. The app’s own still works.',
  qr_code_color: 'Users can’t choose the color of the service’s QR code.',
}

const FLAGS = Object.values(GROUP_FLAGS)

/** The app shows the service's error next to the field, or the user gets a link that they did not ask for. */
const NO_ERROR = 'Users are not told about the mistake and get a link that they did not ask for.'

/** Rules about the fields of a create, and about creates that must be refused (spec §2.2, §4.1). */
export const CREATE_REQUEST_RULES: readonly Rule[] = [
  {
    id: 'all-fields',
    section: '4.1',
    rule: 'A create can have all 17 fields.',
    otherwise: 'Users can’t combine options, such as a preview and UTM parameters.',
    links: ['full'],
    async check({ links }) {
      await links.link('plain')
      const answer = await links.attempt('full')
      if (isMade(answer)) return HOLDS
      for (const field of OPTIONAL_FIELDS) {
        const single = await links.withField(field)
        if (!isMade(single)) throw new Unchecked(`the service refuses ${field}`)
      }
      return broken(answer, 'With only one optional field at a time, the create succeeds.')
    },
  },
  ...OPTIONAL_FIELDS.map((field): Rule => ({
    id: `field-${field.replaceAll('_', '-')}`,
    section: '4.1',
    rule: `A create can have ${field}.`,
    otherwise: OTHERWISE[field],
    links: ['full'],
    async check({ links }) {
      await links.link('plain')
      const answer = await links.withField(field)
      return isMade(answer) ? HOLDS : broken(answer)
    },
  })),
  refusal('no-destination', 'A create without destination_url is refused', ({ service }) =>
    service.create({ title: 'No destination' }),
  ),
  {
    ...refusal('invalid-destination', 'A destination_url that is not a URL is refused', (trial) =>
      trial.service.create({ destination_url: 'not a URL' }),
    ),
    otherwise: 'Users get short URLs that lead nowhere.',
  },
  refusal('no-domain', 'A create without domain is refused', ({ service, links }) =>
    service.createExactly({ destination_url: links.destination() }),
  ),
  {
    id: 'unknown-domain',
    section: '2.2',
    rule: 'A create on an unknown domain record is refused with 400, 403, 404 or 422.',
    otherwise: 'An admin who mistypes a domain in /shorten connect is not told.',
    links: ['plain'],
    async check({ service, links }) {
      await links.link('plain')
      const fields = { destination_url: links.destination(), domain: 'no-such-domain-record' }
      return hasStatus(await service.createExactly(fields), 400, 403, 404, 422)
    },
  },
  {
    id: 'flag-values',
    section: '4.1',
    rule: 'A flag other than true or false is refused with 400 or 422.',
    otherwise: NO_ERROR,
    links: ['plain'],
    check: refusedFields(FLAGS.map((name) => ({ [name]: 'maybe' }))),
  },
  {
    id: 'color-values',
    section: '4.1',
    rule: 'A qr_code_color that does not have the form #RRGGBB is refused with 400 or 422.',
    otherwise: NO_ERROR,
    links: ['plain'],
    check: refusedFields([{ qr_code_color: 'green' }, { qr_code_color: '#12345' }]),
  },
  refusal('no-body', 'A create without a body is refused', ({ service }) =>
    service.createRaw({ words: ' without a body' }),
  ),
  refusal('unreadable-body', 'A create whose form is cut off is refused', ({ service, links }) =>
    service.createRaw({
      words: ' with a form that is cut off',
      headers: { 'content-type': 'multipart/form-data; boundary=cut' },
      body: Buffer.from(
        `--cut\r\nContent-Disposition: form-data; name="destination_url"\r\n\r\n${links.destination()}`,
      ),
    }),
  ),
  {
    id: 'duplicate-409',
    section: '4.1',
    rule: 'A second create with the same destination_url is refused with 409.',
    otherwise: 'The app can’t show users the link that a page already has. It makes a second one.',
    links: ['plain'],
    async check({ service, links }) {
      await links.link('plain')
      const fields = { destination_url: links.destinationOf('plain') }
      return hasStatus(await service.create(fields), 409)
    },
  },
  {
    id: 'back-half-409',
    section: '4.1',
    rule: 'A create with a back_half that is taken is refused with 409.',
    otherwise: 'Users are not told that a back-half is taken, or an earlier link stops working.',
    links: ['full'],
    async check({ service, links }) {
      const first = await links.withField('back_half')
      if (!isMade(first)) throw new Unchecked('the service refuses back_half')
      const backHalf = links.textOf('back_half')
      const fields = { destination_url: links.destination(), back_half: backHalf }
      return hasStatus(await service.create(fields), 409)
    },
  },
]

function refusal(
  id: string,
  rule: string,
  send: (trial: Parameters<Check>[0]) => ReturnType<Parameters<Check>[0]['service']['create']>,
): Rule {
  return {
    id,
    section: '4.1',
    rule: `${rule} with 400 or 422.`,
    otherwise: NO_ERROR,
    // If the service refuses everything, a refusal says nothing.
    links: ['plain'],
    async check(trial) {
      await trial.links.link('plain')
      return hasStatus(await send(trial), 400, 422)
    },
  }
}

/** Whether creates with each of these fields are refused. */
export function refusedFields(cases: readonly Fields[], ...more: readonly number[]): Check {
  return async ({ service, links }) => {
    await links.link('plain')
    return all(
      cases.map((fields) => async (): Promise<Outcome> => {
        const answer = await service.create({ destination_url: links.destination(), ...fields })
        return hasStatus(answer, 400, 422, ...more)
      }),
    )
  }
}
