import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runFolder } from '../support/run-folder.js'

/**
 * Creates a folder with this name for the whole run: the first test file that needs it creates it, in any process, and
 * the others wait for it. Rejects in all of them if its creation failed.
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(runFolder(), name)
  const outcome = `${folder}.outcome`
  if (isFirst(folder)) {
    const failure = await make(folder).then(() => '', String)
    // Renamed, because a reader must not find it half written.
    writeFileSync(`${outcome}.new`, failure)
    renameSync(`${outcome}.new`, outcome)
  }
  while (!existsSync(outcome)) await pause(20)
  const failure = readFileSync(outcome, 'utf8')
  if (failure !== '') throw new Error(`${name}: ${failure}`)
  return folder
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
