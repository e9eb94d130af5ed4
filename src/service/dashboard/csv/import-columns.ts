import type { FastifyReply } from 'fastify'
import { FIELD_SPECS } from '../../../contract/link-fields.ts'
import { ignoredHeadings, matchColumns, type CsvFile } from '../../../csv/csv.ts'
import { formatCount } from '../../../web/numbers.ts'
import { html } from '../../../web/pages.ts'
import type { LinkContext } from '../../store/context.ts'
import { BUILT_IN_DOMAIN } from '../../store/domains.ts'
import type { Viewer } from '../access.ts'
import { type FilledForm, formInputs, LARGE_TEXT, PostForm } from '../form.ts'
import { listMenus } from '../menus.ts'
import { sendForm } from '../page.ts'
import { IMPORTED_COLUMNS, LINK_COLUMNS } from './export.ts'

export const COLUMNS_PATH = '/dashboard/import/columns'

const columnInput = (index: number): string => `column-${index}`

/** With `deleted_at`, because an import rejects rows of deleted links. */
const COLUMNS = [...IMPORTED_COLUMNS, 'deleted_at'] as const

export interface ImportChoices {
  /** What each column is imported as, in the order of the file. A column is ignored if it is undefined. */
  columns: readonly ((typeof COLUMNS)[number] | undefined)[]
  /** If empty, each row names its owner in the column `owner_id`. */
  ownerId: string
  domainId: string
}

const OTHER_LABELS = { enabled: 'Turned on', owner_id: 'Workspace', deleted_at: 'Deleted' }

const COLUMN_OPTIONS = [
  ['', 'Don’t import'],
  ...LINK_COLUMNS.map((name) => [name, `${FIELD_SPECS[name].label} (${name})`] as const),
  ...Object.entries(OTHER_LABELS).map(([name, label]) => [name, `${label} (${name})`] as const),
] as const

const EXAMPLES = { values: 3, rows: 50, length: 40 }

const OWNERS_OF_FILE = 'from-file'

const OWNER_OPTIONS = [
  ['', 'Choose…'],
  [OWNERS_OF_FILE, 'From the column imported as Workspace'],
] as const

export async function sendColumns(
  context: LinkContext,
  reply: FastifyReply,
  { file, packed }: { file: CsvFile; packed: string },
  form: FilledForm,
): Promise<FastifyReply> {
  const isMember = reply.request.viewer.kind === 'member'
  const { owners, domains, complete } = await listMenus(context, reply.request.viewer)
  const isKnownDomain = (cell: string) => !complete || domains.some(([id]) => id === cell)
  const { headings, rows } = file
  const guessed = matchColumns(file, COLUMNS, isKnownDomain)
  const ownersOfFile = guessed.includes('owner_id') ? OWNERS_OF_FILE : undefined
  const { menu } = formInputs(form, {
    domain: BUILT_IN_DOMAIN,
    owner: owners.length === 1 ? owners[0]?.[0] : ownersOfFile,
    ...Object.fromEntries(guessed.map((name, index) => [columnInput(index), name])),
  })
  const ignored = ignoredHeadings(headings, guessed)
  const content = [
    html`<p class="lead">
      The file has ${formatCount(rows.length, 'row')}. Choose what each column is imported as.
    </p>`,
    ignored.length > 0 &&
      html`<p>
        <b>Not imported, unless you choose a field:</b>${' '} ${columnNames(ignored)}. A column is
        imported only if you choose a field for it.
      </p>`,
    html`<${PostForm} action=${COLUMNS_PATH} upload class="stack" hidden=${{ [LARGE_TEXT]: packed }}>
      ${headings.map((heading, index) => {
        const label = heading === '' ? `Column ${index + 1}` : heading
        return menu(columnInput(index), label, COLUMN_OPTIONS, { hint: firstValues(file, index) })
      })}
      ${
        !isMember &&
        menu('owner', 'Workspace of the links', [...OWNER_OPTIONS, ...owners], { required: true })
      }
      ${menu('domain', 'Domain, if a row has none', domains)}
      <div class="actions"><button>Import</button> <a href="/dashboard/import">Cancel</a></div>
    </${PostForm}>`,
  ]
  return sendForm(reply, { title: 'Import: columns', content }, form)
}

function firstValues({ rows }: CsvFile, index: number): string {
  const filled = rows.slice(0, EXAMPLES.rows).flatMap(({ cells }) => cells[index] || [])
  const shown = filled
    .slice(0, EXAMPLES.values)
    .map((text) => (text.length > EXAMPLES.length ? `${text.slice(0, EXAMPLES.length)}…` : text))
  return shown.length > 0 ? `For example: ${shown.join(' · ')}` : 'The first rows are empty here.'
}

export const columnNames = (names: readonly string[]) =>
  names.map((name, index) => [index > 0 && ', ', html`<code>${name}</code>`])

export function readColumns(
  { headings }: CsvFile,
  { values, errors }: FilledForm,
  viewer: Viewer,
): ImportChoices {
  const { owner = '', domain: domainId = '' } = values
  const columns = headings.map((_, index) =>
    COLUMNS.find((name) => name === values[columnInput(index)]),
  )
  for (const [index, name] of columns.entries()) {
    if (name === undefined || columns.indexOf(name) === index) continue
    errors[columnInput(index)] =
      `Another column is already imported as ${name}. Choose it for only one column.`
  }
  if (!columns.includes('destination_url')) {
    errors[columnInput(0)] =
      'Choose “Destination (destination_url)” for the column that has the destinations.'
  }
  if (viewer.kind === 'administrator' && owner === '') errors['owner'] = 'Choose a workspace.'
  else if (owner === OWNERS_OF_FILE && !columns.includes('owner_id')) {
    errors['owner'] = 'No column is imported as the workspace. Choose a workspace.'
  }
  return { columns, ownerId: owner === OWNERS_OF_FILE ? '' : owner, domainId }
}
