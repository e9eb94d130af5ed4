import multipart from '@fastify/multipart'
import type { FastifyPluginAsync } from 'fastify'
import { TEAM } from '../../simulator/workspace/seeds.ts'
import { MAX_UPLOAD_BYTES } from '../shared/upload-limit.ts'
import type { SimulatedWorkspace } from '../../simulator/simulated-workspace.ts'
import { apiArguments, bearerToken } from './api-arguments.ts'
import { noBrowser } from './guard.ts'
import { goesWrong } from './goes-wrong.ts'

/** The largest API call, in bytes: a view of 250 KB and more, as a form. */
const MAX_CALL_BYTES = 2 * 1024 * 1024

/** What Slack shows to whoever asks for a private file without being allowed to. */
const LOGIN_PAGE =
  '<!DOCTYPE html><html lang="en"><title>Sign in</title><p>Sign in to see this file.</p></html>'

/** What the app calls: the Web API, response_urls, uploads and private downloads. */
export const slackRoutes: FastifyPluginAsync<{ workspace: SimulatedWorkspace }> = async (
  scope,
  { workspace },
) => {
  const { fromApp } = workspace
  scope.addHook('onRequest', noBrowser)

  await scope.register(async (calls) => {
    calls.removeAllContentTypeParsers()
    calls.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )

    calls.post<{ Params: { method: string } }>(
      '/api/:method',
      { bodyLimit: MAX_CALL_BYTES },
      async (request, reply) => {
        const { method } = request.params
        const args = apiArguments(request.headers['content-type'], request.body)
        if (!args) return { ok: false, error: 'invalid_json' }
        const token = bearerToken(request.headers.authorization) ?? stringOr(args.token)
        const work = (): ReturnType<typeof fromApp.callApi> =>
          fromApp.callApi({ method, token, args })
        if (await goesWrong(fromApp.takeFault(method), reply, work)) return reply
        const { headers, body } = work()
        return reply.headers(headers).send(body)
      },
    )

    calls.post<{ Params: { team: string; id: string } }>(
      '/hooks/:team/:id',
      { bodyLimit: MAX_CALL_BYTES },
      async (request, reply) => {
        const { team, id } = request.params
        const json = apiArguments(request.headers['content-type'], request.body)
        if (team !== TEAM.id || !json) {
          return reply.code(400).send({ ok: false, error: 'invalid_payload' })
        }
        const work = (): ReturnType<typeof fromApp.answerResponseUrl> =>
          fromApp.answerResponseUrl(id, json)
        if (await goesWrong(fromApp.takeFault('response_url'), reply, work)) return reply
        const { status, body } = work()
        return reply.code(status).send(body)
      },
    )
  })

  await scope.register(async (uploads) => {
    await uploads.register(multipart, { limits: { fileSize: MAX_UPLOAD_BYTES, files: 1 } })
    uploads.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES },
      (_request, body, done) => done(null, body),
    )
    uploads.post<{ Params: { id: string } }>(
      '/upload/v1/:id',
      { bodyLimit: MAX_UPLOAD_BYTES + 10_000 },
      async (request, reply) => {
        const bytes = request.isMultipart()
          ? await (await request.file())?.toBuffer()
          : request.body
        return Buffer.isBuffer(bytes) && fromApp.receiveUpload(request.params.id, bytes)
          ? reply.type('text/plain').send(`OK - ${bytes.length}`)
          : reply.code(400).type('text/plain').send('Bad Request')
      },
    )
  })

  scope.get<{ Params: { file: string } }>('/files-pri/:file/*', (request, reply) => {
    const [, fileId = ''] = request.params.file.split('-')
    const file = fromApp.privateFile(fileId, bearerToken(request.headers.authorization))
    return file
      ? reply.type(file.mimetype).send(file.bytes)
      : reply.type('text/html; charset=utf-8').send(LOGIN_PAGE)
  })
}

function stringOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
