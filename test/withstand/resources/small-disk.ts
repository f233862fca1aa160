import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** A small file system of its own, which can be filled. */
export type SmallDisk = {
  readonly path: string
  /** Whether `makeReadOnly` works there. */
  readonly canBeReadOnly: boolean
  /** Takes all of its space but so many bytes. */
  fill(left: number): void
  empty(): void
  /** Files that are open refuse writes too, and a folder new names; gives what makes them writable again. */
  makeReadOnly(paths: readonly string[]): () => void
  unmount(): void
}

const BYTES = 16 * 1024 * 1024
/** Of what this process mounts; the rest of the name tells a later one whether this one is alive. */
const NAME = 'small-disk-'

/** `undefined` where this user may mount none. Takes away what a run that was killed has left mounted. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  unmountLeftovers()
  const path = join(folder, `${NAME}${String(process.pid)}`)
  mkdirSync(path)
  const canBeReadOnly = mountImage(join(folder, 'small-disk.image'), path)
  if (!canBeReadOnly && !run('mount', ['-t', 'tmpfs', '-o', `size=${String(BYTES)}`, 'none', path]))
    return undefined
  const filler = join(path, 'filler')
  return {
    path,
    canBeReadOnly,
    fill: (left) => {
      writeUntilFull(filler)
      truncateSync(filler, Math.max(0, statSync(filler).size - left))
    },
    empty: () => {
      rmSync(filler, { force: true })
    },
    makeReadOnly: (paths) => {
      setImmutable('+i', paths)
      return () => {
        setImmutable('-i', paths)
      }
    },
    unmount: () => {
      run('umount', ['-l', path])
    },
  }
}

/**
 * No mount becomes read-only while a file on it is open for writing. Where ext4 holds a file to be immutable, it refuses
 * what comes through descriptors that are open too, as a file system does that an error has made read-only; tmpfs does not.
 */
function mountImage(image: string, path: string): boolean {
  closeSync(openSync(image, 'w'))
  truncateSync(image, BYTES)
  return (
    run('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image]) &&
    run('mount', ['-t', 'ext4', '-o', 'loop', image, path])
  )
}

/** A process that was killed unmounts nothing. */
function unmountLeftovers(): void {
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const path = line.split(' ')[1] ?? ''
    const pid = new RegExp(`/${NAME}(\\d+)$`).exec(path)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    run('umount', ['-l', path])
    rmSync(dirname(path), { recursive: true, force: true })
  }
}

function setImmutable(change: '+i' | '-i', paths: readonly string[]): void {
  const { status, stderr } = spawnSync('chattr', [change, ...paths], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`chattr ${change} ${paths.join(' ')}: ${stderr}`)
}

function writeUntilFull(path: string): void {
  const descriptor = openSync(path, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    while (writeSync(descriptor, block) === block.length);
  } catch {
    // It is full, which is what was wanted.
  } finally {
    closeSync(descriptor)
  }
}

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
