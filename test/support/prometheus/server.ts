import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { toolPath } from '../required-tools.js'
import { reservedPort } from '../reserved-port.js'
import { makeTemporaryFolder } from '../temporary-folder.js'
import { END, HOUR, STEP } from './recorded-hour.js'

/** One series in the result of a query: its labels, and a value for each step of the hour, `null` for a missing value. */
export type Series = {
  readonly labels: Readonly<Record<string, string>>
  readonly values: readonly (number | null)[]
}

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

type Answer = {
  readonly error?: string
  readonly data?: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>
      readonly values: readonly (readonly [number, string])[]
    }[]
  }
}

/** Starts a real Prometheus, which scrapes nothing, on an OpenMetrics recording. */
export async function startPrometheus(recording: string) {
  const folder = makeTemporaryFolder()
  const [text, data, config] = ['hour.txt', 'data', 'prometheus.yml'].map((name) => join(folder.path, name))
  await mkdir(data ?? '')
  await Promise.all([writeFile(text ?? '', recording), writeFile(config ?? '', '')])
  const blocks = ['tsdb', 'create-blocks-from', 'openmetrics', '--quiet', text ?? '', data ?? '']
  await promisify(execFile)(toolPath('promtool'), blocks)
  const address = `127.0.0.1:${await reservedPort()}`
  const options = [`config.file=${config}`, `storage.tsdb.path=${data}`, 'storage.tsdb.retention.time=100y']
  const child = spawn(
    toolPath('prometheus'),
    [...options, `web.listen-address=${address}`].map((option) => `--${option}`),
    { stdio: 'ignore' },
  )
  await isReady(`http://${address}/-/ready`, child)
  return {
    /** Returns the result of a query for each step of the hour; rejects with the reason if the query fails. */
    hour: async (query: string) => await hourOf(`http://${address}`, query),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      folder.remove()
    },
  }
}

async function isReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const reply = await fetch(url).catch(() => undefined)
    if (reply?.ok) return
    await sleep(50)
  }
  throw new Error(`Prometheus ended with status ${child.exitCode}`)
}

async function hourOf(origin: string, query: string): Promise<readonly Series[]> {
  const range = { start: String(END - HOUR), end: String(END), step: String(STEP) }
  const body = new URLSearchParams({ query, ...range })
  const reply = await fetch(`${origin}/api/v1/query_range`, { method: 'POST', body })
  const { data, error } = (await reply.json()) as Answer
  if (!data) throw new Error(`${query}: ${error}`)
  return data.result.map(({ metric, values }) => {
    const known = new Map(values.map(([at, value]) => [at, finite(Number(value))]))
    return { labels: metric, values: STEPS.map((at) => known.get(at) ?? null) }
  })
}

export const STEPS = Array.from({ length: HOUR / STEP + 1 }, (_, step) => END - HOUR + step * STEP)

/** The mean of no values is NaN. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
