import type { SlackJson } from '../../src/simulator/protocol.ts'
import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'
import { PEOPLE, TEAM } from '../../src/simulator/workspace/seeds.ts'

/** A workspace, and the organization to which it belongs. */
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

/** What a test has changed about a person. */
export type Account = Partial<Record<'admin' | 'guest' | 'deactivated', boolean>>

/**
 * Inside the simulator, everything belongs to the one workspace of the seeds. What the app
 * receives names the given team and its organization instead, as Slack would.
 */
export function withTeam(workspace: SimulatedWorkspace, team: Team) {
  const { parts, fromApp } = workspace
  const { app, clock, events, grants } = parts
  const { sendCommand, sendInteraction, sendEvent } = app
  const accounts = new Map<unknown, Account>()
  const describe = (user: SlackJson): SlackJson =>
    withAccount(team, user, accounts.get(user.id) ?? {})
  if (team.id !== TEAM.id) {
    const changes = toTeamPayload(team)
    app.sendCommand = (fields) => sendCommand(changes.command(fields))
    app.sendInteraction = (payload) => sendInteraction(changes.interaction(payload))
    app.sendEvent = (body) => sendEvent(changes.event(body))
  }
  return {
    workspace: {
      ...workspace,
      fromApp: {
        ...fromApp,
        async callApi(call) {
          const { headers, body } = await fromApp.callApi(call)
          const { user, members } = body as { user?: SlackJson; members?: SlackJson[] }
          const isLookup = call.method.startsWith('users.') && body.ok === true
          return {
            headers,
            body: {
              ...body,
              ...(call.method === 'auth.test' && body.ok === true && authPayload(team)),
              ...(isLookup && user && { user: describe(user) }),
              ...(isLookup && members && { members: members.map(describe) }),
            },
          }
        },
      },
    } satisfies SimulatedWorkspace,
    /** Changes what Slack says about a person. The app is told if it can read people. */
    changeAccount: (id: string, account: Account): void => {
      const person = PEOPLE.find((one) => one.id === id)
      if (!person) throw new RangeError('There is no such person.')
      accounts.set(id, { ...accounts.get(id), ...account })
      if (grants.latest()?.scopes.has('users:read') !== true) return
      const times = { cache_ts: Math.floor(clock.now() / 1000), event_ts: clock.ts() }
      events.send({ type: 'user_change', user: describe(person), ...times })
    },
  }
}

function authPayload({ id, name, enterprise }: Team): SlackJson {
  return {
    team: name,
    team_id: id,
    ...(enterprise && { enterprise_id: enterprise.id }),
    is_enterprise_install: enterprise?.orgWide ?? false,
  }
}

function withAccount({ id: teamId, enterprise }: Team, user: SlackJson, account: Account) {
  const { id, name, profile, ...details } = user
  const { deactivated = false, admin = user.is_admin, guest = user.is_restricted } = account
  const isOrgAdmin = enterprise?.admins?.includes(String(id)) ?? false
  return {
    id,
    team_id: teamId,
    name,
    deleted: deactivated,
    profile: { ...(profile as SlackJson), team: teamId },
    // Slack says nothing else about people whose accounts were deactivated.
    ...(!deactivated && {
      real_name: details.real_name,
      tz: details.tz,
      is_admin: admin,
      is_owner: admin,
      is_restricted: guest,
      is_ultra_restricted: false,
    }),
    ...(enterprise && {
      enterprise_user: {
        id,
        enterprise_id: enterprise.id,
        is_admin: isOrgAdmin,
        is_owner: isOrgAdmin,
        teams: [teamId],
      },
    }),
  }
}

function toTeamPayload({ id, domain, enterprise }: Team) {
  const withTeamId = <T>(body: T): T =>
    JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
      value === TEAM.id ? id : value,
    ) as T
  const orgWide = enterprise?.orgWide ?? false
  return {
    command: (fields: Record<string, string>) => ({
      ...withTeamId(fields),
      team_domain: domain,
      is_enterprise_install: String(orgWide), // A string, only in commands.
      ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
    }),
    interaction: (payload: SlackJson) => ({
      ...withTeamId(payload),
      // In an org-wide installation, Slack names the person's workspace only in `user`.
      team: orgWide ? null : { id, domain, ...(enterprise && { enterprise_id: enterprise.id }) },
      enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
      is_enterprise_install: orgWide,
    }),
    event(body: SlackJson) {
      const authorizations = withTeamId(body).authorizations as SlackJson[] | undefined
      return {
        ...withTeamId(body),
        ...(enterprise && { enterprise_id: enterprise.id }),
        ...(authorizations && {
          authorizations: authorizations.map((one) => ({
            ...one,
            enterprise_id: enterprise?.id ?? null,
            ...(orgWide && { team_id: null }),
            is_enterprise_install: orgWide,
          })),
        }),
      }
    },
  }
}
