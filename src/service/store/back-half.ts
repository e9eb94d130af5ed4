import { LINK_FIELDS } from '../../contract/link-fields.ts'
import { dayOf } from '../../timing/days.ts'
import { randomBase62 } from './api-key.ts'

const BACK_HALF = new RegExp(LINK_FIELDS.back_half.pattern)

// 62^7 = 3.5 × 10^12 back-halves: collisions are rare, and guessing hardly ever finds a link.
const GENERATED_LENGTH = 7

// The first segments of paths that the service uses or might use one day, and of the app on the same hostname.
const RESERVED = new Set([
  'about',
  'account',
  'admin',
  'api',
  'assets',
  'chart',
  'dashboard',
  'docs',
  'healthz',
  'login',
  'logout',
  'metrics',
  'openapi',
  'playground',
  'preview-images',
  'qr',
  'readyz',
  'slack',
  'static',
  'tls-allowed',
])

export function isBackHalf(text: string): boolean {
  return BACK_HALF.test(text)
}

export function backHalfError(text: string): string | undefined {
  if (!isBackHalf(text)) return 'Use at most 100 characters: letters, digits, - and _.'
  if (RESERVED.has(text.toLowerCase())) return 'This back-half is reserved. Choose another one.'
  return undefined
}

export function takenText(deletedAt: number | null | undefined): string {
  return typeof deletedAt === 'number'
    ? `A link with this back-half was deleted on ${dayOf(deletedAt)} (UTC). It stays reserved, because the short URL might have been printed or posted. Choose another one.`
    : 'This back-half is taken on this domain. Choose another one.'
}

export function generateBackHalf(): string {
  let backHalf: string
  do {
    backHalf = randomBase62(GENERATED_LENGTH)
  } while (RESERVED.has(backHalf.toLowerCase()))
  return backHalf
}
