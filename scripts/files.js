import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Paths, relative to `folder`, of the files below it whose name ends in `ending`; none if the folder does not exist.
 */
export function filesBelow(folder, ending) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
