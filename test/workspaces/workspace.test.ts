import { expect, test } from 'vitest'
import { isOrganization, workspaceId } from '../../src/workspaces/workspace.ts'

const IDS = { teamId: 'T1', enterpriseId: 'E1' }

test.each([
  [{ teamId: 'T1' }, 'T1'],
  [{ ...IDS, isEnterpriseInstall: false }, 'T1'],
  // Whichever team of the organization calls.
  [{ ...IDS, isEnterpriseInstall: true }, 'E1'],
  // Slash commands send the flag as a string.
  [{ ...IDS, isEnterpriseInstall: 'true' }, 'E1'],
  [{ ...IDS, isEnterpriseInstall: 'false' }, 'T1'],
])('%j identifies the workspace %s', (installedIn, id) => {
  expect(workspaceId(installedIn)).toBe(id)
})

test('throws if the payload names no workspace', () => {
  expect(() => workspaceId({ enterpriseId: 'E1' })).toThrow(TypeError)
  expect(() => workspaceId({ teamId: 'T1', isEnterpriseInstall: true })).toThrow(TypeError)
})

test('distinguishes an organization’s ID from a team’s', () => {
  expect(['E0123', 'T0123'].map(isOrganization)).toEqual([true, false])
})
