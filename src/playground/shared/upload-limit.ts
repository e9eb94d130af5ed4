/** The largest file that a person may upload, in bytes: Slack takes no larger one in a form. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024
