import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startServer, type Place, type ServerProcess } from './processes.js'
import type { Workplace } from './workplace.js'

/** The command, however deep below it the compiled files of this folder stand. */
export const APP = join(folderOfPackage(import.meta.dirname), 'bin', 'app.js')

/** Starts the real service on the store of a workplace. */
export function startService(place: Workplace, on: Place = 'server'): Promise<ServerProcess> {
  return startServer({ args: [APP, 'serve'], place: on, env: place.env })
}

function folderOfPackage(start: string): string {
  return existsSync(join(start, 'package.json')) ? start : folderOfPackage(dirname(start))
}
