import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The server's binary: `MONGOMS_SYSTEM_BINARY`, else a `mongod` on PATH; nothing is ever downloaded. */
export function mongodBinary(): string | undefined {
  const named = process.env['MONGOMS_SYSTEM_BINARY']
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = named ? [named] : folders.map((folder) => join(folder, 'mongod'))
  return candidates.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
