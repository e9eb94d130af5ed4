import { expect, test } from 'vitest'
import { PEOPLE, TEAM } from '../../../src/simulator/workspace/seeds.ts'
import type { Team } from '../../../src/simulator/app/team.ts'
import { requireAdmin } from '../../../src/slack/settings/admins-only.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace } from '../../support/workspace.ts'

const [ana, ben] = PEOPLE
const ENTERPRISE = { id: 'E0GRIDORG000', name: 'Grid org', orgWide: true, admins: [ben.id] }

/** What happens when somebody in a workspace changes what is kept for that, or for all of its organization. */
async function changing(who: string, team: Team, kept: string): Promise<void> {
  const slack = await startSimulatedWorkspace({ team })
  try {
    await requireAdmin({ client: webClient(slack.apiUrl), workspace: { id: kept } }, who)
  } finally {
    await slack.close()
  }
}

test('who is no admin when something is to be changed is told that nothing was', async () => {
  await expect(changing(ana.id, TEAM, TEAM.id)).resolves.toBeUndefined()
  await expect(changing(ben.id, TEAM, TEAM.id)).rejects.toThrow(
    'Only admins and owners of this workspace can do this. Nothing was changed.',
  )
})

test('what counts in a whole organization is changed by its own admins, not by a workspace’s', async () => {
  const team = { ...TEAM, enterprise: ENTERPRISE }
  await expect(changing(ben.id, team, ENTERPRISE.id)).resolves.toBeUndefined()
  await expect(changing(ana.id, team, ENTERPRISE.id)).rejects.toThrow(
    'Only admins and owners of this organization can do this. Nothing was changed.',
  )
})

test('in a workspace of an organization that installed the app by itself, its own admins decide', async () => {
  const team = { ...TEAM, enterprise: { ...ENTERPRISE, orgWide: false } }
  await expect(changing(ana.id, team, TEAM.id)).resolves.toBeUndefined()
  await expect(changing(ben.id, team, TEAM.id)).rejects.toThrow('of this workspace')
})

test('who belongs to another organization administers none of this one', async () => {
  const team = { ...TEAM, enterprise: ENTERPRISE }
  await expect(changing(ben.id, team, 'E0ANOTHER000')).rejects.toThrow('of this organization')
})
