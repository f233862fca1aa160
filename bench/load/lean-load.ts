import { connect, type Socket } from 'node:net'
import type { Request } from 'autocannon'
import { readJob } from '../workplace/processes.js'
import { createStopwatch, type Traffic } from './traffic.js'

/** GET requests that expect status 200 and a Content-Length: they need less than half of autocannon's CPU time. */
export type LeanLoad = {
  readonly address: string
  /** Each connection has one request in flight at all times, and sends its share of the requests in turn. */
  readonly connections: number
  readonly requests: readonly Request[]
  readonly seconds: number
}

/** The completed requests, and the CPU time of this process for them. */
export type LeanTraffic = Traffic & { readonly cpuSeconds: number }

const { address, connections, requests, seconds } = await readJob<LeanLoad>()
const { host, hostname, port } = new URL(address)
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

const written = requests.map(({ path = '/', headers = {} }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`)
})
const stopwatch = createStopwatch()
const end = performance.now() + seconds * 1000
await Promise.all(Array.from({ length: connections }, (_, number) => fire(number)))
const { user, system } = process.cpuUsage()
const traffic: LeanTraffic = { ...stopwatch.read(), cpuSeconds: (user + system) / 1e6 }
console.log(JSON.stringify(traffic))

/** One connection, until the time has elapsed. */
async function fire(number: number): Promise<void> {
  const share = written.filter((_, index) => index % connections === number % written.length)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let turn = 0
  let begun = 0
  const next = () => {
    begun = performance.now()
    socket.write(share[turn % share.length] ?? '')
    turn += 1
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', next).once('error', reject)
    socket.once('close', () => {
      reject(new Error('a connection was closed'))
    })
    eachReply(socket, reject, () => {
      const now = performance.now()
      stopwatch.record(now - begun)
      if (now < end) next()
      else resolve()
    })
  })
  socket.destroy()
}

/** Replies may arrive in any number of pieces. */
function eachReply(socket: Socket, fail: (error: Error) => void, answered: () => void): void {
  let come = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    come += piece
    const head = come.indexOf(HEAD_END)
    if (head < 0) return
    const length = LENGTH.exec(come)?.[1]
    if (!come.startsWith('HTTP/1.1 200 ') || length === undefined) {
      fail(new Error(`the reply begins with ${come.slice(0, 40)}`))
    } else if (come.length >= head + HEAD_END.length + Number(length)) {
      come = ''
      answered()
    }
  })
}
