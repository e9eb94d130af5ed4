/** A Slack workspace: its ID (`workspaceId`), and its name if Slack sent one. */
export interface Workspace {
  id: string
  name?: string | undefined
}

/** How the app names a user to the link service (src/contract/person.ts). */
export const personId = (workspaceId: string, userId: string): string => `${workspaceId}-${userId}`

/** The parts of a payload or an installation that identify where the app is installed. */
interface InstalledIn {
  teamId?: string | undefined
  enterpriseId?: string | undefined
  /** Slash commands send a string, and `'false'` is one of the values. */
  isEnterpriseInstall?: boolean | string | undefined
}

/**
 * The ID under which a workspace's data is stored: the team's ID, or the Enterprise Grid organization's
 * ID if the app is installed for the whole organization (there is no team ID then).
 *
 * @throws TypeError if Slack sent neither
 */
export function workspaceId({ teamId, enterpriseId, isEnterpriseInstall }: InstalledIn): string {
  const forOrganization = isEnterpriseInstall === true || isEnterpriseInstall === 'true'
  const id = forOrganization ? enterpriseId : teamId
  if (!id) throw new TypeError('Slack named no workspace')
  return id
}

/** What an ID from `workspaceId` says about where the app is installed. */
export function installedIn(id: string) {
  return isOrganization(id)
    ? { teamId: undefined, enterpriseId: id, isEnterpriseInstall: true }
    : { teamId: id, enterpriseId: undefined, isEnterpriseInstall: false }
}

/** Whether the ID is an Enterprise Grid organization's: those start with E, a team's with T. */
export function isOrganization(workspaceId: string): boolean {
  return workspaceId.startsWith('E')
}
