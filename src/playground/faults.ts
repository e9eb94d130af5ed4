/** How a Web API method, or a response_url, goes wrong on demand. */
export type Fault =
  /** Answers `{ok: false, error}`. */
  | { error: string }
  /** Answers a bare HTTP status; with a 429 comes `Retry-After`. */
  | { status: number; retryAfterSeconds?: number }
  /** Does the work, and then breaks the connection: the answer is lost. */
  | { lost: true }
  /** Answers only after so many milliseconds. */
  | { delayMs: number }

/** Faults that a test has asked for. They are no refusals: nobody did anything wrong. */
export interface Faults {
  /** @param where a method's name, or `response_url` */
  add(where: string, fault: Fault, times: number): void
  take: (where: string) => Fault | undefined
}

export function createFaults(): Faults {
  const waiting = new Map<string, Fault[]>()
  return {
    add(where, fault, times) {
      waiting.set(where, [...(waiting.get(where) ?? []), ...Array<Fault>(times).fill(fault)])
    },
    take: (where) => waiting.get(where)?.shift(),
  }
}
