/* All writes (database/write.ts). The thread that writes to SQLite finds them here by their names. */

export { tryCreate } from './database/trial-create.ts'
export { addApiKeyOnce, addRequests, rotateApiKey } from './service/store/api-keys.ts'
export { fillNext } from './service/store/backfills.ts'
export { deleteLink, updateLink } from './service/store/change-link.ts'
export { addCounts } from './service/store/clicks.ts'
export { createLink, createLinkOnce } from './service/store/create-link.ts'
export {
  eraseNamesOfLinks,
  erasePersonFromSome,
  eraseSessionsAndSegments,
} from './service/store/erase-person.ts'
export { indexPending } from './service/store/link-indexer.ts'
export { removeClicks, removeSums } from './service/store/nightly-removal.ts'
export { addProvisioned } from './service/store/provision.ts'
export { purgeLinks } from './service/store/purge.ts'
export { renameTag } from './service/store/tags.ts'
export { createMemberLink } from './service/store/sessions.ts'
export { storePassword } from './service/store/sign-in.ts'
export { followLink } from './workspaces/created-links.ts'
export { deleteWorkspace, erasePerson } from './workspaces/forget.ts'
export { noteOutcomes } from './workspaces/import-rows.ts'
export { addImport, endImport } from './workspaces/imports.ts'
export { addApproval } from './workspaces/link-approvals.ts'
export { runStatement } from './workspaces/write-if-installed.ts'
