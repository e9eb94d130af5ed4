import { randomBytes } from 'node:crypto'
import type { Team } from '../simulator/app/team.ts'

/** What a workspace has granted the app. */
export interface Grant {
  team: Team
  scopes: ReadonlySet<string>
  /** Who installed the app. */
  userId: string
}

/** A bot token, as `oauth.v2.access` gives it out. */
export interface IssuedToken {
  token: string
  /** Both where tokens rotate. */
  refreshToken?: string
  expiresIn?: number
}

export type TokenFault = 'invalid_auth' | 'account_inactive' | 'token_expired' | 'token_revoked'

/** The tokens that the app may call with. */
export interface Grants {
  issue(grant: Grant): IssuedToken
  /** Takes a token of the deployment's configuration. */
  configure(token: string, grant: Grant): void
  /** A new token for a refresh token, which is spent by it; undefined where it is not good. */
  refresh(refreshToken: string): { grant: Grant; issued: IssuedToken } | undefined
  /** What the team has granted last; undefined where the app is not installed there. */
  of(team: Team): Grant | undefined
  /** What a token may do, or Slack's code for why it may nothing. */
  look(token: string): Grant | TokenFault
  /**
   * A token for one execution of a step, with what the team has granted; undefined where the app
   * is not installed there.
   */
  lend(team: Team): string | undefined
  /** Ends one token. */
  end(token: string): void
  /** Ends every token of the team's installation. */
  revoke(team: Team): void
}

interface Held {
  grant: Grant
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Why it is no good any more. */
  fault?: TokenFault
}

/** @param lifetimeSeconds how long tokens live; absent: they don't rotate */
export function createGrants({
  now,
  lifetimeSeconds,
}: {
  now: () => number
  lifetimeSeconds?: number | undefined
}): Grants {
  const held = new Map<string, Held>()
  const refreshTokens = new Map<string, Grant>()
  const secret = (prefix: string): string => `${prefix}-${randomBytes(24).toString('hex')}`

  function issue(grant: Grant): IssuedToken {
    const rotates = lifetimeSeconds !== undefined
    const token = secret(rotates ? 'xoxe.xoxb' : 'xoxb')
    const expiresAt = rotates ? now() + lifetimeSeconds * 1000 : Infinity
    held.set(token, { grant, expiresAt })
    if (!rotates) return { token }
    const refreshToken = secret('xoxe')
    refreshTokens.set(refreshToken, grant)
    return { token, refreshToken, expiresIn: lifetimeSeconds }
  }

  function of(team: Team): Grant | undefined {
    return [...held.values()].findLast(({ grant, fault }) => grant.team === team && !fault)?.grant
  }

  return {
    issue,
    of,
    configure: (token, grant) => void held.set(token, { grant, expiresAt: Infinity }),
    refresh(refreshToken) {
      const grant = refreshTokens.get(refreshToken)
      refreshTokens.delete(refreshToken)
      return grant && { grant, issued: issue(grant) }
    },
    look(token) {
      const found = held.get(token)
      if (!found) return 'invalid_auth'
      if (found.fault) return found.fault
      return found.expiresAt <= now() ? 'token_expired' : found.grant
    },
    lend(team) {
      const grant = of(team)
      if (!grant) return undefined
      const token = secret('xwfp')
      held.set(token, { grant, expiresAt: Infinity })
      return token
    },
    end(token) {
      const found = held.get(token)
      if (found) found.fault = 'token_revoked'
    },
    revoke(team) {
      for (const one of held.values()) if (one.grant.team === team) one.fault = 'account_inactive'
      for (const [token, grant] of refreshTokens) {
        if (grant.team === team) refreshTokens.delete(token)
      }
    },
  }
}
