import { randomBase62 } from './base62.ts'

/** What a back-half may be, whoever chose it. */
export const BACK_HALF = /^[A-Za-z0-9_-]{1,100}$/

/** 62^7 = 3.5 × 10^12 of them: few collisions, and nobody finds links by trying. */
const GENERATED_LENGTH = 7

/** First path segments that are the service's own, or may become it. Lower case. */
const RESERVED = new Set([
  'about',
  'account',
  'admin',
  'api',
  'assets',
  'dashboard',
  'docs',
  'healthz',
  'login',
  'logout',
  'metrics',
  'openapi',
  'preview-images',
  'qr',
  'readyz',
  'static',
])

/** Whether a path segment can be a back-half: letters, digits, `-` and `_`, up to 100. */
export function isBackHalf(text: string): boolean {
  return BACK_HALF.test(text)
}

/** What is wrong with a back-half that somebody wishes for; undefined if nothing. */
export function backHalfFault(text: string): string | undefined {
  if (!isBackHalf(text)) return 'Use letters, digits, - and _ only, 100 at most.'
  if (RESERVED.has(text.toLowerCase())) return 'This back-half is reserved. Choose another.'
  return undefined
}

/** A random back-half. Whether it is free is for the database to say. */
export function generateBackHalf(): string {
  let text: string
  do text = randomBase62(GENERATED_LENGTH)
  while (RESERVED.has(text.toLowerCase()))
  return text
}
