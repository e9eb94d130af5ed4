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
  expiresAtMs?: number
  error?: 'account_inactive' | 'token_revoked'
}

export type Grants = ReturnType<typeof createGrants>

export function createGrants(now: () => number) {
  /** The oldest tokens come first. */
  const tokens = new Map<string, Token>()
  const latestFor = (team: Team): Grant | undefined =>
    [...tokens.values()].findLast(({ grant, error }) => grant.team === team && !error)?.grant
  return {
    tokens,
    latestFor,
    check(token: string): Grant | string {
      const { grant, error, expiresAtMs = Infinity } = tokens.get(token) ?? {}
      if (!grant) return 'invalid_auth'
      return error ?? (expiresAtMs <= now() ? 'token_expired' : grant)
    },
    issueStepToken(team: Team): string | undefined {
      const grant = latestFor(team)
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
