import { SHORTLINKS_PATH } from '../contract/endpoints.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import { createOperation, type Operation } from './operation.ts'
import type { Clock } from '../timing/clock.ts'
import { ApiError, LinkGoneError, LinkServiceError, StaleEditError } from './errors.ts'
import { readClicks, type ClickRange, type LinkClicks } from './link-clicks.ts'
import { readLink, type ReadLink } from './link-details.ts'
import { encodeUpdateRequest } from './multipart.ts'
import { isApplied } from './own-edit.ts'
import type { HttpRequest, HttpResponse } from './transport.ts'

export interface CallOptions {
  /** The operation that the call is part of; by default, an operation of its own. */
  operation?: Operation | undefined
  signal?: AbortSignal | undefined
}

export interface EditOptions extends CallOptions {
  /** From the link as it was read: nothing is done if the link has changed since. */
  etag?: string | undefined
}

/** Calls for a single link, beyond the specification. All throw LinkServiceError. */
export interface OneLink {
  /** @throws LinkGoneError if there is no such link (anymore) */
  get(name: string, options?: CallOptions): Promise<ReadLink>
  /**
   * Changes a link. If the answer gets lost, the change is sent again, which does no harm: it sets the same
   * values. If the service then says that the link has changed, it is read, and has usually been changed by
   * the first attempt.
   *
   * @returns the link after the change
   * @throws StaleEditError if the link has changed since it was read; LinkGoneError; ZodError if the change
   *   violates the contract
   */
  update(name: string, changes: UpdateRequest, options?: EditOptions): Promise<ReadLink>
  /**
   * Deletes a link. If the answer gets lost, the deletion is sent again; the link is deleted if it is gone
   * then.
   *
   * @throws StaleEditError if the link has changed since it was read; LinkGoneError if it was gone before
   */
  remove(name: string, options?: EditOptions): Promise<void>
  /** @throws LinkGoneError */
  clicks(name: string, range?: ClickRange, options?: CallOptions): Promise<LinkClicks>
}

export function createOneLink(
  send: (path: string, request: Omit<HttpRequest, 'url'>) => Promise<HttpResponse>,
  clock: Clock,
): OneLink {
  async function sendOne(
    method: HttpRequest['method'],
    path: string,
    request: Partial<HttpRequest>,
  ): Promise<HttpResponse> {
    return send(path, { method, headers: {}, ...request }).catch((error: unknown) => {
      throw error instanceof ApiError ? singleLinkError(error) : error
    })
  }

  async function getOnce(name: string, signal: AbortSignal): Promise<ReadLink> {
    return readLink(await sendOne('GET', pathOf(name), { signal }))
  }

  /**
   * Makes an edit with retries. If an attempt may have been done although its answer got lost, and the
   * following ones don't succeed, looks whether it was done.
   *
   * @param once one attempt
   * @param wasDone returns undefined if the edit was not done, or if that can't be known
   */
  async function edit<T>(
    { operation = createOperation({ clock }), signal: caller }: CallOptions,
    once: (signal: AbortSignal) => Promise<T>,
    wasDone: (error: LinkServiceError, signal: AbortSignal) => Promise<T | undefined>,
  ): Promise<T> {
    /** The error of an attempt that may have been done. */
    let uncertain: LinkServiceError | undefined
    try {
      return await operation.run(
        (signal) =>
          once(signal).catch((error: unknown) => {
            if (error instanceof LinkServiceError && error.mayHaveHappened) uncertain = error
            throw error
          }),
        { signal: caller },
      )
    } catch (error) {
      if (!uncertain || !(error instanceof LinkServiceError)) throw error
      const signal = caller ? AbortSignal.any([caller, operation.signal]) : operation.signal
      const done = await wasDone(error, signal).catch((reason: unknown) => {
        if (reason instanceof LinkServiceError) return undefined
        throw reason
      })
      if (done !== undefined) return done
      // The caller must know that it may have been done, even if the last attempt certainly was not.
      throw error.retryable ? uncertain : error
    }
  }

  return {
    get: (name, { operation = createOperation({ clock }), signal: caller } = {}) =>
      operation.run((signal) => getOnce(name, signal), { signal: caller }),

    async update(name, changes, { etag, ...options } = {}) {
      const { headers, body } = encodeUpdateRequest(changes)
      return edit(
        options,
        async (signal) =>
          readLink(
            await sendOne('PATCH', pathOf(name), {
              headers: { ...headers, ...ifMatch(etag) },
              body,
              signal,
            }),
          ),
        async (error, signal) => {
          if (error instanceof LinkGoneError) return undefined
          const read = await getOnce(name, signal)
          return isApplied(changes, read.link) ? read : undefined
        },
      )
    },

    async remove(name, { etag, ...options } = {}) {
      await edit(
        options,
        async (signal) => {
          await sendOne('DELETE', pathOf(name), { headers: ifMatch(etag), signal })
          return true
        },
        async (error, signal) => {
          if (error instanceof LinkGoneError) return true
          return getOnce(name, signal).then(
            () => undefined,
            (reason: unknown) => {
              if (reason instanceof LinkGoneError) return true
              throw reason
            },
          )
        },
      )
    },

    async clicks(
      name,
      range = {},
      { operation = createOperation({ clock }), signal: caller } = {},
    ) {
      const { from, to } = range
      const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) }).toString()
      const path = `${pathOf(name)}/clicks${query && `?${query}`}`
      return operation.run(
        async (signal) => readClicks(await sendOne('GET', path, { signal }), range),
        {
          signal: caller,
        },
      )
    },
  }
}

/** @throws LinkGoneError for a name that can't be part of a path: `..` would be another address */
function pathOf(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new LinkGoneError({ status: 404 })
  return `${SHORTLINKS_PATH}/${encodeURIComponent(name.toWellFormed())}`
}

function ifMatch(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}

function singleLinkError(error: ApiError): ApiError {
  const { status, explanation: message, code, details, fieldMessages, requestId } = error
  const init = { status, message, code, details, fieldMessages, requestId }
  if (status === 404 || status === 410) return new LinkGoneError(init)
  return status === 412 ? new StaleEditError(init) : error
}
