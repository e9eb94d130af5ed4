import { sql, type ColumnDataType, type Kysely } from 'kysely'

/** The link service's tables (src/database/schema.ts describes the columns). */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  await db.schema
    .createTable('owners')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('external_id', 'text', (column) => column.unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('domains')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('domain_name', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text', (column) => column.references('owners.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('domains_domain_name').on('domains').column('domain_name').execute()
  // The built-in record. All owners share it, and its hostname is that of SERVICE_PUBLIC_URL.
  await sql`insert into domains (id, domain_name, created_at) values ('default', '', 0)`.execute(db)

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('owners.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('permissions', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('domain_ids', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()

  await db.schema
    .createTable('links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('owners.id'))
    .addColumn('domain_id', 'text', (column) => column.notNull().references('domains.id'))
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('back_half', 'text', (column) => column.notNull())
    .addColumn('destination_url', 'text', (column) => column.notNull())
    .addColumn('destination_hash', 'text', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('utm_analytics_enabled', 'integer', (column) => column.notNull())
    .addColumn('utm_source', 'text')
    .addColumn('utm_medium', 'text')
    .addColumn('utm_campaign', 'text')
    .addColumn('utm_term', 'text')
    .addColumn('utm_content', 'text')
    .addColumn('utm_id', 'text')
    .addColumn('is_custom_preview', 'integer', (column) => column.notNull())
    .addColumn('preview_title', 'text')
    .addColumn('preview_description', 'text')
    .addColumn('preview_image_type', 'text')
    .addColumn('qr_code_enabled', 'integer', (column) => column.notNull())
    .addColumn('qr_code_color', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    // These two constraints decide the conflicts of spec §4.1, also between simultaneous creates.
    .addUniqueConstraint('links_short_url', ['hostname', 'back_half'])
    .addUniqueConstraint('links_destination', ['owner_id', 'domain_id', 'destination_hash'])
    .execute()
  for (const time of ['created_at', 'updated_at']) {
    await db.schema
      .createIndex(`links_owner_${time}`)
      .on('links')
      .columns(['owner_id', time, 'id'])
      .execute()
  }

  await db.schema
    .createTable('preview_images')
    .addColumn('link_id', 'text', (column) => column.primaryKey().references('links.id'))
    .addColumn('bytes', bytes, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('idempotent_answers')
    .addColumn('api_key_id', 'text', (column) => column.notNull().references('api_keys.id'))
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotent_answers_key', ['api_key_id', 'idempotency_key'])
    .execute()
  await db.schema
    .createIndex('idempotent_answers_created_at')
    .on('idempotent_answers')
    .column('created_at')
    .execute()
}
