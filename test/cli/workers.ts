import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Serving } from './app.js'

/** The process that is worker `number` now, by the log. */
export function pidOf({ log }: Pick<Serving, 'log'>, number: number): number {
  const lines = [...log().matchAll(/"worker":(\d+),"detail":"pid (\d+)","event":"worker ready"/g)]
  const pid = lines.findLast(([, worker]) => worker === String(number))?.[2]
  if (pid === undefined) throw new Error(`worker ${number} was never ready: ${log()}`)
  return Number(pid)
}

/** The processes that work in this folder, those too that have no parent any more; Linux alone tells. */
export function processesIn(folder: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((pid) => workingFolder(pid) === folder)
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Resolves when it is so; the time that a test may take ends the wait. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10)
}
