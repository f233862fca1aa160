import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Failure, Ground } from './failure-campaign.js'
import { sqliteGround } from './sqlite-ground.js'

const DISK_BYTES = 32 * 1024 * 1024

/** Opens a SQLite file on a disk that can fail. If this process has no permission to mount a disk, only process limits cause failures. */
export async function openDiskGround(): Promise<Ground> {
  const { path: folder, remove } = makeTemporaryFolder()
  const disk = mountSmallDisk(folder)
  const path = join(disk ?? folder, 'app.db')
  await (await openSqlite(path)).close()
  return {
    ...sqliteGround(path),
    failures: { ...LIMITS, ...(disk !== undefined && failuresOf(disk, path)), ...losses(path) },
    close: () => {
      if (disk !== undefined) run('umount', '-l', disk)
      remove()
      return Promise.resolve()
    },
  }
}

function mountSmallDisk(folder: string): string | undefined {
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')]
  mkdirSync(path)
  writeFileSync(image, '')
  truncateSync(image, DISK_BYTES)
  const isMade = run('mkfs.ext4', '-q', '-m', '0', '-O', '^has_journal', image)
  return isMade && run('mount', '-t', 'ext4', '-o', 'loop', image, path) ? path : undefined
}

function run(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** The service must report that it is not ready, and afterwards that it is ready again. */
function failing(begin: () => unknown, end: () => unknown): Failure {
  return async ({ site }) => {
    begin()
    await site.becomesUnready().finally(end)
    await site.becomesReady()
  }
}

/** Makes files immutable, because a mount with open files cannot become read-only. On ext4, the attribute also affects open files. */
function failuresOf(disk: string, path: string): Readonly<Record<string, Failure>> {
  const [filler, files] = [join(disk, 'filler'), [disk, path, `${path}-wal`]]
  return {
    'a full disk': failing(
      () => run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=64k'),
      () => run('rm', filler),
    ),
    'a read-only disk': failing(
      () => run('chattr', '+i', ...files),
      () => run('chattr', '-i', ...files),
    ),
  }
}

function losses(path: string): Readonly<Record<string, Failure>> {
  const moving = (file: string) =>
    failing(
      () => run('mv', file, `${file}.away`),
      () => run('mv', '-f', `${file}.away`, file),
    )
  return { 'a moved file': moving(path), 'a moved log': moving(`${path}-wal`) }
}

/** Limits of a running process; the soft limit can be raised again. */
const LIMITS: Readonly<Record<string, Failure>> = {
  'a limit of the file size': async (scene) => {
    const [pid = 0] = scene.site.service().pids()
    await failing(
      () => limit(pid, 'fsize', '1024'),
      () => limit(pid, 'fsize', 'unlimited'),
    )(scene)
  },
  'no free descriptor': async ({ site, random }) => {
    const [pid = 0] = site.service().pids()
    limit(pid, 'nofile', String(readdirSync(`/proc/${String(pid)}/fd`).length + random.below(3)))
    for (let attempt = 0; attempt < 20; attempt += 1) await site.knock()
    limit(pid, 'nofile', '1024')
    await site.becomesReady()
  },
}

function limit(pid: number, name: 'fsize' | 'nofile', to: string): true {
  if (run('prlimit', '--pid', String(pid), `--${name}=${to}:`)) return true
  throw new Error(`prlimit refuses ${name}`)
}
