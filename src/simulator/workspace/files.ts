import { extname } from 'node:path'
import { newId } from './clock.ts'
import type { FileInfo } from '../protocol.ts'
import { slackFileId } from '../../playground/shared/slack-file.ts'

/** Newest files that are kept, as long as they are within so many bytes together. */
const KEPT = 200
const KEPT_BYTES = 100 * 1024 * 1024

/** Media types by extension: of what people try, and octet-stream for the rest. */
const MEDIA_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
}

/** What a `slack_file` may show. */
const SHOWABLE = ['png', 'jpg', 'jpeg', 'gif']

/** A file, or one that is still on its way. */
export interface StoredFile {
  id: string
  name: string
  title: string
  mimetype: string
  /** Its extension, as Slack calls the kind. */
  filetype: string
  /** Bytes, as announced by whoever uploads. */
  size: number
  /** The user who uploaded it: a person, or the app's bot user. */
  userId: string
  /** Milliseconds since 1970. */
  created: number
  bytes?: Buffer
  /** Whether the upload has been completed, so that the file exists for everybody. */
  complete: boolean
  /** Milliseconds since 1970, when Slack has processed it. */
  readyAt: number
  /** How often a message with it is still refused, whatever the time. */
  refusalsLeft: number
}

/** How long Slack takes to process an upload before it can be shown as a `slack_file`. */
export interface Processing {
  /** So many messages with it are refused. */
  refusals?: number
  /** Milliseconds after completion. */
  ms?: number
}

export interface Files {
  announce(name: string, size: number, userId: string): StoredFile
  complete(file: StoredFile, title?: string): void
  /** A file of a person's, at once complete. */
  upload(name: string, bytes: Buffer, userId: string): StoredFile
  get(id: string): StoredFile | undefined
  remove(id: string): void
  /** Why a picture can't be shown now, or nothing. Counts as one try. */
  fault(file: { id?: unknown; url?: unknown }): string | undefined
  infos(): Record<string, FileInfo>
}

export function createFiles({
  now,
  changed,
  processing,
  publicPath,
}: {
  now: () => number
  changed: () => void
  processing: Processing
  /** Where the page finds a file's bytes. */
  publicPath: (id: string) => string
}): Files {
  const files = new Map<string, StoredFile>()

  function announce(name: string, size: number, userId: string): StoredFile {
    const filetype = extname(name).slice(1).toLowerCase()
    const file: StoredFile = {
      id: newId('F'),
      name,
      title: name,
      mimetype: MEDIA_TYPES[filetype] ?? 'application/octet-stream',
      filetype,
      size,
      userId,
      created: now(),
      complete: false,
      readyAt: Infinity,
      refusalsLeft: processing.refusals ?? 0,
    }
    files.set(file.id, file)
    forgetOldest()
    return file
  }

  function forgetOldest(): void {
    let bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [id, { size }] of files) {
      if (files.size <= KEPT && bytes <= KEPT_BYTES) return
      files.delete(id)
      bytes -= size
    }
  }

  function complete(file: StoredFile, title = file.name): void {
    Object.assign(file, { complete: true, title, readyAt: now() + (processing.ms ?? 0) })
    changed()
  }

  return {
    announce,
    complete,
    upload(name, bytes, userId) {
      const file = announce(name, bytes.length, userId)
      file.bytes = bytes
      complete(file)
      return file
    },
    get: (id) => files.get(id),
    remove(id) {
      files.delete(id)
      changed()
    },
    fault(picture) {
      const named = slackFileId(picture)
      const file = named === undefined ? undefined : files.get(named)
      if (!file?.complete || !SHOWABLE.includes(file.filetype)) return 'invalid slack file'
      if (file.refusalsLeft > 0) {
        file.refusalsLeft -= 1
        return 'invalid slack file'
      }
      return now() < file.readyAt ? 'invalid slack file' : undefined
    },
    infos: () =>
      Object.fromEntries(
        [...files.values()]
          .filter((file) => file.complete)
          .map(({ id, name, mimetype, size }) => [
            id,
            { id, name, mimetype, size, url: publicPath(id) },
          ]),
      ),
  }
}
