import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for each test of the surrounding `describe`, removed afterwards. */
export function temporaryFolder(): () => string {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kennel-test-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return () => folder
}
