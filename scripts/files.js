import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the files below a folder that have this ending, as paths relative to the folder. Returns no paths if the
 * folder does not exist.
 */
export function filesBelow(folder, ending) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
