import type { DomainRecord } from '../../workspaces/connection.ts'
import type { Workspace, Workspaces } from '../../workspaces/workspaces.ts'
import { inputTexts } from '../blocks/lines-inputs.ts'
import { noticeModal } from '../blocks/notice-modal.ts'
import { domainsModal } from '../blocks/settings/domains-modal.ts'
import { domainLines } from '../input/domain-lines.ts'
import { checkDomains, readDomainsForm } from '../input/settings/domains.ts'
import { SlackInputError } from '../input/slack-input-error.ts'
import type { SettingsForm } from './settings-form.ts'

/** The workspace's domain records. They are kept in its connection, beside the key. */
export function createDomainsForm(workspaces: Workspaces): SettingsForm {
  /** Undefined where they can't be changed here: not connected, or the deployment's own. */
  async function kept(workspace: Workspace): Promise<DomainRecord[] | undefined> {
    const standing = await workspaces.standing(workspace)
    if (standing.state !== 'connected') return undefined
    const { domains, source } = standing.connection
    return source === 'configured' ? undefined : domains
  }
  return {
    async draw({ workspace }) {
      const domains = await kept(workspace)
      return domains
        ? domainsModal({ domains, texts: inputTexts(domainLines(domains)) })
        : noticeModal('Domains', 'Connect this workspace with a key of your own first.')
    },
    async save({ workspace }, values) {
      const domains = checkDomains(readDomainsForm(values))
      if (!(await workspaces.setDomains(workspace.id, domains))) {
        const message =
          'Somebody changed this workspace’s connection in the meantime, so nothing was saved. Copy your lines, close this, and look again.'
        throw new SlackInputError([{ message }])
      }
      return undefined
    },
    async redraw({ workspace }, values, notice) {
      const domains = (await kept(workspace)) ?? []
      return domainsModal({ ...readDomainsForm(values), domains, notice })
    },
  }
}
