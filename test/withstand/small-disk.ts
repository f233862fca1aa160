import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small file system, which can be filled and made read-only. */
export type SmallDisk = {
  readonly path: string
  fill(): void
  empty(): void
  /** Open files refuse writes too. */
  setReadOnly(paths: readonly string[], on: boolean): void
  unmount(): void
}

const BYTES = 32 * 1024 * 1024

/**
 * `undefined` if this user may not mount. A mount with open files cannot become read-only, so the files become
 * immutable, which ext4 also applies to open files.
 */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')]
  mkdirSync(path)
  closeSync(openSync(image, 'w'))
  truncateSync(image, BYTES)
  const isMounted =
    run('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image]) &&
    run('mount', ['-t', 'ext4', '-o', 'loop', image, path])
  if (!isMounted) return undefined
  const filler = join(path, 'filler')
  return {
    path,
    fill: () => {
      writeUntilFull(filler)
    },
    empty: () => {
      rmSync(filler, { force: true })
    },
    setReadOnly: (paths, on) => {
      if (!run('chattr', [on ? '+i' : '-i', ...paths])) throw new Error(`chattr failed on ${paths.join()}`)
    },
    unmount: () => {
      run('umount', ['-l', path])
    },
  }
}

function writeUntilFull(path: string): void {
  const descriptor = openSync(path, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    while (writeSync(descriptor, block) === block.length);
  } catch {
    // The disk is full, as intended.
  } finally {
    closeSync(descriptor)
  }
}

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
