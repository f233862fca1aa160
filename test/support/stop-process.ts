import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

/**
 * Sends SIGSTOP; resolves when every thread of the process has stopped. Until a thread has received the signal, the other threads continue
 * and respond, which may take a while on a busy machine. `process.kill(pid, 'SIGCONT')` lets the process continue.
 */
export async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  while (!standsStill(pid)) await turn()
}

/** Returns `true` on systems other than Linux, which do not report whether all threads have stopped. */
function standsStill(pid: number): boolean {
  const threads = `/proc/${String(pid)}/task`
  if (!existsSync(threads)) return true
  return readdirSync(threads).every((thread) => isStopped(`${threads}/${thread}/stat`))
}

/**
 * The state of a stopped process is `T`. After the process has ended, the state is `Z` or the file is missing: see proc(5). The name that
 * precedes the state is in parentheses and may contain any characters.
 */
function isStopped(file: string): boolean {
  try {
    return /^\) [TtZXx]/.test(readFileSync(file, 'latin1').replace(/^.*(?=\) )/s, ''))
  } catch {
    return true
  }
}
