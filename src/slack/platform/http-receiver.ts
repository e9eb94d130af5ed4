import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  AuthorizationError,
  HTTPModuleFunctions,
  HTTPResponseAck,
  isRawBodyError,
  type App,
  type Receiver,
} from '@slack/bolt'
import type { Logger } from 'pino'
import { createLogLimit } from '../../http/log-limit.ts'
import { boltLogger } from './slack-client.ts'

/** The largest request body in bytes. A form with every field filled in is far smaller. */
const BODY_LIMIT = 1_000_000

const {
  buildNoBodyResponse,
  buildSSLCheckResponse,
  buildUrlVerificationResponse,
  extractRetryNumFromHTTPRequest,
  extractRetryReasonFromHTTPRequest,
  parseAndVerifyHTTPRequest,
  parseHTTPRequestBody,
} = HTTPModuleFunctions

/** Receives Slack's requests over HTTP. The app's server listens, and passes every request on. */
export interface HttpReceiver extends Receiver {
  requestListener: RequestListener
}

/**
 * Checks and answers requests with Bolt's functions. Bolt's own HTTPReceiver ends the process if a signed
 * body is `null`, never answers a percent-encoded path, and accepts no parameter in the content type.
 */
export function createHttpReceiver({
  signingSecret,
  logger,
}: {
  signingSecret: string
  logger: Logger
}): HttpReceiver {
  let app: App | undefined
  const bolt = boltLogger(logger)
  const limit = createLogLimit(logger)

  function refuse(response: ServerResponse, status: number, reason: string): void {
    limit.write('refused', () => logger.warn({ status, reason }, 'a request was refused'))
    buildNoBodyResponse(response, status)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.headers['content-type'] = mediaType(request.headers['content-type'])
    let body: Record<string, unknown> | undefined
    try {
      const verified = await parseAndVerifyHTTPRequest(
        { signingSecret, bodyLimit: BODY_LIMIT },
        request,
      )
      body = parsedObject(() => parseHTTPRequestBody(verified) as unknown)
    } catch (error) {
      const { message } = error as Error
      if (!isRawBodyError(error)) return refuse(response, 401, message)
      response.setHeader('connection', 'close') // The rest of the body is not read.
      return refuse(response, error.statusCode, message)
    }
    if (!body) return refuse(response, 400, 'the body is not an object')
    if (body['ssl_check'] === '1') return buildSSLCheckResponse(response)
    if (body['type'] === 'url_verification') return buildUrlVerificationResponse(response, body)
    await passToBolt(body, request, response)
  }

  async function passToBolt(
    body: Record<string, unknown>,
    httpRequest: IncomingMessage,
    httpResponse: ServerResponse,
  ): Promise<void> {
    const ack = new HTTPResponseAck({
      logger: bolt,
      processBeforeResponse: false,
      httpRequest,
      httpRequestBody: body,
      httpResponse,
    })
    const retryNum = extractRetryNumFromHTTPRequest(httpRequest)
    const retryReason = extractRetryReasonFromHTTPRequest(httpRequest)
    let status = 404 // No listener acknowledged it.
    try {
      await app?.processEvent({
        body,
        ack: ack.bind(),
        ...(retryNum !== undefined && { retryNum }),
        ...(retryReason !== undefined && { retryReason }),
      })
    } catch (error) {
      status = error instanceof AuthorizationError ? 401 : 400
    }
    if (httpResponse.headersSent) return
    ack.ack() // Stops the timer that waits for an acknowledgement.
    buildNoBodyResponse(httpResponse, status)
  }

  return {
    init(given) {
      app = given
    },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    requestListener(request, response) {
      answer(request, response).catch((err: unknown) => {
        logger.error({ err }, 'a request could not be answered')
        if (response.headersSent) response.destroy()
        else buildNoBodyResponse(response, 500)
      })
    },
  }
}

/** Bolt compares the whole header, but a media type may have parameters and capital letters. */
function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase()
}

/** Undefined if the body can't be parsed or is not an object, for example `null`. */
function parsedObject(parse: () => unknown): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = parse()
  } catch {
    return undefined
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}
