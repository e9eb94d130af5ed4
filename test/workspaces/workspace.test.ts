import { expect, test } from 'vitest'
import { workspaceId } from '../../src/workspaces/workspace-id.ts'

test('a workspace is known by its team', () => {
  expect(workspaceId({ teamId: 'T1' })).toBe('T1')
  expect(workspaceId({ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: false })).toBe('T1')
})

test('an org-wide install is known by the enterprise, whichever team calls', () => {
  expect(workspaceId({ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: true })).toBe('E1')
})

test('a slash command sends the flag as a text', () => {
  const ids = { teamId: 'T1', enterpriseId: 'E1' }
  expect(workspaceId({ ...ids, isEnterpriseInstall: 'true' })).toBe('E1')
  expect(workspaceId({ ...ids, isEnterpriseInstall: 'false' })).toBe('T1')
})

test('a payload that names no workspace is refused', () => {
  expect(() => workspaceId({ enterpriseId: 'E1' })).toThrow(TypeError)
  expect(() => workspaceId({ teamId: 'T1', isEnterpriseInstall: true })).toThrow(TypeError)
})
