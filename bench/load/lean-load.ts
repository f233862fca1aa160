import { connect, type Socket } from 'node:net'
import type { Request } from 'autocannon'
import { cpuSeconds } from '../alternate.js'
import { readJob } from '../workplace/processes.js'
import { createStopwatch, type Traffic } from './traffic.js'
import { sendEvenly } from './writes.js'

/** GET requests that expect status 200 and a Content-Length: they need less than half of autocannon's CPU time. */
export type LeanLoad = {
  readonly address: string
  /** The process of the server. */
  readonly pid?: number
  /** Each connection has one request in flight at all times, and sends its share of the requests in turn. */
  readonly connections: number
  readonly requests: readonly Request[]
  /** Each connection sends any of the requests at random instead. */
  readonly isRandom?: boolean
  /** How long, in seconds, or how many; the same number of requests sends each once. */
  readonly seconds?: number
  readonly amount?: number
  /**
   * Other requests, each sent once and evenly spread over the duration as the server sees it: its CPU time, if its process is
   * known. Otherwise a server that gets little of a busy machine would have more writes for each read. They are not counted.
   */
  readonly writes?: readonly Request[]
}

/** The completed requests, and the CPU time of this process for them. */
export type LeanTraffic = Traffic & { readonly cpuSeconds: number }

const {
  address,
  pid = 0,
  connections,
  requests,
  isRandom,
  seconds = 0,
  amount = 0,
  writes = [],
} = await readJob<LeanLoad>()
const { host, hostname, port } = new URL(address)
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

const indexes = requests.map((_, index) => index)
const prepared = requests.map((): Buffer | undefined => undefined)
const stopwatch = createStopwatch()
const end = performance.now() + seconds * 1000
const writesSent = sendEvenly(address, writes, { passed: createClock(pid), seconds })
await Promise.all(Array.from({ length: connections }, (_, number) => fire(number)))
await writesSent()
const { user, system } = process.cpuUsage()
const traffic: LeanTraffic = { ...stopwatch.read(), cpuSeconds: (user + system) / 1e6 }
console.log(JSON.stringify(traffic))

/** The CPU time of a process from now on, or the time by the clock if the CPU time is unknown; both in seconds. */
function createClock(server: number): () => number {
  const begun = performance.now()
  const before = cpuSeconds(server)
  return Number.isNaN(before) ? () => (performance.now() - begun) / 1000 : () => cpuSeconds(server) - before
}

/** The bytes of a request, which are made when it is sent first: most of many requests are never sent. */
function bytesOf(index: number): Buffer {
  return (prepared[index] ??= written(requests[index]))
}

function written({ path = '/', headers = {} }: Request = {}): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`)
}

/** One connection, until the time has elapsed and its share of the amount was sent. */
async function fire(number: number): Promise<void> {
  const share = isRandom
    ? indexes
    : indexes.filter((index) => index % connections === number % requests.length)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const least = Math.ceil((amount - number) / connections)
  let turn = 0
  let begun = 0
  const next = () => {
    begun = performance.now()
    socket.write(bytesOf(share[isRandom ? anyOf(share) : turn % share.length] ?? 0))
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
      if (turn < least || now < end) next()
      else resolve()
    })
  })
  socket.destroy()
}

function anyOf({ length }: readonly unknown[]): number {
  return Math.floor(Math.random() * length)
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
