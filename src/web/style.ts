import { readFileSync } from 'node:fs'

/** Reads a stylesheet that is beside a module. */
export function readStyle(file: string, module: string): string {
  return readFileSync(new URL(file, module), 'utf8')
}
