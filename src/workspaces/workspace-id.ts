/** As much of a payload or an installation as says where the app is installed. */
export interface InstalledIn {
  teamId?: string | undefined
  enterpriseId?: string | undefined
  /** Slack sends a text in slash commands, and `'false'` is one. */
  isEnterpriseInstall?: boolean | string | undefined
}

/**
 * Under which id a workspace's connection is kept: the team's, or the Enterprise Grid
 * organization's where the app was installed for all its teams (they have no team id then).
 *
 * @throws TypeError when neither is known
 */
export function workspaceId({ teamId, enterpriseId, isEnterpriseInstall }: InstalledIn): string {
  const forAllTeams = isEnterpriseInstall === true || isEnterpriseInstall === 'true'
  const id = forAllTeams ? enterpriseId : teamId
  if (!id) throw new TypeError('Slack named no workspace')
  return id
}

/** Whether it is an Enterprise Grid organization's: those begin with E, a team's with T. */
export function isOrganization(workspaceId: string): boolean {
  return workspaceId.startsWith('E')
}
