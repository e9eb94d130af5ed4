import { createHash } from 'node:crypto'
import type { KeptDomains, Workspace, Workspaces } from '../../workspaces/workspaces.ts'
import { inputTexts } from '../blocks/lines-inputs.ts'
import { noticeModal } from '../blocks/notice-modal.ts'
import { domainsModal } from '../blocks/settings/domains-modal.ts'
import { domainLines } from '../input/domain-lines.ts'
import { checkDomains, readDomainsForm } from '../input/settings/domains.ts'
import { SlackInputError } from '../input/slack-input-error.ts'
import type { SettingsForm } from './settings-form.ts'

/**
 * The workspace's domain records. They are kept in its connection, beside the key. The form holds all
 * of them, so it is saved only over what it showed: another admin may have added some in the
 * meantime, or connected the workspace with a key that has others.
 */
export function createDomainsForm(workspaces: Workspaces): SettingsForm {
  /** Undefined where they can't be changed here: not connected, or the deployment's own. */
  async function kept(workspace: Workspace): Promise<KeptDomains | undefined> {
    const standing = await workspaces.standing(workspace)
    if (standing.state !== 'connected') return undefined
    const { domains, source } = standing.connection
    return source === 'configured' ? undefined : { domains, since: standing.since }
  }
  return {
    async draw({ workspace }) {
      const now = await kept(workspace)
      return now
        ? domainsModal({
            domains: now.domains,
            version: versionOf(now),
            texts: inputTexts(domainLines(now.domains)),
          })
        : noticeModal('Domains', 'Connect this workspace with a key of your own first.')
    },
    async save({ workspace, key }, values) {
      const domains = checkDomains(readDomainsForm(values))
      const seen = (now: KeptDomains): boolean => versionOf(now) === key
      if (!(await workspaces.setDomains(workspace.id, domains, seen))) {
        const message =
          'Somebody changed this workspace’s domains or its connection in the meantime, so nothing was saved. Copy your lines, close this, and look again.'
        throw new SlackInputError([{ message }])
      }
      return undefined
    },
    async redraw({ workspace, key: version }, values, notice) {
      const { domains } = (await kept(workspace)) ?? { domains: [] }
      return domainsModal({ ...readDomainsForm(values), domains, version, notice })
    },
  }
}

/** For a form to carry: nobody can read from it what it stands for. */
function versionOf({ domains, since }: KeptDomains): string {
  const records = domains.map(({ name, domain_name }) => [name, domain_name])
  return createHash('sha256')
    .update(JSON.stringify([since, records]))
    .digest('base64url')
}
