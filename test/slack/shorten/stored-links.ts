import { openExistingDatabase } from '../../../src/database/existing-database.ts'
import type { TestApp } from '../../support/app.ts'

/** The links with this destination in the database of the app's link service. */
export async function linksTo({ databaseUrl }: TestApp, destination: string) {
  // Without the threads of openDatabase.
  const db = openExistingDatabase(databaseUrl)
  if (!db) throw new Error('there is no database')
  const links = db.selectFrom('links').selectAll().where('destination_url', '=', destination)
  return links.execute().finally(() => db.destroy())
}
