import { SPECIFICATION, type Capabilities } from '../../src/port/capabilities.ts'
import { OUR_SORT_FIELDS } from '../../src/contract/list-query.ts'
import {
  CREATE_PATH,
  DOMAINS_PATH,
  LIST_PATH,
  PEOPLE_PATH,
  REPORTS_PATH,
  SESSIONS_PATH,
  SHORTLINKS_PATH,
  SIGN_INS_PATH,
  TAGS_PATH,
} from '../../src/contract/endpoints.ts'
import { eachField } from '../../src/contract/field-spec.ts'
import {
  CREATE_FIELDS,
  fieldsWith,
  LINK_FIELD_NAMES,
  OUR_CREATE_FIELDS,
  without,
} from '../../src/contract/link-fields.ts'

/** The capabilities of a link service that offers everything. */
export const ALL_OFFERS: Capabilities = {
  ...SPECIFICATION,
  get: true,
  update: true,
  delete: true,
  turnOff: true,
  keepsAddresses: true,
  clicks: true,
  fields: CREATE_FIELDS,
  editable: LINK_FIELD_NAMES,
  clearable: without(LINK_FIELD_NAMES, fieldsWith({ isPermanent: true })),
  search: true,
  sorts: OUR_SORT_FIELDS,
  tagFilter: true,
  tags: true,
  creatorFilter: true,
  expiresBefore: true,
  deadFilter: true,
  reports: true,
  domains: true,
  createdBy: true,
  signIn: true,
  erasePerson: true,
  qrPath: '/qr.png',
}

/** The OpenAPI document of a link service that offers everything beyond the specification. */
export function offersDocument() {
  return {
    openapi: '3.1.0',
    servers: [{ url: 'https://go.example.com' }],
    paths: {
      [CREATE_PATH]: {
        post: {
          parameters: [{ in: 'header', name: 'X-Created-By' }],
          requestBody: {
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: eachField(OUR_CREATE_FIELDS, () => ({ type: 'string' })),
                },
              },
            },
          },
        },
      },
      [LIST_PATH]: {
        get: {
          parameters: [
            { in: 'query', name: 'q' },
            { in: 'query', name: 'sort_by', schema: { enum: ['most_recent', 'clicks'] } },
            { in: 'query', name: 'tag' },
            { in: 'query', name: 'created_by' },
            { in: 'query', name: 'expires_before' },
            { in: 'query', name: 'state', schema: { enum: ['dead'] } },
          ],
        },
      },
      [DOMAINS_PATH]: { get: {} },
      [TAGS_PATH]: { get: {} },
      [REPORTS_PATH]: { get: {} },
      [SIGN_INS_PATH]: { post: {} },
      [SESSIONS_PATH]: { delete: {} },
      [`${PEOPLE_PATH}/{id}`]: { delete: {} },
      [`${SHORTLINKS_PATH}/{name}`]: { get: {}, patch: {}, delete: {} },
      [`${SHORTLINKS_PATH}/{name}/clicks`]: { get: {} },
      '/{back_half}/qr.png': {
        get: { parameters: [{ in: 'query', name: 'color' }] },
      },
    },
  }
}
