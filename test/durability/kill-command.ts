import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Workplace } from '../cli/app.js'

/**
 * Runs Node with these arguments, and kills it with SIGKILL as soon as the condition is true, unless it ends earlier. Returns whether the
 * process was killed.
 */
export async function killCommand(
  { folder, env }: Pick<Workplace, 'folder' | 'env'>,
  args: readonly string[],
  isTime: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const child = spawn(process.execPath, [...args], { cwd: folder, env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (isRunning() && !(await isTime())) await pause(1)
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}
