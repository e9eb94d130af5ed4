/** The smallest pieces of Block Kit that Slack accepts, for tests to break. */

export const noFileError = (): undefined => undefined
export const text = (length: number): string => 'x'.repeat(length)
export const plain = (length = 5): object => ({ type: 'plain_text', text: text(length) })
export const mrkdwn = (length = 5): object => ({ type: 'mrkdwn', text: text(length) })
export const option = (value: string, length = 5): object => ({ text: plain(length), value })
export const options = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => option(`o${at}`))
export const section = (accessory?: object): object => ({
  type: 'section',
  text: mrkdwn(),
  ...(accessory && { accessory }),
})
export const actions = (...elements: object[]): object => ({ type: 'actions', elements })
export const button = (more: object = {}): object => ({ type: 'button', text: plain(), ...more })
export const input = (element: object, more: object = {}): object => ({
  type: 'input',
  label: plain(),
  element,
  ...more,
})
export const modal = (more: object = {}): object => ({
  type: 'modal',
  title: plain(),
  submit: plain(),
  blocks: [section()],
  ...more,
})
