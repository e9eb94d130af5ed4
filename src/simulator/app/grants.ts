import { randomBytes } from 'node:crypto'

export interface Token {
  scopes: ReadonlySet<string>
  /** Slack's response to calls with the token, such as `token_revoked`. */
  error?: string
}

export function createGrants() {
  const tokens = new Map<string, Token>()
  // The newest token that still works. The app is installed as long as it has such a token.
  const latest = (): Token | undefined => [...tokens.values()].findLast(({ error }) => !error)
  return {
    tokens,
    latest,
    // Returns Slack's error code if the token doesn't work.
    check: (token: string): Token | string =>
      tokens.get(token)?.error ?? tokens.get(token) ?? 'invalid_auth',
    issueStepToken(): string | undefined {
      const { scopes } = latest() ?? {}
      if (!scopes) return undefined
      const token = newToken('xwfp')
      tokens.set(token, { scopes })
      return token
    },
  }
}

export function newToken(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString('hex')}`
}
