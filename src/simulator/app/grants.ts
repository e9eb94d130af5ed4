import { randomBytes } from 'node:crypto'

export interface Team {
  id: string
  domain: string
  name: string
  enterprise?: {
    id: string
    name: string
    orgWide: boolean
    /** The ids of the organization's admins, who need not be admins of the workspace. */
    admins?: readonly string[]
  }
}

export interface Grant {
  team: Team
  scopes: ReadonlySet<string>
  userId: string
}

export interface Token {
  grant: Grant
  expiresAt?: number
  error?: 'account_inactive' | 'token_revoked'
}

export type Grants = ReturnType<typeof createGrants>

export function createGrants(now: () => number) {
  /** By their texts, the oldest first. */
  const tokens = new Map<string, Token>()
  const of = (team: Team): Grant | undefined =>
    [...tokens.values()].findLast(({ grant, error }) => grant.team === team && !error)?.grant
  return {
    tokens,
    of,
    check(token: string): Grant | string {
      const { grant, error, expiresAt = Infinity } = tokens.get(token) ?? {}
      if (!grant) return 'invalid_auth'
      return error ?? (expiresAt <= now() ? 'token_expired' : grant)
    },
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
