import {
  previewImageIssue,
  UPLOADED_IMAGE_MAX_BYTES,
  type ImageFile,
} from '../../contract/preview-image.ts'
import type { Pictures } from '../../picture/pictures.ts'
import type { Caller } from '../platform/caller.ts'
import { errorAt } from '../platform/field-errors.ts'
import type { FileLimits, SlackFiles, UploadedFile } from '../platform/slack-files.ts'

export interface PreviewImages {
  fetch(caller: Caller, image: UploadedFile): Promise<ImageFile>
}

const LIMITS: FileLimits = {
  noun: 'image',
  field: 'preview_image',
  maxBytes: UPLOADED_IMAGE_MAX_BYTES,
  tooLarge: 'This image is larger than 10 MB. Please choose a smaller one.',
}

export function createPreviewImages(
  files: SlackFiles,
  pictures: Pick<Pictures, 'fit'>,
): PreviewImages {
  return {
    async fetch(caller, image) {
      const { filename, bytes } = await files.download(caller, image, LIMITS)
      checkPreviewImage({ filename, bytes })
      const fitted = await pictures.fit({ filename, bytes })
      if (fitted) return fitted
      throw errorAt(
        'preview_image',
        'This image couldn’t be shrunk. Save it again as png or jpg, or try again in a minute.',
      )
    },
  }
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
