import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'

/** One command from the start of its process to its end. */
export type Round = {
  readonly seconds: number
  /** NaN if the system does not provide it. */
  readonly peakMebibytes: number
}

/** Runs `app` with these arguments; rejects if it does not exit with 0. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Round> {
  const begun = performance.now()
  const child = spawn(process.execPath, [join('bin', 'app.js'), ...args], { env, stdio: 'ignore' })
  const ended = once(child, 'close') as Promise<[number | null]>
  const watch = new AbortController()
  const peak = peakOf(child.pid ?? 0, watch.signal)
  const [code] = await ended
  const seconds = (performance.now() - begun) / 1000
  watch.abort()
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
  return { seconds, peakMebibytes: await peak }
}

/** The kernel keeps the maximum; it is read until the process has ended. */
async function peakOf(pid: number, signal: AbortSignal): Promise<number> {
  let peak = NaN
  try {
    for await (const _ of setInterval(20, undefined, { signal })) peak = highWaterMark(pid) ?? peak
  } catch {
    // The watch is over.
  }
  return peak
}

function highWaterMark(pid: number): number | undefined {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line ? Number(line[1]) / 1024 : undefined
  } catch {
    return undefined
  }
}
