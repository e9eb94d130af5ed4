import {
  previewImageIssue,
  UPLOADED_IMAGE_MAX_BYTES,
  type ImageFile,
} from '../../contract/preview-image.ts'
import type { Pictures } from '../../picture/pictures.ts'
import type { Caller } from '../platform/caller.ts'
import { errorAt } from '../platform/field-errors.ts'
import type { DownloadFile, FileLimits, UploadedFile } from '../platform/slack-files.ts'

const LIMITS: FileLimits = {
  noun: 'image',
  field: 'preview_image',
  maxBytes: UPLOADED_IMAGE_MAX_BYTES,
  tooLarge: 'This image is larger than 10 MB. Please choose a smaller one.',
}

const ISSUES = {
  size: () => LIMITS.tooLarge,
  extension: () => 'A preview image is a png, jpg, jpeg or svg file. Please choose another.',
  content: (filename: string) =>
    `“${filename}” isn’t the kind of file that its name says it is. Save it again as png, jpg or svg.`,
}

export async function fetchPreviewImage(
  download: DownloadFile,
  pictures: Pick<Pictures, 'fit'>,
  caller: Caller,
  uploaded: UploadedFile,
): Promise<ImageFile> {
  const image = await download(caller, uploaded, LIMITS)
  const issue = previewImageIssue(image, UPLOADED_IMAGE_MAX_BYTES)
  if (issue) throw errorAt('preview_image', ISSUES[issue](image.filename))
  const fitted = await pictures.fit(image)
  if (fitted) return fitted
  throw errorAt(
    'preview_image',
    'This image couldn’t be shrunk. Save it again as png or jpg, or try again in a minute.',
  )
}
