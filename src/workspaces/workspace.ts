export interface Workspace {
  id: string
  name?: string | undefined
}

// T0123ABCD-U0456EFGH
export const personId = (workspaceId: string, userId: string): string => `${workspaceId}-${userId}`

interface InstalledIn {
  teamId?: string | undefined
  enterpriseId?: string | undefined
  /** Slash commands send a string, and `'false'` is one of the values. */
  isEnterpriseInstall?: boolean | string | undefined
}

/**
 * Returns the ID under which a workspace's data is stored: the team's ID, or the Enterprise Grid organization's if the
 * app is installed for the whole organization (then there is no team ID).
 */
export function workspaceId({ teamId, enterpriseId, isEnterpriseInstall }: InstalledIn): string {
  const forOrganization = isEnterpriseInstall === true || isEnterpriseInstall === 'true'
  const id = forOrganization ? enterpriseId : teamId
  if (!id) throw new TypeError('Slack named no workspace')
  return id
}

export function installedIn(id: string) {
  return isOrganization(id)
    ? { teamId: undefined, enterpriseId: id, isEnterpriseInstall: true }
    : { teamId: id, enterpriseId: undefined, isEnterpriseInstall: false }
}

export function isOrganization(workspaceId: string): boolean {
  return workspaceId.startsWith('E')
}
