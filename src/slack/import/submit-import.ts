import { IMPORT_LIMITS, type Imports } from '../../workspaces/imports.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { readTimeZone, type Caller } from '../platform/caller.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import type { DownloadFile, FileLimits, UploadedFile } from '../platform/slack-files.ts'
import { importMetadata, type ImportState, previewModal, readImportModal } from './import-form.ts'
import type { StoredRow } from './import-messages.ts'
import { type ImportPlan, planImport } from './read-import.ts'
import type { ImportRuns } from './run-imports.ts'

interface ImportPlatform extends ShortenPlatform {
  imports: Imports
  downloadFile: DownloadFile
  runs: ImportRuns
}

const LIMITS: FileLimits = {
  noun: 'file',
  field: 'csv_file',
  maxBytes: IMPORT_LIMITS.bytes,
  tooLarge: 'A file can have at most 1 MB. Split this file.',
}

export async function submitImportForm(platform: ImportPlatform, submission: FormSubmission) {
  const { keyring, settings } = platform
  const { caller, view } = submission
  const { workspace } = caller
  await answerForm(platform, submission, {
    work: async () => {
      const opened = importMetadata.open(keyring, view.private_metadata, workspace.id)
      const { templates } = await settings.read(workspace.id)
      const { file = opened.file, choices } = readImportModal(view.state.values, templates)
      const state = { ...opened, file, choices }
      return { state, ...(await readPlan(platform, caller, state)) }
    },
    waiting: 'Reading the file…',
    done: ({ state, plan, file }) =>
      previewModal(file.name, plan, importMetadata.seal(keyring, state, workspace.id)),
    closesWhenDone: false,
  })
}

export async function submitImportPreview(platform: ImportPlatform, submission: FormSubmission) {
  const { imports, keyring, runs } = platform
  const { caller, userId, view } = submission
  const { id: workspaceId } = caller.workspace
  await answerForm(platform, submission, {
    work: async () => {
      const state = importMetadata.open(keyring, view.private_metadata, workspaceId)
      const { plan, file } = await readPlan(platform, caller, state)
      const rows = plan.rows.map(({ number, cells, draft, problem: reason }, index) => {
        const row: StoredRow = { ...draft, cells, ...(index === 0 && { headings: plan.headings }) }
        const outcome = reason === undefined ? undefined : { reason }
        return { number, draft: JSON.stringify(row), outcome }
      })
      const message = state.place ?? { channel: userId }
      // The import has the view's ID, so a second click on the button starts no other import.
      const { id } = view
      const added = { id, workspaceId, createdBy: userId, fileName: file.name, message }
      if ((await imports.add(added, rows)) === 'full') {
        throw new SlackInputError(
          `Each person can run one import at a time, and each workspace ${IMPORT_LIMITS.perWorkspace}. Try again when another one has finished.`,
        )
      }
      runs.start(id)
    },
    waiting: 'Starting…',
    done: () =>
      ':hourglass_flowing_sand: The import has started. A direct message, or a reply in the thread of the file, shows its progress.',
    // The form stays open, because nothing in the channel shows yet that the import has started.
    closesWhenDone: false,
  })
}

async function readPlan(
  { clock, downloadFile, linkService, permissions, settings }: ImportPlatform,
  caller: Caller,
  { file, choices = {} }: ImportState,
): Promise<{ plan: ImportPlan; file: UploadedFile }> {
  const { workspace, userId = '' } = caller
  await permissions.checkMayShorten(caller)
  if (!file) throw errorAt('csv_file', 'Choose a file.')
  const [{ domains }, current, capabilities, timeZone, { bytes }] = await Promise.all([
    linkService.connection(workspace),
    settings.read(workspace.id),
    linkService.requireCapabilities(workspace, 'can create these links'),
    readTimeZone(caller, userId),
    downloadFile(caller, file, LIMITS),
  ])
  const context = { settings: current, domains, capabilities, timeZone, now: clock.now() }
  return { plan: await planImport(bytes, choices, context), file }
}
