import { LinkServiceError } from './link-service-error.ts'

/** What took too long: one step of a call, or the call with all its retries. */
export type TimeoutPhase = 'connect' | 'headers' | 'body' | 'total'

const MESSAGES: Record<TimeoutPhase, string> = {
  connect: 'The link service did not accept a connection in time.',
  headers: 'The link service did not begin to answer in time.',
  body: 'The link service began to answer, but did not finish in time.',
  total: 'The link service did not answer in the time allowed for a call.',
}

/** The link service took too long. */
export class TimeoutError extends LinkServiceError {
  readonly phase: TimeoutPhase

  constructor(phase: TimeoutPhase, cause?: unknown) {
    super(MESSAGES[phase], {
      retryable: phase !== 'total',
      mayHaveHappened: phase !== 'connect',
      cause,
    })
    this.phase = phase
  }
}
