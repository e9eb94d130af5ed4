import { randomBytes } from 'node:crypto'
import { newToken } from '../../src/simulator/app/credentials.ts'
import type { Manifest } from '../../src/simulator/manifest.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'
import type { ApiResponse, ApiCall } from '../../src/simulator/web-api/call-api.ts'
import { APP } from '../../src/simulator/workspace/seeds.ts'
import type { Team } from './team-payload.ts'

/** The lifetime of an authorization code, in milliseconds. */
const CODE_MS = 10 * 60 * 1000

interface SlackOAuthOptions {
  clientId: string
  clientSecret: string
  /** Milliseconds since 1970. */
  now?: () => number
  /** The lifetime of bot tokens, in seconds (Slack's: 43,200); if absent, they don't rotate. */
  lifetimeSeconds?: number
}

/** A person's answer on Slack's consent page. */
export interface Consent {
  userId: string
  /** The scopes that they grant; by default all that the app requests. */
  scopes?: readonly string[]
  declines?: boolean
}

/** Slack's side of OAuth, shared by all simulated workspaces in which the app is installed. */
export type SlackOAuth = ReturnType<typeof createSlackOAuth>

/** A bot token, as `oauth.v2.access` returns it. */
interface IssuedToken {
  token: string
  /** Present if tokens rotate, as is `expiresIn`. */
  refreshToken?: string
  /** Seconds. */
  expiresIn?: number
}

interface Grant {
  team: Team
  scopes: ReadonlySet<string>
  userId: string
}

interface Code {
  team: Team
  scopes: readonly string[]
  userId: string
  redirectUri: string | null
  at: number
}

/** For tests of installing. In the playground, the app is installed from the start. */
export function createSlackOAuth({
  clientId,
  clientSecret,
  now = Date.now,
  lifetimeSeconds,
}: SlackOAuthOptions) {
  const expiries = new Map<string, number>()
  const refreshTokens = new Map<string, Grant>()
  const codes = new Map<string, Code>()
  const workspaces = new Map<Team, SimulatedWorkspace>()

  function issue(grant: Grant): IssuedToken {
    const token = newToken(lifetimeSeconds === undefined ? 'xoxb' : 'xoxe.xoxb')
    workspaces.get(grant.team)?.parts.grants.tokens.set(token, { scopes: grant.scopes })
    if (lifetimeSeconds === undefined) return { token }
    const refreshToken = newToken('xoxe')
    expiries.set(token, now() + lifetimeSeconds * 1000)
    refreshTokens.set(refreshToken, grant)
    return { token, refreshToken, expiresIn: lifetimeSeconds }
  }

  function access(args: Record<string, unknown>): Record<string, unknown> {
    if (args.client_id !== clientId) return rejected('invalid_client_id')
    if (args.client_secret !== clientSecret) return rejected('bad_client_secret')
    if (args.grant_type === 'refresh_token') {
      const refreshed = oauth.refresh(String(args.refresh_token))
      if (!refreshed) return rejected('invalid_refresh_token')
      const { grant, issued } = refreshed
      return answer(grant.team, grant.userId, [...grant.scopes], issued)
    }
    const code = codes.get(String(args.code))
    codes.delete(String(args.code)) // A code works once.
    if (!code || now() - code.at > CODE_MS) return rejected('invalid_code')
    if ((args.redirect_uri ?? null) !== code.redirectUri) return rejected('bad_redirect_uri')
    const { team, userId, scopes } = code
    return answer(team, userId, scopes, issue({ team, userId, scopes: new Set(scopes) }))
  }

  /** Answers `oauth.v2.access`, and calls with a workspace's token; undefined for other calls. */
  async function route(call: ApiCall): Promise<ApiResponse | undefined> {
    if (call.method === 'oauth.v2.access') return { headers: {}, body: access(call.args) }
    const { token = '' } = call
    const called = [...workspaces.values()].find(({ parts }) => parts.grants.tokens.has(token))
    return called?.fromApp.callApi(call)
  }

  /** Exchanges a refresh token, which works once; undefined if it is invalid. */
  function refresh(refreshToken: string): { grant: Grant; issued: IssuedToken } | undefined {
    const grant = refreshTokens.get(refreshToken)
    refreshTokens.delete(refreshToken)
    return grant && { grant, issued: issue(grant) }
  }

  const oauth = {
    issue,
    refresh,
    /** @returns the workspace. Calls with its tokens reach it, whatever workspace receives them */
    join(workspace: SimulatedWorkspace, team: Team): SimulatedWorkspace {
      const { fromApp, parts } = workspace
      const { check } = parts.grants
      parts.grants.check = (token) =>
        (expiries.get(token) ?? Infinity) <= now() ? 'token_expired' : check(token)
      workspaces.set(team, workspace)
      const callApi = async (call: ApiCall): Promise<ApiResponse> =>
        (await route(call)) ?? fromApp.callApi(call)
      return { ...workspace, fromApp: { ...fromApp, callApi } }
    },
    /**
     * Answers the consent page.
     *
     * @returns the URL to which Slack redirects the browser
     * @throws Error with the message of Slack's page if the app's request is invalid
     */
    consent(
      authorizeUrl: string,
      { team, manifest }: { team: Team; manifest: Manifest },
      { userId, scopes, declines = false }: Consent,
    ): string {
      const { searchParams: query } = new URL(authorizeUrl)
      const redirectUri = query.get('redirect_uri')
      const redirectUrls = manifest.oauth_config.redirect_urls
      if (query.get('client_id') !== clientId) throw new Error('Invalid client_id parameter')
      const requested = (query.get('scope') ?? '').split(',').filter(Boolean)
      if (requested.length === 0) throw new Error('No scopes requested')
      const { bot, bot_optional: optional } = manifest.oauth_config.scopes
      if (requested.some((scope) => !bot.includes(scope)))
        throw new Error('Invalid permissions requested')
      const back = redirectUri ?? redirectUrls[0]
      if (back === undefined || !redirectUrls.some((url) => back.startsWith(url))) {
        throw new Error('redirect_uri did not match any configured URIs.')
      }
      const granted = scopes ?? requested
      if (requested.some((scope) => !granted.includes(scope) && !optional.includes(scope))) {
        throw new Error('Only optional scopes can be left out.')
      }
      const url = new URL(back)
      url.searchParams.set('state', query.get('state') ?? '')
      if (declines) {
        url.searchParams.set('error', 'access_denied')
      } else {
        const code = randomBytes(12).toString('hex')
        codes.set(code, { team, userId, scopes: granted, redirectUri, at: now() })
        url.searchParams.set('code', code)
      }
      return url.href
    },
    /** Uninstalls the app from a workspace, whose tokens stop working at once. */
    uninstall(team: Team): void {
      for (const [text, grant] of refreshTokens) {
        if (grant.team === team) refreshTokens.delete(text)
      }
    },
  }
  return oauth
}

function rejected(error: string): Record<string, unknown> {
  return { ok: false, error }
}

function answer(
  team: Team,
  userId: string,
  scopes: readonly string[],
  { token, refreshToken, expiresIn }: IssuedToken,
): Record<string, unknown> {
  const { enterprise } = team
  const orgWide = enterprise?.orgWide ?? false
  return {
    ok: true,
    app_id: APP.id,
    authed_user: { id: userId },
    scope: scopes.join(','),
    token_type: 'bot',
    access_token: token,
    bot_user_id: APP.userId,
    ...(refreshToken !== undefined && { refresh_token: refreshToken, expires_in: expiresIn }),
    team: orgWide ? null : { id: team.id, name: team.name },
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: orgWide,
  }
}
