import { expect } from 'vitest'
import type { Finding } from '../../src/doctor/check.ts'

/** Matches a finding with this status, and with these words in its message and its fix. */
export function finding(status: Finding['status'], message = '', fix?: string): unknown {
  return expect.objectContaining({
    status,
    message: expect.stringContaining(message) as unknown,
    ...(fix !== undefined && { fix: expect.stringContaining(fix) as unknown }),
  })
}
