import { connect, type Socket } from 'node:net'
import { cpuSeconds, readJob } from '../workplace/processes.js'
import { refreshRequest, type Credentials, type Request } from './requests.js'
import { createStopwatch } from './traffic.js'
import { sendEvenly } from './writes.js'

/** A load of requests. Every reply must have status 200 and a Content-Length. */
export type Load = {
  readonly address: string
  /** The process ID of the server. */
  readonly pid?: number
  /** The number of connections. Each always has one request in flight, and sends its share of the requests in turn. */
  readonly connections: number
  readonly requests?: readonly Request[]
  /** If true, each connection picks its requests at random. */
  readonly isRandom?: boolean
  /** Replaces `requests`: each connection refreshes its share of these logins in turn, with the credentials from the last reply. */
  readonly refreshing?: readonly Credentials[]
  /**
   * How long the load lasts in seconds, or how many requests it sends in total. If the total equals the number of `requests`, each is sent
   * once.
   */
  readonly seconds?: number
  readonly amount?: number
  /**
   * Additional requests, each sent once and not counted. They are spread evenly over the server's CPU time or, if its process is unknown,
   * over the elapsed time. The CPU time keeps the ratio of writes to reads constant on a busy machine.
   */
  readonly writes?: readonly Request[]
}

/** Yields a connection's requests, and receives the replies. */
type Source = { readonly next: () => Buffer; readonly take?: (head: string, body: string) => void }

const job = await readJob<Load>()
const {
  address,
  pid = 0,
  connections,
  requests = [],
  isRandom,
  refreshing,
  seconds = 0,
  amount = 0,
  writes = [],
} = job
const { host, hostname, port } = new URL(address)
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i
const COOKIE = /\r\nset-cookie: ([^;\r]*)/i

const indexes = requests.map((_, index) => index)
const prepared = requests.map((): Buffer | undefined => undefined)
const stopwatch = createStopwatch()
const end = performance.now() + seconds * 1000
const writesSent = sendEvenly(address, writes, { passed: createClock(), seconds })
await Promise.all(Array.from({ length: connections }, (_, number) => fire(number)))
await writesSent()
console.log(JSON.stringify(stopwatch.read()))

/** The CPU time of the server since now, or the elapsed time if the CPU time is unknown; both in seconds. */
function createClock(): () => number {
  const begun = performance.now()
  const before = cpuSeconds({ pid })
  return Number.isNaN(before) ? () => (performance.now() - begun) / 1000 : () => cpuSeconds({ pid }) - before
}

function sourceOf(number: number): Source {
  if (refreshing) return refreshesOf(refreshing, number)
  const share = isRandom
    ? indexes
    : indexes.filter((index) => index % connections === number % requests.length)
  let turn = 0
  const any = () => Math.floor(Math.random() * share.length)
  return { next: () => bytesOf(share[isRandom ? any() : turn++ % share.length] ?? 0) }
}

/** Returns a request's bytes. They are created when the request is first sent, because most requests are never sent. */
function bytesOf(index: number): Buffer {
  return (prepared[index] ??= written(requests[index]))
}

function refreshesOf(clients: readonly Credentials[], number: number): Source {
  const chains = clients.filter((_, index) => index % connections === number)
  let turn = -1
  const current = () => {
    const chain = chains[turn % chains.length]
    if (!chain) throw new Error('a connection has no session')
    return chain
  }
  return {
    next: () => {
      turn += 1
      return written(refreshRequest(current()))
    },
    take: (head, body) => {
      const { view } = JSON.parse(body) as { view: { refreshToken: string } }
      const cookie = COOKIE.exec(head)?.[1] ?? ''
      chains[turn % chains.length] = { ...current(), cookie, refreshToken: view.refreshToken }
    },
  }
}

function written({ method = 'GET', path, headers = {}, body = '' }: Request = { path: '/' }): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}${length}\r\n${body}`)
}

/** Runs one connection until both the time has elapsed and the connection has sent its share of the requests. */
async function fire(number: number): Promise<void> {
  const { next, take } = sourceOf(number)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const least = Math.ceil((amount - number) / connections)
  let sent = 0
  let begun = 0
  const send = () => {
    const bytes = next()
    begun = performance.now()
    socket.write(bytes)
    sent += 1
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', send).once('error', reject)
    socket.once('close', () => {
      reject(new Error('a connection was closed'))
    })
    eachReply(socket, reject, (head, body) => {
      const now = performance.now()
      stopwatch.record(now - begun)
      take?.(head, body)
      if (sent < least || now < end) send()
      else resolve()
    })
  })
  socket.destroy()
}

/** Replies may arrive in any number of pieces. */
function eachReply(
  socket: Socket,
  fail: (error: Error) => void,
  answered: (head: string, body: string) => void,
): void {
  let come = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    come += piece
    const head = come.indexOf(HEAD_END)
    if (head < 0) return
    const length = LENGTH.exec(come)?.[1]
    if (!come.startsWith('HTTP/1.1 200 ') || length === undefined) {
      fail(new Error(`the reply begins with ${come.slice(0, 40)}`))
    } else if (come.length >= head + HEAD_END.length + Number(length)) {
      const whole = come
      come = ''
      answered(whole.slice(0, head), whole.slice(head + HEAD_END.length))
    }
  })
}
