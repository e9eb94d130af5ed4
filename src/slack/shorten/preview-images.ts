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

export async function fetchPreviewImage(
  download: DownloadFile,
  pictures: Pick<Pictures, 'fit'>,
  caller: Caller,
  uploaded: UploadedFile,
): Promise<ImageFile> {
  const image = await download(caller, uploaded, LIMITS)
  checkPreviewImage(image)
  const fitted = await pictures.fit(image)
  if (fitted) return fitted
  throw errorAt(
    'preview_image',
    'This image couldn’t be shrunk. Save it again as png or jpg, or try again in a minute.',
  )
}

function checkPreviewImage(image: ImageFile): void {
  switch (previewImageIssue(image, UPLOADED_IMAGE_MAX_BYTES)) {
    case 'size':
      throw errorAt('preview_image', LIMITS.tooLarge)
    case 'extension':
      throw errorAt(
        'preview_image',
        'A preview image is a png, jpg, jpeg or svg file. Please choose another.',
      )
    case 'content':
      throw errorAt(
        'preview_image',
        `“${image.filename}” isn’t the kind of file that its name says it is. Save it again as png, jpg or svg.`,
      )
    case undefined:
  }
}
