import { randomBytes } from 'node:crypto'

export interface Team {
  id: string
  domain: string
  name: string
  /** The organization that the workspace belongs to. */
  enterprise?: {
    id: string
    name: string
    /** Whether the app is installed for the whole organization. */
    orgWide: boolean
    /** The ids of the organization's admins, who need not be admins of the workspace. */
    admins?: readonly string[]
  }
}

export interface Grant {
  team: Team
  scopes: ReadonlySet<string>
  /** The person who installed the app. */
  userId: string
}

export interface Token {
  grant: Grant
  /** Milliseconds since 1970; absent if it doesn't expire. */
  expiresAt?: number
  /** Slack's error code once the token has been revoked. */
  error?: 'account_inactive' | 'token_revoked'
}

export type Grants = ReturnType<typeof createGrants>

/** The app's tokens, and what each of them permits. */
export function createGrants(now: () => number) {
  /** By their texts, the oldest first. */
  const tokens = new Map<string, Token>()
  /** The team's latest grant; undefined if the app is not installed there. */
  const of = (team: Team): Grant | undefined =>
    [...tokens.values()].findLast(({ grant, error }) => grant.team === team && !error)?.grant
  return {
    tokens,
    of,
    /** What a token permits, or Slack's error code for it. */
    check(token: string): Grant | string {
      const { grant, error, expiresAt = Infinity } = tokens.get(token) ?? {}
      if (!grant) return 'invalid_auth'
      return error ?? (expiresAt <= now() ? 'token_expired' : grant)
    },
    /** Issues a token for one run of a step; undefined if the app is not installed there. */
    issueStepToken(team: Team): string | undefined {
      const grant = of(team)
      if (!grant) return undefined
      const token = newToken('xwfp')
      tokens.set(token, { grant })
      return token
    },
    revokeToken(token: string): void {
      const found = tokens.get(token)
      if (found) found.error = 'token_revoked'
    },
  }
}

export function newToken(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString('hex')}`
}
