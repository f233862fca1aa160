import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Failure, FailureScene, Ground } from './failure-campaign.js'
import { mountSmallDisk, type SmallDisk } from './small-disk.js'
import { sqliteGround } from './sqlite-ground.js'

/** An SQLite file on a disk that fails; without permission to mount, limits of the process replace the disk. */
export async function openDiskGround(): Promise<Ground> {
  const { path: folder, remove } = makeTemporaryFolder()
  const disk = mountSmallDisk(folder)
  const path = join(disk?.path ?? folder, 'app.db')
  await (await openSqlite(path)).close()
  return {
    ...sqliteGround(path),
    failures: { ...LIMITS, ...(disk && failuresOf(disk, path)), ...losses(path) },
    close: () => {
      disk?.unmount()
      remove()
      return Promise.resolve()
    },
  }
}

/** The service reports that it is not ready, and after `end` that it is ready again. */
async function until(scene: FailureScene, end: () => void): Promise<void> {
  try {
    await scene.site.becomesUnready()
  } finally {
    end()
  }
  await scene.site.becomesReady()
}

function failuresOf(disk: SmallDisk, path: string): Readonly<Record<string, Failure>> {
  const files = () => ['', '-wal'].map((suffix) => `${path}${suffix}`).filter((file) => existsSync(file))
  return {
    'a full disk': (scene) => {
      disk.fill()
      return until(scene, () => {
        disk.empty()
      })
    },
    'a read-only disk': (scene) => {
      const paths = [...files(), dirname(path)]
      disk.setReadOnly(paths, true)
      return until(scene, () => {
        disk.setReadOnly(paths, false)
      })
    },
  }
}

function losses(path: string): Readonly<Record<string, Failure>> {
  const away =
    (file: string): Failure =>
    (scene) => {
      renameSync(file, `${file}.away`)
      return until(scene, () => {
        renameSync(`${file}.away`, file)
      })
    }
  const deleted =
    (file: string): Failure =>
    (scene) => {
      linkSync(file, `${file}.kept`)
      rmSync(file)
      return until(scene, () => {
        renameSync(`${file}.kept`, file)
      })
    }
  return { 'a moved file': away(path), 'a deleted log': deleted(`${path}-wal`) }
}

/** Limits of a running process; the soft limit can be raised again. */
const LIMITS: Readonly<Record<string, Failure>> = {
  'a limit of the file size': async (scene) => {
    const [pid = 0] = scene.site.service().pids()
    limit(pid, 'fsize', '1024')
    await until(scene, () => {
      limit(pid, 'fsize', 'unlimited')
    })
  },
  'no free descriptor': async ({ site, random }) => {
    const [pid = 0] = site.service().pids()
    const used = readdirSync(`/proc/${String(pid)}/fd`).length
    limit(pid, 'nofile', String(used + random.below(3)))
    for (let attempt = 0; attempt < 20; attempt += 1) await site.knock()
    limit(pid, 'nofile', '1024')
    await site.becomesReady()
  },
}

function limit(pid: number, name: 'fsize' | 'nofile', to: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--${name}=${to}:`], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`prlimit: ${stderr}`)
}
