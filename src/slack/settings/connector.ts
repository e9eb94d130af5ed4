import { ApiError } from '../../client/errors.ts'
import type { LinkClient } from '../../client/link-client.ts'
import { KeyringError } from '../../workspaces/keyring.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { COMMAND } from '../ids.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ConnectInput, ConnectModal } from './connect-form.ts'
import { domainLines } from './domain-lines.ts'
import { inputTexts } from './lines.ts'

/** For a workspace that can be connected without a key. */
const NO_KEY_NEEDED = `This workspace was disconnected. To connect it as before, without a key, use “Connect again” in ${COMMAND} settings.`

/** Connects a workspace to the link service. */
export interface Connector {
  /** What the connect form shows about the current connection. */
  current(workspace: Workspace): Promise<ConnectModal>
  /**
   * Tries the key by listing one link, and saves it if the service accepts it.
   *
   * @returns whether the key can list links (the service answers 403 if the key is valid but lacks the
   *   permission)
   * @throws SlackInputError at the key if the service refuses it; LinkServiceError if it can't
   *   find out. Nothing is saved then.
   */
  connect(workspaceId: string, input: ConnectInput, userId: string): Promise<{ mayList: boolean }>
}

export function createConnector({
  linkClient,
  workspaces,
  serviceUrl,
}: {
  linkClient: (apiKey: string) => LinkClient
  workspaces: Workspaces
  /** The link service's address, for users. */
  serviceUrl: string
}): Connector {
  return {
    async current(workspace) {
      try {
        const status = await workspaces.status(workspace)
        if (status.state === 'connected') {
          const { apiKey, domains } = status.connection
          const keyEnding = apiKey.slice(-4)
          return { serviceUrl, keyEnding, domains: inputTexts(domainLines(domains)) }
        }
        const needsNoKey = status.state === 'disconnected' && workspaces.connectsAutomatically
        return {
          serviceUrl,
          domains: inputTexts([]),
          ...(needsNoKey && { notice: [NO_KEY_NEEDED] }),
        }
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error
        const notice = ['The saved key can’t be read anymore. Please enter it again.']
        return { serviceUrl, domains: inputTexts([]), notice }
      }
    },

    async connect(workspaceId, { apiKey, domains }, userId) {
      const mayList = await linkClient(apiKey)
        .list({ per_page: 1 })
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof ApiError && error.status === 403) return false
            if (error instanceof ApiError && error.status === 401) throw keyRefused(error)
            throw error
          },
        )
      await workspaces.connect(workspaceId, { apiKey, domains: [...domains] }, userId)
      return { mayList }
    },
  }
}

function keyRefused(cause: unknown): SlackInputError {
  const message =
    'The link service doesn’t accept this key. Copy it again, or create a new one there.'
  return new SlackInputError([{ field: 'api_key', message }], { cause })
}
