import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const PROJECT = join(import.meta.dirname, '..')

/** Returns the content of a file. A relative path starts at the project. */
export const textOf = (file) => readFileSync(resolve(PROJECT, file), 'utf8')
export const jsonOf = (file) => JSON.parse(textOf(file))

/** Returns the relative paths of the files below a folder that have this ending; none if the folder does not exist. */
export function filesBelow(folder, ending) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** Writes atomically, and only if the text differs: tests may be reading the file. Returns whether it wrote the file. */
export function replaceFile(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
  return true
}
