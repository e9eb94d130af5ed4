import { randomBytes } from 'node:crypto'
import type { Team } from './team.ts'

/** The permissions that a workspace has granted to the app. */
export interface Grant {
  team: Team
  scopes: ReadonlySet<string>
  /** The person who installed the app. */
  userId: string
}

/** A token of the app. */
export interface Token {
  grant: Grant
  /** Milliseconds since 1970; absent if it doesn't expire. */
  expiresAt?: number
  /** Slack's error code once the token has been revoked. */
  error?: 'account_inactive' | 'token_revoked'
}

/** The app's tokens, and what each of them permits. */
export interface Grants {
  /** By their texts, the oldest first. */
  readonly tokens: Map<string, Token>
  /** The team's latest grant; undefined if the app is not installed there. */
  of(team: Team): Grant | undefined
  /** What a token permits, or Slack's error code for it. */
  check(token: string): Grant | string
  /** Issues a token for one run of a step; undefined if the app is not installed there. */
  issueStepToken(team: Team): string | undefined
  revokeToken(token: string): void
}

export function createGrants(now: () => number): Grants {
  const tokens = new Map<string, Token>()
  const of = (team: Team): Grant | undefined =>
    [...tokens.values()].findLast(({ grant, error }) => grant.team === team && !error)?.grant
  return {
    tokens,
    of,
    check(token) {
      const { grant, error, expiresAt = Infinity } = tokens.get(token) ?? {}
      if (!grant) return 'invalid_auth'
      return error ?? (expiresAt <= now() ? 'token_expired' : grant)
    },
    issueStepToken(team) {
      const grant = of(team)
      if (!grant) return undefined
      const token = newToken('xwfp')
      tokens.set(token, { grant })
      return token
    },
    revokeToken(token) {
      const found = tokens.get(token)
      if (found) found.error = 'token_revoked'
    },
  }
}

export function newToken(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString('hex')}`
}
