import type { z } from 'zod'
import {
  createRequest,
  UTM_PARAMETERS,
  type CreateField,
  type CreateRequest,
} from '../contract/create-request.ts'
import { previewImageFault, type PreviewImageFault } from '../contract/preview-image.ts'
import { backHalfFault } from './store/back-half.ts'
import { parseDestination } from './store/destination.ts'
import type { FieldFaults } from './field-faults.ts'
import type { Form } from './api/form.ts'

/** Longest texts in characters. The interface leaves this open; so it is ours to say, not the contract's. */
export const MAX_LENGTH: Partial<Record<CreateField, number>> = {
  domain: 100,
  title: 200,
  ...Object.fromEntries(UTM_PARAMETERS.map((name) => [name, 255])),
  preview_title: 200,
  preview_description: 500,
}

/** The one text that may have several lines. */
const MULTILINE: CreateField = 'preview_description'

const IMAGE_FAULTS: Record<PreviewImageFault, string> = {
  extension: 'Use an image whose name ends in .jpeg, .jpg, .png or .svg.',
  size: 'Use an image of at most 512,000 bytes (500 KB).',
  content: 'This file is not the kind of image that its name says.',
}

/**
 * Holds a create form against the rules of spec §4.1, and our own, that need no database. What is
 * wrong is added to the form's faults.
 *
 * @returns the request, where the interface's rules are kept
 */
export function checkCreateForm({ values, faults }: Form): CreateRequest | undefined {
  const parsed = createRequest.safeParse(values)
  for (const issue of parsed.error?.issues ?? []) addIssue(faults, issue, values)
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') checkText(faults, name as CreateField, value)
  }
  const { destination_url: destination, back_half: backHalf, preview_image: image } = values
  if (typeof destination === 'string') {
    const url = parseDestination(destination)
    if (typeof url === 'string') faults.add('destination_url', url)
  }
  if (typeof backHalf === 'string') {
    const fault = backHalfFault(backHalf)
    if (fault) faults.add('back_half', fault)
  }
  if (typeof image === 'object') {
    const fault = previewImageFault(image)
    if (fault) faults.add('preview_image', IMAGE_FAULTS[fault])
  }
  return parsed.data
}

function checkText(faults: FieldFaults, name: CreateField, text: string): void {
  const max = MAX_LENGTH[name]
  if (max === undefined) return
  if (text.length > max) faults.add(name, `Use at most ${max} characters.`)
  const oneLine = name === MULTILINE ? text.replaceAll(/[\t\r\n]/g, '') : text
  if (/\p{Cc}/u.test(oneLine)) faults.add(name, 'Use no control characters or line breaks.')
}

function addIssue(faults: FieldFaults, issue: z.core.$ZodIssue, values: Form['values']): void {
  if (issue.code === 'unrecognized_keys') {
    for (const name of issue.keys) faults.add(name, 'There is no such field.')
    return
  }
  const name = String(issue.path[0] ?? '')
  // What was wrong with it already (too long, sent twice) says more than that it is missing now.
  if (!faults.has(name)) faults.add(name, messageOf(issue, name in values))
}

function messageOf(issue: z.core.$ZodIssue, isSent: boolean): string {
  if (issue.code === 'invalid_value') return `Use ${issue.values.map(String).join(' or ')}.`
  if (issue.code === 'custom') return 'Send this field as a file, with its name.'
  if (issue.code !== 'invalid_type') return issue.message
  return isSent ? 'Send this field as text.' : 'This field is required.'
}
