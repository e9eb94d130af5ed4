import { expect, test } from 'vitest'
import { isOrganization, workspaceId } from '../../src/workspaces/workspace.ts'

test('identifies a workspace by its team', () => {
  expect(workspaceId({ teamId: 'T1' })).toBe('T1')
  expect(workspaceId({ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: false })).toBe('T1')
})

test('identifies an org-wide installation by the organization, whichever team calls', () => {
  expect(workspaceId({ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: true })).toBe('E1')
})

test('reads the string that slash commands send as the flag', () => {
  const ids = { teamId: 'T1', enterpriseId: 'E1' }
  expect(workspaceId({ ...ids, isEnterpriseInstall: 'true' })).toBe('E1')
  expect(workspaceId({ ...ids, isEnterpriseInstall: 'false' })).toBe('T1')
})

test('throws if the payload names no workspace', () => {
  expect(() => workspaceId({ enterpriseId: 'E1' })).toThrow(TypeError)
  expect(() => workspaceId({ teamId: 'T1', isEnterpriseInstall: true })).toThrow(TypeError)
})

test('distinguishes an organization’s ID from a team’s', () => {
  expect(['E0123', 'T0123'].map(isOrganization)).toEqual([true, false])
})
