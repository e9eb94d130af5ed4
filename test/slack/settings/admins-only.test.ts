import { expect, test } from 'vitest'
import { requireAdmin } from '../../../src/slack/settings/admins-only.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace } from '../../support/workspace.ts'

test('who is no admin when something is to be changed is told that nothing was', async () => {
  const slack = await startSimulatedWorkspace()
  try {
    const client = webClient(slack.apiUrl)
    await expect(requireAdmin({ client }, slack.ana.id)).resolves.toBeUndefined()
    await expect(requireAdmin({ client }, slack.ben.id)).rejects.toThrow(
      'Only admins and owners of this workspace can do this. Nothing was changed.',
    )
  } finally {
    await slack.close()
  }
})
