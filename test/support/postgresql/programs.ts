import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { toolPath } from '../required-tools.js'
import { OWNER } from './unprivileged.js'

/** Programs that refuse to run as root, or whose files the server must be able to read. */
const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup'] as const

/** If this process runs as root, fills a folder for `PATH` with these programs and pgbouncer, which run as OWNER. Returns the folder. */
export function unprivilegedPrograms(folder: string): string {
  const { uid, gid } = OWNER as { readonly uid?: number; readonly gid?: number }
  if (uid === undefined) return folder
  const paths = [...PROGRAMS.map((name) => join(toolPath('postgres'), name)), toolPath('pgbouncer')]
  for (const path of paths) {
    const text = `#!/bin/sh\nexec setpriv --reuid=${uid} --regid=${gid} --clear-groups '${path}' "$@"\n`
    writeFileSync(join(folder, basename(path)), text, { mode: 0o755 })
  }
  return folder
}
