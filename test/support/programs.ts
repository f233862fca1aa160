import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program: the one that a variable names, else the first on PATH; nothing is ever downloaded. */
export function programPath(name: string, named: string | undefined): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = named ? [named] : folders.map((folder) => join(folder, name))
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
