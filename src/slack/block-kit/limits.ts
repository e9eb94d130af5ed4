/**
 * Slack's limits, in characters unless stated otherwise. Source: Slack's Block Kit reference. If two
 * pages disagree, this is the stricter figure.
 */
export const LIMITS = {
  sectionText: 3000,
  buttonText: 75,
  buttonValue: 2000,
  metadata: 3000,
  optionText: 75,
  optionValue: 75,
  selectOptions: 100,
  headerText: 150,
  contextText: 2000,
  altText: 2000,
  imageUrl: 3000,
  inputLabel: 2000,
  inputHint: 2000,
  inputText: 3000,
  placeholder: 150,
  viewTitle: 24,
  blockId: 255,
} as const
