import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The build that generated files are made from: `dist`, or the folder that the command names. */
export const BUILD = resolve(
  process.argv.slice(2).find((one) => !one.startsWith('--')) ?? join(import.meta.dirname, '..', '..', 'dist'),
)

/** Imports a module of the build. */
export const built = (path) => import(pathToFileURL(join(BUILD, path)).href)
