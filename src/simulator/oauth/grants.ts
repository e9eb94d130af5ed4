import { randomBytes } from 'node:crypto'
import type { Team } from '../app/team.ts'

/** The permissions that a workspace has granted to the app. */
interface Grant {
  team: Team
  scopes: ReadonlySet<string>
  /** The person who installed the app. */
  userId: string
}

/** A bot token, as `oauth.v2.access` returns it. */
export interface IssuedToken {
  token: string
  /** Present if tokens rotate, as is `expiresIn`. */
  refreshToken?: string
  /** Seconds. */
  expiresIn?: number
}

type TokenError = 'invalid_auth' | 'account_inactive' | 'token_expired' | 'token_revoked'

/** The app's tokens, and what each of them permits. */
export interface Grants {
  issue(grant: Grant): IssuedToken
  /** Adds a token that the app is configured with. */
  addToken(token: string, grant: Grant): void
  /** Exchanges a refresh token, which works once; undefined if it is invalid. */
  refresh(refreshToken: string): { grant: Grant; issued: IssuedToken } | undefined
  /** The team's latest grant; undefined if the app is not installed there. */
  of(team: Team): Grant | undefined
  /** What a token permits, or Slack's error code for it. */
  check(token: string): Grant | TokenError
  /** Issues a token for one run of a step; undefined if the app is not installed there. */
  issueStepToken(team: Team): string | undefined
  revokeToken(token: string): void
  /** Ends all of a team's tokens. */
  uninstall(team: Team): void
}

interface StoredToken {
  grant: Grant
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Set once the token has been revoked. */
  error?: TokenError
}

/** @param lifetimeSeconds the lifetime of bot tokens; if absent, tokens don't rotate */
export function createGrants({
  now,
  lifetimeSeconds,
}: {
  now: () => number
  lifetimeSeconds?: number | undefined
}): Grants {
  const tokens = new Map<string, StoredToken>()
  const refreshTokens = new Map<string, Grant>()
  const newToken = (prefix: string): string => `${prefix}-${randomBytes(24).toString('hex')}`

  function issue(grant: Grant): IssuedToken {
    const rotates = lifetimeSeconds !== undefined
    const token = newToken(rotates ? 'xoxe.xoxb' : 'xoxb')
    const expiresAt = rotates ? now() + lifetimeSeconds * 1000 : Infinity
    tokens.set(token, { grant, expiresAt })
    if (!rotates) return { token }
    const refreshToken = newToken('xoxe')
    refreshTokens.set(refreshToken, grant)
    return { token, refreshToken, expiresIn: lifetimeSeconds }
  }

  function of(team: Team): Grant | undefined {
    return [...tokens.values()].findLast(({ grant, error }) => grant.team === team && !error)?.grant
  }

  return {
    issue,
    of,
    addToken: (token, grant) => void tokens.set(token, { grant, expiresAt: Infinity }),
    refresh(refreshToken) {
      const grant = refreshTokens.get(refreshToken)
      refreshTokens.delete(refreshToken)
      return grant && { grant, issued: issue(grant) }
    },
    check(token) {
      const found = tokens.get(token)
      if (!found) return 'invalid_auth'
      if (found.error) return found.error
      return found.expiresAt <= now() ? 'token_expired' : found.grant
    },
    issueStepToken(team) {
      const grant = of(team)
      if (!grant) return undefined
      const token = newToken('xwfp')
      tokens.set(token, { grant, expiresAt: Infinity })
      return token
    },
    revokeToken(token) {
      const found = tokens.get(token)
      if (found) found.error = 'token_revoked'
    },
    uninstall(team) {
      for (const one of tokens.values()) if (one.grant.team === team) one.error = 'account_inactive'
      for (const [token, grant] of refreshTokens) {
        if (grant.team === team) refreshTokens.delete(token)
      }
    },
  }
}
