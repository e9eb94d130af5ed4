import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

/** What a user's Home tab is to show. */
export interface RequestedDrawing {
  /** A number that grows with each requested drawing. */
  drawing: number
  /** The page of the list, as the app encodes it. */
  page: string
}

/** The Home tabs that users have opened, for all processes of the app. */
export interface HomeTabs {
  /** Requests a drawing of a page. */
  request(workspaceId: string, userId: string, page: string): Promise<void>
  /** Requests another drawing of the same page. Returns false if the user never opened the tab. */
  requestAgain(workspaceId: string, userId: string): Promise<boolean>
  /** The latest drawing that any process requested; undefined if the user never opened the tab. */
  latest(workspaceId: string, userId: string): Promise<RequestedDrawing | undefined>
}

export function createHomeTabs(options: StoreOptions): HomeTabs {
  const { database } = options

  async function latest(
    workspaceId: string,
    userId: string,
  ): Promise<RequestedDrawing | undefined> {
    return database.db
      .selectFrom('home_tabs')
      .select(['drawing', 'page'])
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
  }

  return {
    async request(workspaceId, userId, page) {
      await writeIfInstalled(options, workspaceId, (writer) =>
        writer
          .insertInto('home_tabs')
          .values({ workspace_id: workspaceId, user_id: userId, page, drawing: 1 })
          .onConflict((conflict) =>
            conflict
              .columns(['workspace_id', 'user_id'])
              .doUpdateSet((is) => ({ page, drawing: is('home_tabs.drawing', '+', 1) })),
          )
          .execute(),
      )
    },

    async requestAgain(workspaceId, userId) {
      // Most users never opened the tab. Then nothing waits for its turn to write.
      if (!(await latest(workspaceId, userId))) return false
      const { numUpdatedRows } = await database.write((transaction) =>
        transaction
          .updateTable('home_tabs')
          .set((is) => ({ drawing: is('drawing', '+', 1) }))
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', userId)
          .executeTakeFirst(),
      )
      return numUpdatedRows > 0n
    },

    latest,
  }
}
