import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryFolder = { readonly path: string; readonly remove: () => Promise<void> }

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'kennel-faults-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
