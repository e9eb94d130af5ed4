import type { FileInput, ModalView } from '@slack/types'
import { z } from 'zod'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { IMPORT_LIMITS, type Imports } from '../../workspaces/imports.ts'
import { context, present, section } from '../block-kit/elements.ts'
import { formModal, input, textInput } from '../block-kit/inputs.ts'
import { bold, cut, escape, readableUrl, warningText } from '../block-kit/mrkdwn.ts'
import { noticeModal, readOnlyModal } from '../block-kit/notices.ts'
import { VIEWS } from '../ids.ts'
import type { LinkPlatform, ShortenPlatform } from '../links/links.ts'
import { readTimeZone, type Caller } from '../platform/caller.ts'
import { errorAt, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { chosenFile, selectedOption, typedText } from '../platform/form-values.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import {
  MAY_NOT_READ_FILES,
  type DownloadFile,
  type FileLimits,
  type UploadedFile,
} from '../platform/slack-files.ts'
import { chosenTemplate, domainInput, templateInput } from '../shorten/menus.ts'
import type { StoredRow } from './import-messages.ts'
import { importChoices, planImport, type ImportPlan } from './read-import.ts'
import type { ImportRuns } from './run-imports.ts'

const importState = z.object({
  place: z.object({ channel: z.string(), threadTs: z.string() }).optional(),
  file: z.object({ id: z.string(), name: z.string() }).optional(),
  choices: importChoices.optional(),
})

type ImportState = z.infer<typeof importState>

const importMetadata = defineSealedMetadata('import', importState)

const FILE_HINT = `The first row must contain headings. At most ${formatNumber(IMPORT_LIMITS.rows)} rows and 1 MB. You’ll see a preview before any link is created.`

export async function buildImportForm(
  { keyring, linkService, settings }: LinkPlatform,
  { mayReadFiles, workspace }: Caller,
  state: ImportState,
): Promise<ModalView> {
  if (!mayReadFiles) return noticeModal('Import links', MAY_NOT_READ_FILES)
  const [{ domains }, { templates }, { fields }] = await Promise.all([
    linkService.connection(workspace),
    settings.read(workspace.id),
    linkService.capabilities(workspace),
  ])
  const tagsHint = { placeholder: 'spring, print', hint: 'Added to each link.' }
  return formModal({
    callbackId: VIEWS.importFile,
    metadata: importMetadata.seal(keyring, state, workspace.id),
    title: 'Import links',
    submit: 'Preview',
    blocks: [
      state.file
        ? section(
            `Each row of ${bold(state.file.name)} becomes a link. You’ll see a preview before any link is created.`,
          )
        : input<FileInput>(
            'csv_file',
            { type: 'file_input', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
            { optional: false, hint: FILE_HINT },
          ),
      ...domainInput(undefined, domains),
      ...templateInput(templates),
      ...(fields.includes('tags') ? [textInput('tags', undefined, tagsHint)] : []),
    ],
  })
}

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
      const { values } = view.state
      const choices = {
        domain: selectedOption(values, 'domain'),
        template: chosenTemplate(selectedOption(values, 'template'), templates)?.name,
        tags: typedText(values, 'tags') || undefined,
      }
      const state = { ...opened, choices, file: chosenFile(values, 'csv_file') ?? opened.file }
      return { state, ...(await readPlan(platform, caller, state)) }
    },
    waiting: 'Reading the file…',
    done: ({ state, plan, file }) =>
      previewModal(file.name, plan, importMetadata.seal(keyring, state, workspace.id)),
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
    // The form says so, because nothing in the channel shows yet that the import has started.
    done: () =>
      ':hourglass_flowing_sand: The import has started. A direct message, or a reply in the thread of the file, shows its progress.',
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

const SHOWN_ROWS = 5
const SHOWN_PROBLEMS = 20
const MAX_TEXT_LENGTH = 80
const MAX_HEADING_LENGTH = 50
const MAX_HEADINGS_LENGTH = 500
const MAX_PROBLEM_LENGTH = 300

function previewModal(fileName: string, plan: ImportPlan, metadata: string): ModalView {
  const { rows, usedColumns, ignoredHeadings } = plan
  const { importable = [], rejected = [] } = Object.groupBy(rows, ({ problem }) =>
    problem === undefined ? 'importable' : 'rejected',
  )
  const verdict =
    importable.length === 0
      ? '*No link can be created.*'
      : `*${formatCount(importable.length, 'link')} can be created.*`
  const short = (heading: string): string => cut(heading, MAX_HEADING_LENGTH)
  const columns = usedColumns.map(
    ([heading, label]) => `${escape(short(heading))} → ${escape(label)}`,
  )
  const ignored = escape(cut(ignoredHeadings.map(short).join(', '), MAX_HEADINGS_LENGTH))
  const shown = importable.slice(0, SHOWN_ROWS).map(rowText)
  const moreRows = importable.length - SHOWN_ROWS
  if (moreRows > 0) shown.push(`And ${moreRows} more.`)
  const moreProblems = rejected.length - SHOWN_PROBLEMS
  const blocks = present([
    section(`${bold(fileName)} has ${formatCount(rows.length, 'row')}. ${verdict}`),
    context(`Columns: ${columns.join(' · ')}`),
    ignored && context(`:warning: Not imported: ${ignored}`),
    shown.length > 0 && section(shown.join('\n')),
    rejected.length > 0 && section(`*${formatCount(rejected.length, 'row')} can’t be imported:*`),
    ...rejected
      .slice(0, SHOWN_PROBLEMS)
      .map(({ number, problem = '' }) =>
        section(warningText(`Row ${number}: ${cut(problem, MAX_PROBLEM_LENGTH)}`)),
      ),
    moreProblems > 0 && context(`And ${moreProblems} more. The result file lists them all.`),
  ])
  if (importable.length === 0) return readOnlyModal('Import links', blocks)
  return formModal({
    callbackId: VIEWS.importPreview,
    title: 'Import links',
    metadata,
    blocks,
    submit: `Create ${formatCount(importable.length, 'link')}`,
  })
}

function rowText({ number, draft }: ImportPlan['rows'][number]): string {
  const { destination_url: destination = '', back_half: backHalf, title } = draft
  const details = [backHalf, title]
    .filter((text) => text !== undefined)
    .map((text) => `  ·  ${escape(cut(text, MAX_TEXT_LENGTH))}`)
  return `Row ${number}: ${escape(readableUrl(destination, MAX_TEXT_LENGTH))}${details.join('')}`
}
