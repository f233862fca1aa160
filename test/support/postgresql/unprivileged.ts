import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'

/** PostgreSQL and pgbouncer refuse to run as root, so in that case another user owns the files and the processes. */
export const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Makes OWNER the owner of a file or folder. */
export function own(path: string): void {
  const { uid, gid } = OWNER
  if (uid !== undefined) chownSync(path, uid, gid)
}

/**
 * Runs shell commands when the returned function is called, or when this process ends, even if it is killed. The
 * commands get the program as `$0` and the folder as `$1`; the folder is removed afterwards.
 */
export function guard(commands: string, program: string, folder: string): () => Promise<void> {
  const text = `cat; ${commands}; rm -rf "$1"`
  const options = { ...OWNER, detached: true } as const
  const child = spawn('sh', ['-c', text, program, folder], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return async () => {
    child.stdin.end()
    await once(child, 'close')
  }
}

/** Starts a program, and resolves when its log says that it is ready. */
export async function startProgram(
  path: string,
  args: readonly string[],
  ready: RegExp,
): Promise<ChildProcess> {
  const child = spawn(path, args, { ...OWNER, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      reject(new Error(`${path} did not start: ${log}`))
    })
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000)
      if (ready.test(log)) resolve()
    })
  })
  return child
}
