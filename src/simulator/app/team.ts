import type { SlackJson } from '../protocol.ts'
import { TEAM } from '../workspace/seeds.ts'

/** The simulated workspace. */
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

/** Adapts what the app receives to a team. */
interface TeamPayload {
  command(fields: Record<string, string>): Record<string, string>
  interaction(payload: SlackJson): SlackJson
  event(body: SlackJson): SlackJson
}

/**
 * Inside the simulator, everything belongs to the one workspace of the seeds. What the app
 * receives names the given team and its organization instead, as Slack would.
 */
export function toTeamPayload({ id, domain, enterprise }: Team): TeamPayload {
  const withTeamId = <T>(body: T): T =>
    JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
      value === TEAM.id ? id : value,
    ) as T
  const orgWide = enterprise?.orgWide ?? false
  return {
    command: (fields) => ({
      ...withTeamId(fields),
      team_domain: domain,
      is_enterprise_install: String(orgWide), // A string, only in commands.
      ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
    }),
    interaction: (payload) => ({
      ...withTeamId(payload),
      // In an org-wide installation, Slack names the person's workspace only in `user`.
      team: orgWide ? null : { id, domain, ...(enterprise && { enterprise_id: enterprise.id }) },
      enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
      is_enterprise_install: orgWide,
    }),
    event(body) {
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
