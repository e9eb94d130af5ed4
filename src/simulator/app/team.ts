import { TEAM } from '../workspace/seeds.ts'
import type { SlackJson } from '../protocol.ts'

/** The workspace that a simulation stands for. */
export interface Team {
  id: string
  domain: string
  name: string
  /** The organization that it belongs to, and whether the app was installed for all of that. */
  enterprise?: {
    id: string
    name: string
    orgWide: boolean
    /** Who administers the organization, which is not whoever administers the workspace. */
    admins?: readonly string[]
  }
}

/** What the app is sent, made out for the team. */
export interface MadeOut {
  command(fields: Record<string, string>): Record<string, string>
  interaction(payload: SlackJson): SlackJson
  event(body: SlackJson): SlackJson
}

/**
 * Everything inside the simulation is of one workspace, the seeds' own. What leaves it for the app
 * names another where the simulation stands for that one, and its organization as Slack does.
 */
export function madeOutFor({ id, domain, enterprise }: Team): MadeOut {
  const renamed = <T>(body: T): T =>
    JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
      value === TEAM.id ? id : value,
    ) as T
  const orgWide = enterprise?.orgWide ?? false
  return {
    command: (fields) => ({
      ...renamed(fields),
      team_domain: domain,
      is_enterprise_install: String(orgWide), // A text, unlike everywhere else.
      ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
    }),
    interaction: (payload) => ({
      ...renamed(payload),
      // Slack names no workspace where the whole organization has the app, but the person's own.
      team: orgWide ? null : { id, domain, ...(enterprise && { enterprise_id: enterprise.id }) },
      enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
      is_enterprise_install: orgWide,
    }),
    event(body) {
      const authorizations = renamed(body).authorizations as SlackJson[] | undefined
      return {
        ...renamed(body),
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
