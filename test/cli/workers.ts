import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Serving } from './app.js'

export function pidOf({ log }: Pick<Serving, 'log'>, number: number): number {
  const lines = [...log().matchAll(/"worker":(\d+),"detail":"pid (\d+)","event":"worker ready"/g)]
  const pid = lines.findLast(([, worker]) => worker === String(number))?.[2]
  if (pid === undefined) throw new Error(`worker ${number} was never ready: ${log()}`)
  return Number(pid)
}

export type Line = Readonly<Record<string, unknown>>

/** Returns every complete line of a log; each line must be one JSON object. */
export function linesIn(log: string): Line[] {
  const lines = log.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Line)
}

export function metricsOf({ log }: Pick<Serving, 'log'>): string {
  return /"address":"([^"]+)"[^\n]*"event":"metrics"/.exec(log())?.[1] ?? ''
}

/** The processes whose working folder is this folder, including orphans; only Linux provides this list. */
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

/** Resolves when the condition is true; the timeout of the test ends the wait. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10)
}

/** Opens a connection on which the server has received the first half of a request. */
export async function halfOf(origin: string) {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  // The reply to the first request proves that half of the second request has also arrived.
  socket.write('GET /health/live HTTP/1.1\r\n\r\nGET /health/live HTTP/1.1\r\n')
  await once(socket, 'readable')
  return {
    finish: async () => {
      socket.write('\r\n')
      const replies = await text(socket)
      return Number(/HTTP\/1\.1 (\d{3})[^]*HTTP\/1\.1 (\d{3})/.exec(replies)?.[2])
    },
    destroy: () => socket.destroy(),
  }
}

/** Skips the tests of the surrounding `describe` on systems other than Linux. */
export function onLinuxOnly(): void {
  beforeEach(function () {
    if (process.platform !== 'linux') this.skip()
  })
}
