import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { STORED_DATA } from '../../../src/slack/pages/stored-data.ts'
import { describeOnDatabase } from '../../support/databases.ts'

/** Columns that name no person, and hold nothing that people typed: IDs of other rows, times, numbers and states. */
const OTHERS: Readonly<Record<string, string>> = {
  alerts: 'id workspace_id created_at check_at',
  api_keys:
    'id owner_id permissions scopes domain_ids created_at revoked_at expires_at last_used_at requests_per_minute counted_minute counted_requests',
  backups: 'id made_at failures',
  backfills: 'name position filled',
  click_totals: 'link_id people owner_id domain_id segment_id',
  clicks: 'link_id day',
  dashboard_passwords: 'id failures locked_until',
  dashboard_tokens: 'kind expires_at id created_at ended_at api_key_id role allowed_hosts',
  // Versions after 1.0.0 leave two of these empty.
  deliveries: 'id claimed_by alive_at sealed acknowledgement',
  destination_problems: 'link_id destination_hash status reason failures failed_at check_at',
  destination_walk: 'id held_by held_until at_link walked_at',
  domains: 'id owner_id created_at',
  home_tabs: 'workspace_id page drawing',
  idempotent_answers: 'api_key_id request_hash created_at',
  import_rows: 'import_id number workspace_id',
  imports: 'id workspace_id created_at state run_at',
  installations: 'workspace_id installed_at',
  link_approvals: 'id workspace_id created_at taken_until',
  link_counts: 'owner_id domain_id links',
  link_destinations: 'link_id revision ended_at made_by remove_at',
  link_history: 'id link_id at made_by',
  links:
    'id owner_id domain_id hostname destination_hash utm_analytics_enabled is_custom_preview preview_image_type qr_code_enabled qr_code_color created_at updated_at preview_image_width preview_image_height enabled revision expires_at deleted_at alias_of made_by',
  made_links: 'workspace_id made_at expires_at scheme superseded remind_at',
  owners: 'id kind created_at max_links',
  preview_images: 'link_id',
  public_hosts: 'host used_at',
  recent_utm: 'workspace_id used_at',
  referrers: 'link_id day',
  search_changes: 'number',
  search_index: 'owner',
  search_progress: 'number link_id',
  segment_clicks: 'segment_id day people',
  segments: 'id owner_id domain_id key',
  tag_sets: 'owner_id',
  workspace_connections: 'workspace_id connected_at key_notice_after',
  workspace_settings: 'workspace_id updated_at report_at',
}

/** How each database searches. */
const IN_ONE_DATABASE = /^search_|^links\.(?:search_text|sort_title)$/

/** SQLite keeps the contents of `search_index` in these tables. */
const PARTS_OF_INDEX = /^search_index_/

describeOnDatabase((opened) => {
  test('names each column as one that is about people, or as another', async () => {
    const tables = await opened.database.db.introspection.getTables()
    const found = tables
      .filter(({ name }) => !PARTS_OF_INDEX.test(name))
      .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    const isHere = (column: string) => found.includes(column) || !IN_ONE_DATABASE.test(column)
    const named = (columns: Readonly<Record<string, string>>) =>
      Object.entries(columns).flatMap(([table, names]) =>
        names.split(' ').map((name) => `${table}.${name}`),
      )
    const stored = Object.values(STORED_DATA).flatMap((rows) =>
      rows.flatMap(({ columns }) => named(columns)),
    )
    expect([...stored, ...named(OTHERS)].filter(isHere).toSorted()).toEqual(found.toSorted())
  })
})

/** docs/privacy.md. To write it again: `npm test -- test/slack/pages/stored-data.test.ts -u`. */
test('is the table in docs/privacy.md', async () => {
  const rows = Object.entries(STORED_DATA).flatMap(([by, kinds]) =>
    kinds.map(({ what, why, kept, seenBy, columns }) => {
      const tables = Object.keys(columns).map((table) => `\`${table}\``)
      const who = by === 'app' ? 'the app' : 'the link service'
      return [what, tables.join(', '), who, why, kept, seenBy].join(' | ')
    }),
  )
  const text = `# Privacy

A test writes this page from the table behind the app's own privacy page, \`/slack/privacy\`, and compares it with the columns of the database.
The app's page also says where data is sent, how it is encrypted, and how people get it or have it deleted.

What | Tables | Stored by | Why | How long | Who can see it
--- | --- | --- | --- | --- | ---
${rows.join('\n')}
`
  const file = new URL('../../../docs/privacy.md', import.meta.url)
  const style = await resolveConfig(file)
  const formatted = await format(text, { ...style, parser: 'markdown' })
  await expect(formatted).toMatchFileSnapshot(file.pathname)
})
