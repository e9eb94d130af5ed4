import { extname } from 'node:path'
import { LRUCache } from 'lru-cache'
import { newId } from './clock.ts'
import type { FileInfo, SlackJson } from '../protocol.ts'
import { TEAM } from './seeds.ts'

const MAX_FILES = 200
const MAX_TOTAL_BYTES = 100 * 1024 * 1024

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

const IMAGE_TYPES = ['png', 'jpg', 'jpeg', 'gif']

/** `bytes` and `complete` are our own. The other members are in Slack's JSON too. */
export interface StoredFile {
  id: string
  name: string
  title: string
  mimetype: string
  filetype: string
  size: number
  created: number
  user: string
  bytes?: Buffer
  complete: boolean
}

export type Files = ReturnType<typeof createFiles>

export function createFiles(now: () => number, baseUrl: () => string) {
  const files = new LRUCache<string, StoredFile>({
    max: MAX_FILES,
    maxSize: MAX_TOTAL_BYTES,
    sizeCalculation: ({ size }) => size,
  })

  function announce(name: string, size: number, user: string): StoredFile {
    const filetype = extname(name).slice(1).toLowerCase()
    const file: StoredFile = {
      id: newId('F'),
      name,
      title: name,
      mimetype: MEDIA_TYPES[filetype] ?? 'application/octet-stream',
      filetype,
      size,
      created: Math.floor(now() / 1000),
      user,
      complete: false,
    }
    files.set(file.id, file)
    return file
  }

  const info = ({ id, name, mimetype, size }: StoredFile): FileInfo => {
    const path = new URL(baseUrl()).pathname.replace(/\/$/, '')
    return { id, name, mimetype, size, url: `${path}/files/${id}` }
  }

  return {
    announce,
    upload(name: string, bytes: Buffer, user: string): StoredFile {
      const file = announce(name, bytes.length, user)
      return Object.assign(file, { bytes, complete: true })
    },
    get: (id: string) => files.get(id),
    // Returns Slack's error if a message can't show this file as a picture.
    check: ({ id }: SlackJson): string | undefined => {
      const file = files.get(String(id))
      const isShown = file?.complete && IMAGE_TYPES.includes(file.filetype)
      return isShown ? undefined : 'invalid slack file'
    },
    info,
    infos: (): Record<string, FileInfo> =>
      Object.fromEntries(
        [...files.values()].filter(({ complete }) => complete).map((file) => [file.id, info(file)]),
      ),
  }
}

export function filePayload(file: StoredFile, baseUrl: string): SlackJson {
  const { bytes: _, complete: __, ...about } = file
  const { id, name } = file
  const path = `${baseUrl}/files-pri/${TEAM.id}-${id}`
  return {
    ...about,
    user_team: TEAM.id,
    mode: 'hosted',
    is_external: false,
    url_private: `${path}/${encodeURIComponent(name)}`,
    url_private_download: `${path}/download/${encodeURIComponent(name)}`,
    permalink: `${baseUrl}/files/${id}`,
  }
}
