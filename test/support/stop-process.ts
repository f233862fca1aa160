import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

/**
 * SIGSTOP; resolves when every thread of the process has stopped. Until a thread has received the signal, the others
 * continue and answer, which takes a while on a busy machine. `process.kill(pid, 'SIGCONT')` continues the process.
 */
export async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  while (!standsStill(pid)) await turn()
}

/** Known on Linux only; elsewhere it is assumed. */
function standsStill(pid: number): boolean {
  const threads = `/proc/${String(pid)}/task`
  if (!existsSync(threads)) return true
  return readdirSync(threads).every((thread) => isStopped(`${threads}/${thread}/stat`))
}

/**
 * `T`, or `Z` or no file after the end of the process: proc(5). The name before it is in brackets and may contain
 * anything.
 */
function isStopped(file: string): boolean {
  try {
    return /^\) [TtZXx]/.test(readFileSync(file, 'latin1').replace(/^.*(?=\) )/s, ''))
  } catch {
    return true
  }
}
