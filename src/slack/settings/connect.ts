import type { ModalView } from '@slack/types'
import { failureOf, FORBIDDEN, LinkServiceError } from '../../port/failures.ts'
import type { LinkService } from '../../port/link-service.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { present } from '../block-kit/elements.ts'
import { bold } from '../block-kit/mrkdwn.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { COMMAND, VIEWS } from '../ids.ts'
import { errorAt, fieldErrorText, cutValue, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { formAgain, typedText } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { parseConnectForm, type ConnectInput } from './connect-form.ts'
import { buildPicker } from './domain-picker.ts'
import { buildOverview, refreshSettings } from './overview.ts'
import { requireAdmin, type SettingsPlatform } from './settings-form.ts'

export async function submitConnectForm(platform: SettingsPlatform, submission: FormSubmission) {
  const { homeTab, linkService } = platform
  const { caller, userId, view } = submission
  const { workspace } = caller
  const { values } = view.state
  const notSaved = typedText(values, 'api_key')
    ? 'The key was not saved. Please enter it again.'
    : 'Nothing was saved.'
  const isConnected = await answerForm(platform, submission, {
    work: async () => {
      const input = parseConnectForm(values)
      await requireAdmin(caller, userId)
      const connected = await linkService.signOutAfter(workspace, () =>
        connectWorkspace(platform, workspace, input, userId),
      )
      const { domains } = connected
      return input.domains !== undefined || domains.length === 1
        ? connectedModal(connected)
        : buildPicker(platform, workspace, domains, connectedIntro(connected))
    },
    waiting: 'Trying the key…',
    rebuild: async (issues) =>
      formAgain(view, [...issues.map(fieldErrorText), notSaved], 'api_key'),
    done: (connectedView) => connectedView,
    consequence: notSaved,
  })
  if (!isConnected) return
  await refreshSettings(platform, caller, view)
  await homeTab.refresh(caller)
}

export async function connectAgain(platform: SettingsPlatform, request: ActionRequest) {
  const { homeTab, linkService, views, workspaces } = platform
  const { caller, userId, view } = request
  const { workspace } = caller
  await requireAdmin(caller, userId)
  await linkService.signOutAfter(workspace, () => workspaces.connectAgain(workspace.id, userId))
  await workspaces.connection(workspace)
  if (view?.callback_id === VIEWS.connect) {
    const connected = noticeModal('Connected', ':white_check_mark: This workspace is connected.')
    await views.update(caller, { view_id: view.id }, connected)
    await refreshSettings(platform, caller, view)
  } else if (view) {
    await views.update(caller, { view_id: view.id }, await buildOverview(platform, workspace))
  }
  await homeTab.refresh(caller)
}

/**
 * Checks the key by listing links, and the domain records with requests that create no link. Nothing is saved if the
 * service refuses the key or a record. If the admin entered no records, uses those that the service lists.
 */
export async function connectWorkspace(
  { clock, linkClient, workspaces }: Pick<SettingsPlatform, 'clock' | 'linkClient' | 'workspaces'>,
  workspace: Workspace,
  { apiKey: typedKey, domains: typedDomains }: ConnectInput,
  userId: string,
): Promise<Connected> {
  const apiKey = typedKey ?? (await currentKey(workspaces, workspace))
  const client = linkClient(apiKey)
  const operation = createOperation({ clock })
  const mayList = await client.list({ per_page: 1 }, { operation }).then(
    () => true,
    (error: unknown) => {
      if (failureOf(error, ...FORBIDDEN)) return false
      if (!failureOf(error, 'unauthorized')) throw error
      const message =
        'The link service doesn’t accept this key. Copy it again, or create a new one there.'
      throw errorAt('api_key', message, { cause: error })
    },
  )
  const domains = typedDomains ?? (await listAll(client, operation))
  const checks = await tryDomains(client, domains, operation)
  await workspaces.connect(workspace.id, { apiKey, domains: [...domains] }, userId)
  return { domains, mayList, ...checks }
}

async function currentKey(workspaces: Workspaces, workspace: Workspace): Promise<string> {
  const status = await workspaces.status(workspace)
  if (status.state === 'connected' && status.connection.source === 'connected') {
    return status.connection.apiKey
  }
  throw errorAt('api_key', 'Enter an API key.')
}

async function listAll(client: LinkService, operation: Operation): Promise<Domains> {
  if (!client.listDomains) throw errorAt('domains', 'Enter at least one domain.')
  const list = await client.listDomains({ operation }).catch((cause: unknown) => {
    if (!failureOf(cause, 'unreadable', 'invalid', 'wrong_address', 'refused', ...FORBIDDEN))
      throw cause
    const message = 'This link service doesn’t list its domains. Enter at least one.'
    throw errorAt('domains', message, { cause })
  })
  // The service lists the newest domain record first, but the first one here becomes the default.
  const [first, ...rest] = list.domains.toReversed()
  if (first && !list.hasMore) return [first, ...rest]
  const problem = first
    ? `This key can use more than ${list.domains.length} domain records. Enter those that you want.`
    : 'This key can’t use any domain record. Ask the person who runs the link service to allow one.'
  throw errorAt('domains', problem)
}

const MAX_TRIED_DOMAINS = 10

async function tryDomains(
  client: LinkService,
  domains: readonly DomainRecord[],
  operation: Operation,
) {
  const tried = domains.slice(0, MAX_TRIED_DOMAINS)
  try {
    const names = tried.map(({ name }) => name)
    const complaints = await client.tryDomains?.(names, { operation })
    if (!complaints) return { mayCreate: true, knowsDomains: false }
    const issues = complaints.flatMap((complaint, index) => {
      const name = cutValue(tried[index]?.name ?? '')
      const message = `The link service doesn’t accept the domain record “${name}”: ${complaint ?? ''}`
      return complaint === undefined ? [] : [{ field: 'domains' as const, message }]
    })
    if (issues.length > 0) throw new SlackInputError(issues)
    return { mayCreate: true, knowsDomains: tried.length === domains.length }
  } catch (error) {
    if (!(error instanceof LinkServiceError)) throw error
    return { mayCreate: !failureOf(error, ...FORBIDDEN), knowsDomains: false }
  }
}

interface Connected {
  domains: readonly DomainRecord[]
  mayList: boolean
  mayCreate: boolean
  knowsDomains: boolean
}

const MAX_NAMED_DOMAINS = 10

export function connectedModal(connected: Connected): ModalView {
  const { domains } = connected
  const named = domains.slice(0, MAX_NAMED_DOMAINS).map(({ domain_name }) => bold(domain_name))
  const more = domains.length - named.length
  const hostnames = present([...named, more > 0 && `${more} more`]).join(', ')
  const tried = connected.knowsDomains
    ? 'The link service accepts the key and knows the domain records. The hostnames were not tried: they are as you entered them.'
    : 'The link service accepts the key. The domain records and their hostnames were not tried: create a link to try them.'
  return noticeModal(
    'Connected',
    [
      `:white_check_mark: This workspace is connected. Its domains: ${hostnames}.`,
      tried,
      ...missingPermissions(connected),
    ].join('\n'),
  )
}

function connectedIntro(connected: Connected): string {
  return [
    ':white_check_mark: This workspace is connected. Choose the domains that people can use.',
    ...missingPermissions(connected),
  ].join('\n')
}

const ASK_FOR_IT = 'The person who runs the link service can allow it.'

function missingPermissions({ mayList, mayCreate }: Connected): string[] {
  return present([
    !mayCreate && `:warning: The key isn’t allowed to create links. ${ASK_FOR_IT}`,
    !mayList &&
      `:warning: The key isn’t allowed to list links, so \`${COMMAND} list\` can’t show them. ${ASK_FOR_IT}`,
  ])
}
