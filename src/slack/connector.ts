import { ApiError } from '../client/errors/api-error.ts'
import type { LinkClient } from '../client/link-client.ts'
import { KeyringError } from '../workspaces/keyring-error.ts'
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts'
import type { ConnectModal } from './blocks/connect-modal.ts'
import { inputTexts } from './blocks/lines-inputs.ts'
import type { ConnectInput } from './input/connect-form.ts'
import { domainLines } from './input/domain-lines.ts'
import { COMMAND } from './ids.ts'
import { SlackInputError } from './input/slack-input-error.ts'

/** Where the workspace had a key that nobody had to enter. */
const NO_KEY = `This workspace was disconnected. To connect it as it was before, without a key, use “Connect again” in ${COMMAND} settings.`

/** Connects a workspace to the link service. */
export interface Connector {
  /** What the connect form shows of how things stand. */
  current(workspace: Workspace): Promise<ConnectModal>
  /**
   * Tries the key with a one-item list, and keeps it if the service accepts it.
   *
   * @returns whether the key may list links as well (a 403 means: valid, but it may not)
   * @throws SlackInputError at the key when the service does not accept it; LinkServiceError when
   *   that can't be found out. Nothing is kept then.
   */
  connect(workspaceId: string, input: ConnectInput, userId: string): Promise<{ mayList: boolean }>
}

export function createConnector({
  client,
  workspaces,
  serviceUrl,
}: {
  client: (apiKey: string) => LinkClient
  workspaces: Workspaces
  /** Where the link service is, for people. */
  serviceUrl: string
}): Connector {
  return {
    async current(workspace) {
      try {
        const standing = await workspaces.standing(workspace)
        if (standing.state === 'connected') {
          const { apiKey, domains } = standing.connection
          const keyEnding = apiKey.slice(-4)
          return { serviceUrl, keyEnding, domains: inputTexts(domainLines(domains)) }
        }
        const needsNoKey = standing.state === 'disconnected' && workspaces.connectsByItself
        return { serviceUrl, domains: inputTexts([]), ...(needsNoKey && { notice: NO_KEY }) }
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error
        const notice = 'The key that was kept can’t be read any more. Please enter it again.'
        return { serviceUrl, domains: inputTexts([]), notice }
      }
    },
    async connect(workspaceId, { apiKey, domains }, userId) {
      const mayList = await client(apiKey)
        .list({ per_page: 1 })
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof ApiError && error.status === 403) return false
            if (error instanceof ApiError && error.status === 401) throw notAccepted(error)
            throw error
          },
        )
      await workspaces.connect(workspaceId, { apiKey, domains }, userId)
      return { mayList }
    },
  }
}

function notAccepted(cause: unknown): SlackInputError {
  const error = new SlackInputError([
    {
      field: 'api_key',
      message: 'The link service doesn’t accept this key. Copy it again, or make a new one there.',
    },
  ])
  error.cause = cause
  return error
}
