import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Folder = { readonly path: string; remove(): void }

/** A folder that lives as long as its maker wants. */
export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'kennel-open-'))
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true })
    },
  }
}
