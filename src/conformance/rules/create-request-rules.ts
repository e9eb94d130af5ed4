import type { ImageFile } from '../../contract/preview-image.ts'
import { GROUP_FLAGS, FIELD_SPECS } from '../../contract/link-fields.ts'
import {
  respondsAfterCreate,
  responds,
  hasStatus,
  isRefused,
  inSection,
  withField,
  type TrialRequest,
  type RuleTable,
  type Trial,
} from '../rule.ts'
import { IMAGES, isCreated, OPTIONAL_FIELDS } from '../test-links.ts'
import type { Fields } from '../tested-service.ts'

const FLAGS = Object.values(GROUP_FLAGS)
const UNREPORTED_MISTAKE =
  'Users are not told about the mistake and get a link that they did not ask for.'

const create =
  (fields: Fields): TrialRequest =>
  ({ service, links }) =>
    service.create({ destination_url: links.newDestination(), ...fields })

const refusal = (what: string, ...requests: readonly TrialRequest[]) => ({
  rule: `${what} is refused with 400 or 422.`,
  check: respondsAfterCreate(requests, isRefused),
})

export const CREATE_REQUEST_RULES: RuleTable = {
  ...inSection('4.1', UNREPORTED_MISTAKE, {
    'all-fields': {
      rule: 'A create request can have all 17 fields.',
      otherwise: 'Users can’t combine options, such as a preview and UTM parameters.',
      check: respondsAfterCreate(
        ({ links }) => links.createOnce('full', links.fields),
        async (response, trial) => isCreated(response) || !(await acceptsEachField(trial)),
        'With only one optional field at a time, the request succeeds.',
      ),
    },
    ...Object.fromEntries(
      OPTIONAL_FIELDS.map((field) => [
        `field-${field.replaceAll('_', '-')}`,
        {
          rule: `A create request can have ${field}.`,
          otherwise: `Users can’t set “${FIELD_SPECS[field].label}”.`,
          check: respondsAfterCreate(({ links }) => links.createFullOrWith(field), isCreated),
        },
      ]),
    ),
    'no-destination': refusal(
      'A create request without destination_url',
      create({ destination_url: undefined }),
    ),
    'invalid-destination': {
      ...refusal('A destination_url that is not a URL', create({ destination_url: 'not a URL' })),
      otherwise: 'Users get short URLs that don’t work.',
    },
    'no-domain': refusal('A create request without domain', create({ domain: undefined })),
    'unknown-domain': {
      section: '2.2',
      rule: 'A create request on an unknown domain record is refused with 400, 403, 404 or 422.',
      otherwise: 'An admin who mistypes a domain while connecting a workspace is not told.',
      check: respondsAfterCreate(
        create({ domain: 'no-such-domain-record' }),
        hasStatus(400, 403, 404, 422),
      ),
    },
    'flag-values': refusal(
      'A flag other than true or false',
      ...FLAGS.map((name) => create({ [name]: 'maybe' })),
    ),
    'color-values': refusal(
      'A qr_code_color that does not have the form #RRGGBB',
      create({ qr_code_color: 'green' }),
      create({ qr_code_color: '#12345' }),
    ),
    'no-body': refusal('A create request without a body', ({ service }) =>
      service.createRaw({ words: ' without a body' }),
    ),
    'unreadable-body': refusal('A create request whose form is cut off', ({ service, links }) =>
      service.createRaw({
        words: ' with a form that is cut off',
        headers: { 'content-type': 'multipart/form-data; boundary=cut' },
        body: Buffer.from(
          `--cut\r\nContent-Disposition: form-data; name="destination_url"\r\n\r\n${links.newDestination()}`,
        ),
      }),
    ),
    'duplicate-409': {
      rule: 'A second create request with the same destination_url is refused with 409.',
      otherwise:
        'The app can’t show users the link that a page already has. It creates a second one.',
      check: respondsAfterCreate(
        ({ service, links }) => service.create({ destination_url: links.destinationOf('plain') }),
        hasStatus(409),
      ),
    },
    'back-half-409': {
      rule: 'A create request with a back_half that is taken is refused with 409.',
      otherwise: 'Users are not told that a back-half is taken, or an earlier link stops working.',
      check: responds(async (trial) => {
        await withField('back_half')(trial)
        return create({ back_half: trial.links.fields.back_half })(trial)
      }, hasStatus(409)),
    },
  }),
  // Files whose names end in .png are part of other checks.
  ...inSection('8', 'Users can’t use such a picture in a preview.', {
    'image-jpeg': acceptedImage('whose name ends in .jpeg', IMAGES.jpeg),
    'image-jpg': acceptedImage('whose name ends in .jpg', IMAGES.jpg),
    'image-svg': acceptedImage('whose name ends in .svg', IMAGES.svg),
    'image-large': acceptedImage(`of 500 KB (${IMAGES.large.bytes.length} bytes)`, IMAGES.large),
    'image-extension': {
      ...refusal('A preview_image whose name ends in .gif', create({ preview_image: IMAGES.gif })),
      otherwise: 'Users are not told that their picture can’t be shown.',
    },
    'image-too-large': {
      rule: `A preview_image over 500 KB (${IMAGES.tooLarge.bytes.length} bytes) is refused with 400, 403 or 422.`,
      otherwise: 'Users are not told that their picture is too large.',
      check: respondsAfterCreate(
        create({ preview_image: IMAGES.tooLarge }),
        hasStatus(400, 403, 422),
      ),
    },
  }),
}

/** @throws Unchecked if the service refuses a field by itself, because the rule about that field reports it */
async function acceptsEachField(trial: Trial): Promise<true> {
  for (const field of OPTIONAL_FIELDS) await withField(field)(trial)
  return true
}

function acceptedImage(what: string, image: ImageFile) {
  const request: TrialRequest = ({ links }) =>
    links.createOnce(image.filename, { preview_image: image })
  return {
    rule: `A preview_image ${what} is accepted.`,
    check: respondsAfterCreate(request, isCreated),
  }
}
