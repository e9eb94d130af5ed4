import type { ModalView } from '@slack/types'
import { IMPORT_LIMITS, type Imports } from '../../workspaces/imports.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { ACTIONS, IMPORT_SHORTCUT, VIEWS } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission, Listeners } from '../platform/listeners.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import {
  MAY_NOT_READ_FILES,
  type DownloadFile,
  type FileLimits,
  type UploadedFile,
} from '../platform/slack-files.ts'
import { readTimeZone } from '../platform/slack-users.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { openLinkForm } from '../shorten/open-form.ts'
import type { ShortenPlatform } from '../shorten/shorten-platform.ts'
import {
  importModal,
  importState,
  type ImportState,
  previewModal,
  readImportModal,
} from './import-form.ts'
import { planImport, type ImportPlan } from './read-import.ts'
import { createImportRuns, type ImportRuns } from './run-imports.ts'

const LIMITS: FileLimits = {
  noun: 'file',
  field: 'csv_file',
  maxBytes: IMPORT_LIMITS.bytes,
  tooLarge: 'A file can have at most 1 MB. Split this file.',
}

const TITLE = 'Import links'

const STARTED =
  ':hourglass_flowing_sand: The import has started. A direct message, or a reply in the thread of the file, shows its progress.'

const metadata = defineSealedMetadata('import', importState)

export function registerImport(
  listeners: Listeners,
  platform: ShortenPlatform,
  {
    imports: store,
    downloadFile,
    clientFor,
  }: { imports: Imports; downloadFile: DownloadFile; clientFor: ClientFor },
): ImportRuns {
  const { clock, keyring, linkService, permissions, settings } = platform
  const runs = createImportRuns(platform, { store, clientFor })

  async function buildForm(caller: Caller, state: ImportState): Promise<ModalView> {
    const { workspace } = caller
    if (!caller.mayReadFiles) return noticeModal(TITLE, MAY_NOT_READ_FILES)
    const [{ domains }, { templates }, { fields }] = await Promise.all([
      linkService.connection(workspace),
      settings.read(workspace.id),
      linkService.capabilities(workspace),
    ])
    const hasTags = fields.includes('tags')
    const sealed = metadata.seal(keyring, state, workspace.id)
    return importModal({ file: state.file, domains, templates, hasTags, metadata: sealed })
  }

  async function plan(
    caller: Caller,
    { file, choices = {} }: ImportState,
  ): Promise<{ plan: ImportPlan; file: UploadedFile }> {
    const { workspace, userId = '' } = caller
    await permissions.checkMayShorten(caller)
    if (!file) throw errorAt('csv_file', 'Choose a file.')
    const [{ domains }, current, capabilities, timeZone, { bytes }] = await Promise.all([
      linkService.connection(workspace),
      settings.read(workspace.id),
      linkService.certain(workspace, 'can create these links'),
      readTimeZone(caller, userId),
      downloadFile(caller, file, LIMITS),
    ])
    const context = { settings: current, domains, capabilities, timeZone, now: clock.now() }
    return { plan: await planImport(bytes, choices, context), file }
  }

  async function submitForm(submission: FormSubmission): Promise<void> {
    const { caller, view } = submission
    const { workspace } = caller
    await answerForm(platform, submission, {
      work: async () => {
        const before = metadata.open(keyring, view.private_metadata, workspace.id)
        const { templates } = await settings.read(workspace.id)
        const { file = before.file, choices } = readImportModal(view.state.values, templates)
        const state = { ...before, file, choices }
        return { state, ...(await plan(caller, state)) }
      },
      waiting: 'Reading the file…',
      done: ({ state, plan: found, file }) =>
        previewModal(file.name, found, metadata.seal(keyring, state, workspace.id)),
      closesWhenDone: false,
    })
  }

  async function submitPreview(submission: FormSubmission): Promise<void> {
    const { caller, userId, view } = submission
    const { workspace } = caller
    await answerForm(platform, submission, {
      work: async () => {
        const state = metadata.open(keyring, view.private_metadata, workspace.id)
        const { plan: found, file } = await plan(caller, state)
        const rows = found.rows.map(({ number, draft, problem: reason }) => ({
          ...{ number, draft: JSON.stringify(draft) },
          outcome: reason === undefined ? undefined : { reason },
        }))
        const one = {
          id: view.id, // A second click on the button is the same import.
          workspaceId: workspace.id,
          createdBy: userId,
          fileName: file.name,
          message: state.place ?? { channel: userId },
        }
        if ((await store.add(one, rows)) === 'full') {
          throw new SlackInputError(
            `Each person can run one import at a time, and each workspace ${IMPORT_LIMITS.workspace}. Try again when another one has finished.`,
          )
        }
        runs.start(view.id)
      },
      waiting: 'Starting…',
      done: () => STARTED,
      // Otherwise, nothing would show in the channel that it has started.
      closesWhenDone: false,
    })
  }

  listeners.command('import', ({ caller, triggerId }) =>
    openLinkForm(platform, caller, triggerId, () => buildForm(caller, {})),
  )
  listeners.messageShortcut(IMPORT_SHORTCUT, ({ caller, target, triggerId, message }) =>
    openLinkForm(platform, caller, triggerId, async () => {
      const file = csvIn(message)
      const { channelId: channel, threadTs } = target
      const place = channel && threadTs ? { channel, threadTs } : undefined
      return file
        ? buildForm(caller, { file, place })
        : noticeModal(TITLE, 'That message has no CSV or TSV file. Choose a message that has one.')
    }),
  )
  listeners.formSubmission(VIEWS.importFile, submitForm)
  listeners.formSubmission(VIEWS.importPreview, submitPreview)
  listeners.action(ACTIONS.stopImport, async ({ caller, userId, value }) => {
    const createdBy = await store.createdBy(caller.workspace.id, value)
    if (createdBy === undefined) throw new SlackInputError('This import has already ended.')
    if (createdBy !== userId && !(await permissions.isAdmin(caller))) {
      throw new SlackInputError('Only admins and the person who started this import can stop it.')
    }
    await store.stop(caller.workspace.id, value)
    runs.start(value)
  })
  return runs
}

function csvIn(message: Record<string, unknown>): UploadedFile | undefined {
  const files = Array.isArray(message['files']) ? (message['files'] as unknown[]) : []
  return files.flatMap((file): UploadedFile[] => {
    const { id, name = 'links.csv', file_access: access } = file as Partial<Record<string, unknown>>
    // Slack says nothing more about files of other companies until it is asked.
    const isCsv = access === 'check_file_info' || /\.(?:csv|tsv|txt)$/i.test(String(name))
    return isCsv && typeof id === 'string' ? [{ id, name: String(name) }] : []
  })[0]
}
