import type { PayloadChanges } from '../../src/simulator/app/app-connection.ts'
import type { Team } from '../../src/simulator/app/grants.ts'
import type { SlackJson } from '../../src/simulator/protocol.ts'
import { TEAM } from '../../src/simulator/workspace/seeds.ts'

/**
 * Inside the simulator, everything belongs to the one workspace of the seeds. What the app
 * receives names the given team and its organization instead, as Slack would.
 */
export function toTeamPayload({ id, domain, enterprise }: Team): PayloadChanges {
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
