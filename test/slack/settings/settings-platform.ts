import type { SettingsPlatform } from '../../../src/slack/settings/settings-form.ts'
import type { Workspaces } from '../../../src/workspaces/workspaces.ts'
import { fakePlatform } from '../../support/platform.ts'

/** A platform for the settings, without a connection to Slack or a link service. */
export function settingsPlatform(parts: Partial<SettingsPlatform>): SettingsPlatform {
  const refuse = (): never => {
    throw new Error('not asked')
  }
  return {
    ...fakePlatform(),
    workspaces: {} as Workspaces,
    linkClient: refuse,
    serviceUrl: 'https://links.example.com',
    clientFor: refuse,
    ...parts,
  }
}
