import * as endpoints from '../../contract/endpoints.ts'
import {
  CREATE_FIELDS,
  fieldsWith,
  LINK_FIELD_NAMES,
  OUR_CREATE_FIELDS,
  without,
} from '../../contract/link-fields.ts'
import { OUR_SORT_FIELDS, SORT_FIELDS } from '../../contract/list-query.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { CREATED_BY_HEADER } from '../../contract/person.ts'
import { QR_PICTURE_PATH } from '../../contract/qr-picture.ts'
import { parseJson } from '../../client/json.ts'
import { readOpenapi } from './openapi-document.ts'
import { asObject } from '../../values/unknown-values.ts'

const CLEARABLE = without(LINK_FIELD_NAMES, fieldsWith({ isPermanent: true }))

/** Reads from an OpenAPI document what a service offers beyond the specification. Any other text offers nothing. */
export function parseCapabilities(text: string): Capabilities {
  const document = asObject(parseJson(text))
  if (!('openapi' in document)) return SPECIFICATION
  const { offersCall, takesParameter, takesFormField } = readOpenapi(document)
  const listTakes = (name: string, value?: string): boolean =>
    takesParameter(endpoints.LIST_PATH, 'get', 'query', name, value)

  const linkPath = `${endpoints.SHORTLINKS_PATH}/{}`
  const update = offersCall(linkPath, 'patch')
  const canDelete = offersCall(linkPath, 'delete')
  const qrPicture = takesParameter(`/{}${QR_PICTURE_PATH}`, 'get', 'query', 'color')
  const offeredFields = OUR_CREATE_FIELDS.filter((name) =>
    takesFormField(endpoints.CREATE_PATH, name),
  )
  return {
    ...SPECIFICATION,
    get: offersCall(linkPath, 'get'),
    update,
    turnOff: update,
    keepsAddresses: update || canDelete,
    delete: canDelete,
    clicks: offersCall(`${linkPath}/clicks`, 'get'),
    search: listTakes('q'),
    sorts: listTakes('sort_by', 'clicks') ? OUR_SORT_FIELDS : SORT_FIELDS,
    tagFilter: listTakes('tag'),
    creatorFilter: listTakes('created_by'),
    expiresBefore: listTakes('expires_before'),
    deadFilter: listTakes('state', 'dead'),
    reports: offersCall(endpoints.REPORTS_PATH, 'get'),
    tags: offersCall(endpoints.TAGS_PATH, 'get'),
    domains: offersCall(endpoints.DOMAINS_PATH, 'get'),
    fields: without(CREATE_FIELDS, without(OUR_CREATE_FIELDS, offeredFields)),
    ...(update && { editable: LINK_FIELD_NAMES, clearable: CLEARABLE }),
    signIn:
      offersCall(endpoints.SIGN_INS_PATH, 'post') && offersCall(endpoints.SESSIONS_PATH, 'delete'),
    erasePerson: offersCall(`${endpoints.PEOPLE_PATH}/{}`, 'delete'),
    createdBy: takesParameter(endpoints.CREATE_PATH, 'post', 'header', CREATED_BY_HEADER),
    ...(qrPicture && { qrPath: QR_PICTURE_PATH }),
  }
}
