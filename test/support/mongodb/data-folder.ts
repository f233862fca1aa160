import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from '../memory-folder.js'

/** A folder for the data of a server that is not killed. The server removes it when it stops. */
export function dataFolder(): string {
  return mkdtempSync(join(memoryFolder() ?? tmpdir(), 'kennel-mongo-'))
}
