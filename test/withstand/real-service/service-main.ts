import { openSync, readSync } from 'node:fs'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { main } from '../../../src/composition-root/main.js'
import { isWorker } from '../../../src/composition-root/workers/worker-argument.js'
import { CLOCK_FILE, PLANTED, type Told } from './orders.js'

/**
 * The command line as it is, in a process whose wall clock its parent sets, and which tells how much memory it holds.
 * Timers go on as they do on a machine whose clock is set. It is set while the process stands still, too.
 */
const planted = process.env[PLANTED]
const wall = Date.now.bind(Date)
const file = openSync(process.env[CLOCK_FILE] ?? '', 'r')
const read = new DataView(new ArrayBuffer(8))
let latest = 0

Date.now = () => {
  readSync(file, read, 0, 8, 0)
  const now = wall() + read.getFloat64(0)
  latest = Math.max(latest, now)
  return planted === 'ratcheting-clock' ? latest : now
}

type Finished = { readonly request: IncomingMessage; readonly response: ServerResponse }

if (planted === 'cookies-in-log')
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as Finished
    if (response.statusCode === 503) console.log(JSON.stringify({ detail: request.headers.cookie }))
  })

// Workers have a channel of their own, to the process that has started them.
if (!isWorker()) {
  process.on('message', () => {
    // There is one order only.
    globalThis.gc?.()
    const told: Told = { kind: 'done', heap: process.memoryUsage().heapUsed }
    process.send?.(told)
  })
  process.channel?.unref()
}

await main()
