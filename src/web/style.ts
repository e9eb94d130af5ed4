import { readFileSync } from 'node:fs'

export function readStyle(file: string, moduleUrl: string): string {
  return readFileSync(new URL(file, moduleUrl), 'utf8')
}
