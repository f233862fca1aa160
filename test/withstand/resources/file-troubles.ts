import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Trouble } from './scene.js'

/** The file, or one that SQLite has beside it, is not where it was. */
function moved(name: string, suffix: string): Trouble {
  return gone(name, (database) => {
    renameSync(`${database}${suffix}`, `${database}${suffix}.away`)
    return () => {
      renameSync(`${database}${suffix}.away`, `${database}${suffix}`)
    }
  })
}

/** It is deleted, and comes back as it was: a second name has kept it. */
function deleted(name: string, suffix: string): Trouble {
  return gone(name, (database) => {
    linkSync(`${database}${suffix}`, `${database}${suffix}.kept`)
    rmSync(`${database}${suffix}`)
    return () => {
      renameSync(`${database}${suffix}.kept`, `${database}${suffix}`)
    }
  })
}

/** Another file is in its place, one that was restored from a backup, say. */
const replaced = gone('file replaced', (database) => {
  renameSync(database, `${database}.away`)
  copyFileSync(`${database}.away`, database)
  return () => {
    renameSync(`${database}.away`, database)
  }
})

const folderMoved = gone('folder moved', (database) => {
  const folder = dirname(database)
  renameSync(folder, `${folder}.away`)
  return () => {
    renameSync(`${folder}.away`, folder)
  }
})

function gone(name: string, take: (database: string) => () => void): Trouble {
  return {
    name,
    stores: ['sqlite'],
    isGone: true,
    begin: async ({ database }) => {
      const bringBack = take(database)
      return async () => {
        bringBack()
      }
    },
  }
}

/** The files and their folder, as on a disk that the system takes for broken; only what is in memory can be written. */
const readOnly: Trouble = {
  name: 'read-only',
  stores: ['sqlite'],
  needs: 'read-only disk',
  mustBeMet: true,
  begin: async ({ database, disk }) => {
    const files = ['', '-wal', '-attempts', '-attempts-wal'].map((suffix) => `${database}${suffix}`)
    const heal = disk?.makeReadOnly([...files.filter((file) => existsSync(file)), dirname(database)])
    return async () => {
      heal?.()
    }
  },
}

export const FILE_TROUBLES: readonly Trouble[] = [
  moved('file moved', ''),
  moved('log moved', '-wal'),
  deleted('file deleted', ''),
  deleted('log deleted', '-wal'),
  replaced,
  folderMoved,
  readOnly,
]
