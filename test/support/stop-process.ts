import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

/**
 * SIGSTOP; resolves when every thread of the process stands still. Until one of them has taken the signal the others go
 * on and answer, which takes a while where all processors are busy. `process.kill(pid, 'SIGCONT')` lets it go on.
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

/** `T`, or `Z` or no file of one that has ended: proc(5). The name before it may hold anything but is in brackets. */
function isStopped(file: string): boolean {
  try {
    return /^\) [TtZXx]/.test(readFileSync(file, 'latin1').replace(/^.*(?=\) )/s, ''))
  } catch {
    return true
  }
}
