import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for the tests of one file, taken away after the last of them. Call it in a `describe`. */
export function temporaryFolder(): (...names: string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-sqlite-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}
