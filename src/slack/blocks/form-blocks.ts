/**
 * Between a block_id of a form and the field that it stands for. Slack keeps what somebody typed for
 * as long as a block_id stays, also over a value that we fill in: an input that we fill in anew needs
 * another one, which is the field's name and how often that has happened. Everything that reads a
 * form, or shows a fault in it, goes by the field.
 */

/** @param filled how often the form has been filled in by us */
export function blockOf(field: string, filled: number): string {
  return filled === 0 ? field : `${field}~${filled}`
}

export function fieldOf(blockId: string): string {
  return blockId.replace(/~\d+$/, '')
}
