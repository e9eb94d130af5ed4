import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi'
import type { ErrorCode } from '../../contract/error-envelope.ts'
import { createRequest, updateRequest } from '../../contract/link-requests.ts'
import * as endpoints from '../../contract/endpoints.ts'
import * as calls from '../../contract/extension-calls.ts'
import { listQuery } from '../../contract/list-query.ts'
import { QR_PICTURE_PATH, qrQuery } from '../../contract/qr-picture.ts'
import { reportEnvelope, reportQuery } from '../../contract/report.ts'
import { domainsQuery, linkList } from './list-links.ts'
import { REQUESTS, RESPONSES } from './openapi-examples.ts'
import { personPath, sessionsQuery } from './people.ts'
import { clicksQuery } from './reports.ts'
import * as parts from './openapi-parts.ts'

const ACCESS_ERRORS = ['PERMISSION_DENIED', 'VALIDATION_ERROR'] as const
const WRITE_ERRORS = [
  ...ACCESS_ERRORS,
  'FEATURE_LIMIT_EXCEEDED',
  'DUPLICATE_DESTINATION_URL',
  'BACK_HALF_CONFLICT',
] as const

interface OperationSpec extends Pick<
  ZodOpenApiOperationObject,
  'description' | 'requestParams' | 'tags'
> {
  body?: z.ZodType
  status?: '201'
  returns: string
  schema: z.ZodType
  headers?: z.ZodObject
  errors?: readonly ErrorCode[]
}

function operation(
  operationId: keyof typeof RESPONSES,
  summary: string,
  { body, status, returns, schema, headers, errors = ACCESS_ERRORS, ...more }: OperationSpec,
): ZodOpenApiOperationObject {
  const form = body && { schema: body, example: REQUESTS[operationId] }
  return {
    operationId,
    tags: ['Shortlinks'],
    summary,
    ...more,
    ...(form && { requestBody: { required: true, content: { 'multipart/form-data': form } } }),
    responses: {
      [status ?? '200']: {
        description: returns,
        headers: headers ?? parts.rateLimitHeaders,
        content: { 'application/json': { schema, example: RESPONSES[operationId] } },
      },
      ...parts.errorResponses([...parts.COMMON_ERRORS, ...errors]),
    },
  }
}

export function openapiDocument(publicUrl: string) {
  const baseUrl = publicUrl.replace(/(?<!\/)\/+$/, '')
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Backhalf link service',
        version: '1.0.0',
        description: 'Creates, lists, changes and deletes short links.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      security: [{ apiKey: [] }],
      tags: [{ name: 'Shortlinks' }, { name: 'Domains' }, { name: 'Dashboard' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'Create one in the dashboard, or with `npm run admin -- keys create`.',
          },
        },
      },
      paths: {
        [endpoints.CREATE_PATH]: {
          post: operation('createShortlink', 'Create a shortlink', {
            requestParams: { header: parts.createHeaders },
            body: createRequest,
            returns: 'The shortlink was created.',
            schema: calls.createdEnvelope,
            errors: WRITE_ERRORS,
          }),
        },
        [endpoints.LIST_PATH]: {
          get: operation('getShortlinks', 'List shortlinks', {
            requestParams: { query: listQuery },
            returns: 'A page of the shortlinks that the API key can access.',
            schema: linkList,
          }),
        },
        [endpoints.DOMAINS_PATH]: {
          get: operation('getDomains', 'List domain records', {
            tags: ['Domains'],
            requestParams: { query: domainsQuery },
            returns: 'A page of the domain records on which the API key can create links.',
            schema: calls.domainsEnvelope,
            errors: ['VALIDATION_ERROR'],
          }),
        },
        [endpoints.REPORTS_PATH]: {
          get: operation('getReport', 'Count the clicks on groups of links', {
            description:
              'All days are in UTC. Each click counts toward the campaign, tags and so on that its shortlink has now. Deleted shortlinks are left out. If a filter has an unknown value, the report has no clicks. The previous period ends on the day before the range. It has as many months if the range consists of whole months, otherwise as many days.',
            requestParams: { query: reportQuery },
            returns:
              'The clicks on each day of the range, in total and by group, and the clicks in the previous period.',
            schema: reportEnvelope,
          }),
        },
        [endpoints.TAGS_PATH]: {
          get: operation('getTags', 'List tags', {
            returns: `The ${calls.MAX_LISTED_TAGS} most used tags of the shortlinks that the API key can access, most used first.`,
            schema: calls.tagsEnvelope,
            errors: ['PERMISSION_DENIED'],
          }),
        },
        [endpoints.SIGN_INS_PATH]: {
          post: operation('createSignIn', 'Sign a person in to the dashboard', {
            tags: ['Dashboard'],
            description:
              'Creates a one-time link. The scope is `dashboard:sign_in`, which no permission level includes. In the dashboard, the person can do what both the role and the API key allow. The role `admin` needs an API key that allows everything on all domains. If the person already has sessions that were started with this key, they get this role at once.',
            requestParams: { header: parts.signInHeaders },
            body: calls.signInRequest,
            status: '201',
            returns: 'A one-time link that signs the person in, within five minutes.',
            schema: calls.signInEnvelope,
          }),
        },
        [endpoints.SESSIONS_PATH]: {
          delete: operation('endSessions', 'End sessions of the dashboard', {
            tags: ['Dashboard'],
            description:
              'Ends the sessions that were started with this API key, and the one-time links that it created. The query can select a person or a role. Without a query, the sessions and links of everyone end. The scope is `dashboard:sign_in`.',
            requestParams: { query: sessionsQuery },
            returns: 'The sessions have ended.',
            schema: calls.doneEnvelope,
          }),
        },
        [`${endpoints.PEOPLE_PATH}/{id}`]: {
          delete: operation('erasePerson', 'Erase a person', {
            tags: ['Dashboard'],
            description:
              'Erases the ID and the name from all links of the workspace and their history, and ends the person’s sessions. The scope is `people:erase`, which no permission level includes, and the API key has to allow everything on all domains.',
            requestParams: { path: personPath },
            returns:
              'The workspace’s links and their history no longer name the person. The links stay.',
            schema: calls.doneEnvelope,
          }),
        },
        [`${endpoints.SHORTLINKS_PATH}/{name}`]: {
          get: operation('getShortlink', 'Read a shortlink', {
            requestParams: { path: parts.linkName },
            returns: 'The shortlink with every field that a change can set.',
            schema: calls.linkEnvelope,
            headers: parts.linkHeaders,
            errors: ['PERMISSION_DENIED', 'NOT_FOUND'],
          }),
          patch: operation('updateShortlink', 'Change a shortlink', {
            description:
              'Fields that are not sent keep their values. An empty value clears a field, except destination_url, domain, back_half and enabled. After a change of back_half or domain, the earlier short URL still leads to the link.',
            requestParams: { path: parts.linkName, header: parts.changeHeaders },
            body: updateRequest,
            returns: 'The shortlink after the change.',
            schema: calls.linkEnvelope,
            headers: parts.linkHeaders,
            errors: [...WRITE_ERRORS, 'NOT_FOUND', 'PRECONDITION_FAILED'],
          }),
          delete: operation('deleteShortlink', 'Delete a shortlink', {
            description:
              'After the deletion, the short URL returns 410, and no other shortlink ever gets its back-half.',
            requestParams: { path: parts.linkName, header: parts.changeHeaders },
            returns: 'The shortlink was deleted.',
            schema: calls.doneEnvelope,
            errors: [...ACCESS_ERRORS, 'NOT_FOUND', 'PRECONDITION_FAILED'],
          }),
        },
        [`${endpoints.SHORTLINKS_PATH}/{name}/clicks`]: {
          get: operation('getShortlinkClicks', 'Count a shortlink’s clicks', {
            requestParams: { path: parts.linkName, query: clicksQuery },
            returns: 'The clicks on each day (UTC), and the hosts that people came from.',
            schema: calls.clicksEnvelope,
            errors: [...ACCESS_ERRORS, 'NOT_FOUND'],
          }),
        },
        [`/{back_half}${QR_PICTURE_PATH}`]: {
          servers: [
            { url: baseUrl },
            {
              url: 'https://{domain_name}',
              variables: { domain_name: { default: 'go.example.com' } },
            },
          ],
          get: {
            operationId: 'getQrPicture',
            summary: 'Draw a short URL’s QR code',
            description:
              'The picture is public, so it needs no API key. It has the color of the shortlink, unless the query has another color. The QR code of a shortlink that is turned off or has expired is drawn, too.',
            security: [],
            requestParams: {
              path: z.object({ back_half: z.string().describe('The back-half of the short URL.') }),
              query: qrQuery,
            },
            responses: {
              '200': { description: 'The QR code.', content: { 'image/png': {} } },
              '404': { description: 'There is no QR code.', content: { 'text/html': {} } },
              '410': { description: 'The shortlink was deleted.', content: { 'text/html': {} } },
              ...parts.errorResponses(['VALIDATION_ERROR']),
            },
          },
        },
      },
    },
    { allowEmptySchema: { custom: true } },
  )
}
