import { expect, test } from 'vitest'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import type { Team } from '../../../src/simulator/app/grants.ts'
import { requireAdmin } from '../../../src/slack/settings/index.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace } from '../../support/workspace.ts'

const [ana, ben] = PEOPLE
const ENTERPRISE = { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true, admins: [ben.id] }

/**
 * Checks that a user may change settings, as Slack knows the user in a team.
 *
 * @param workspaceId of the workspace, or of its whole organization
 */
async function requireAdminIn(team: Team, workspaceId: string, userId: string): Promise<void> {
  const slack = await startSimulatedWorkspace({ team })
  try {
    const caller = { client: webClient(slack.apiUrl), workspace: { id: workspaceId } }
    await requireAdmin(caller, userId)
  } finally {
    await slack.close()
  }
}

test('tells a user who is not an admin that nothing was changed', async () => {
  await expect(requireAdminIn(TEAM, TEAM.id, ana.id)).resolves.toBeUndefined()
  await expect(requireAdminIn(TEAM, TEAM.id, ben.id)).rejects.toThrow(
    'Only admins and owners of this workspace can do this. Nothing was changed. Ask one of them.',
  )
})

test('lets only an organization’s own admins change what affects all of it', async () => {
  const team = { ...TEAM, enterprise: ENTERPRISE }
  await expect(requireAdminIn(team, ENTERPRISE.id, ben.id)).resolves.toBeUndefined()
  await expect(requireAdminIn(team, ENTERPRISE.id, ana.id)).rejects.toThrow(
    'Only admins and owners of this organization can do this. Nothing was changed. Ask one of them.',
  )
})

test('lets a workspace’s own admins decide if the workspace installed the app by itself', async () => {
  const team = { ...TEAM, enterprise: { ...ENTERPRISE, orgWide: false } }
  await expect(requireAdminIn(team, TEAM.id, ana.id)).resolves.toBeUndefined()
  await expect(requireAdminIn(team, TEAM.id, ben.id)).rejects.toThrow('of this workspace')
})

test('does not accept an admin of another organization', async () => {
  const team = { ...TEAM, enterprise: ENTERPRISE }
  await expect(requireAdminIn(team, 'E0ANOTHER000', ben.id)).rejects.toThrow('of this organization')
})
