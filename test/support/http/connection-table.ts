import { setTimeout as pause } from 'node:timers/promises'
import { LOGIN } from './browser.js'
import { openWire, requestText } from './wire.js'
import { PETS } from './pet-calls.js'

/** The client half-closes the connection. */
const END = Symbol('end')
type Step = string | Uint8Array | typeof END

/**
 * What a client does on one connection, and the statuses that it gets before the server closes the connection.
 * Without `gets`, the reply may be sent before or after the server detects that the body is malformed.
 */
type ConnectionRow = { readonly steps: readonly Step[]; readonly gets?: readonly number[] }
export type ConnectionTable = Readonly<Record<string, ConnectionRow>>

type Statuses = readonly (number | 'still open')[]
type Outcomes = Readonly<Record<string, Statuses | undefined>>

export type TableClient = { readonly apiKey: string; readonly email: string; readonly password: string }

/** A connection that is still open after this many milliseconds is reported. */
const LONGEST = 60_000

function get(path: string, headers = {}): string {
  return requestText(`GET ${path} HTTP/1.1`, { Host: 'x', ...headers })
}

function post(path: string, json: object, headers = {}): string {
  const body = JSON.stringify(json)
  const all = { Host: 'x', 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
  return requestText(`POST ${path} HTTP/1.1`, { ...all, ...headers }, body)
}

/** Complete requests with the expected statuses, for both request listeners of the service. */
function requestsOf({ apiKey, email, password }: TableClient) {
  const key = { 'X-API-Key': apiKey }
  return {
    'a probe': [get('/health/live'), 200],
    'a page of pets': [get(PETS, key), 200],
    'a page of pets by HTTP/1.0': [get(PETS, key).replace('HTTP/1.1', 'HTTP/1.0'), 200],
    'a page of pets by a whole URL': [get(`http://x${PETS}`, key), 200],
    'a page of pets without a key': [get(PETS), 401],
    'a new pet': [post(PETS, { name: 'Rex' }, key), 201],
    'a new pet without a key': [post(PETS, { name: 'Rex' }), 401],
    'a new pet without a name': [post(PETS, {}, key), 400],
    'a new pet that is too large': [post(PETS, { name: 'a'.repeat(200_000) }, key), 413],
    'a login': [post(LOGIN, { email, password }), 200],
    'a failed login': [post(LOGIN, { email, password: 'a guess' }), 401],
    'an unknown path': [get('/nothing'), 404],
  } as const
}

/** Clients that send complete requests, so that the limits of the server have no effect. */
export function completeRequests(client: TableClient): ConnectionTable {
  const requests = requestsOf(client)
  const page = requests['a page of pets'][0]
  const pet = requests['a new pet'][0]
  const rows: Record<string, ConnectionRow> = {
    'nothing, then half-closed': { steps: [END], gets: [] },
    '40 requests, then half-closed': {
      steps: [(page + pet + get('/health/live') + page).repeat(10), END],
      gets: Array.from({ length: 10 }, () => [200, 201, 200, 200]).flat(),
    },
    'an expectation and a body, then half-closed': {
      steps: [pet.replace('\r\n', '\r\nExpect: 100-continue\r\n'), END],
      gets: [100, 201],
    },
  }
  for (const [what, [text, status]] of Object.entries(requests)) {
    rows[`${what}, then half-closed`] = { steps: [text, END], gets: [status] }
    if (text.length < 1_000)
      rows[`${what}, byte by byte, then half-closed`] = { steps: [...Array.from(text), END], gets: [status] }
    rows[`${what} after two requests, then half-closed`] = {
      steps: [pet + page + text, END],
      gets: [201, 200, status],
    }
    rows[`${what} with Connection: close`] = {
      steps: [page + text.replace('\r\n', '\r\nConnection: close\r\n')],
      gets: [200, status],
    }
  }
  return rows
}

/** Bytes that are not an HTTP request; each of them gets exactly one 400. */
const NO_REQUESTS: Readonly<Record<string, string | Uint8Array>> = {
  'text that is not HTTP': 'hello\r\n\r\n',
  'TLS on a plain socket': Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03]),
  'an unknown method': requestText('BREW / HTTP/1.1', { Host: 'x' }),
  'a space before a colon': 'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
  'U+0000 in a header': requestText('GET / HTTP/1.1', { Host: 'x', A: 'a\u0000b' }),
  'two lengths': 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'a length and chunks': requestText(
    'POST /v1/pets HTTP/1.1',
    { Host: 'x', 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
    '0\r\n\r\n',
  ),
  'an unknown transfer encoding': requestText(
    'POST /v1/pets HTTP/1.1',
    { Host: 'x', 'Transfer-Encoding': 'x' },
    'a',
  ),
}

/** Bodies with `Transfer-Encoding: chunked` that the parser rejects, and the status of each. */
const BROKEN_CHUNKS: Readonly<Record<string, readonly [chunks: string, status: number]>> = {
  'no size': ['zz\r\n{}\r\n0\r\n\r\n', 400],
  'a size beyond 64 bits': ['fffffffffffffffff\r\n{}\r\n0\r\n\r\n', 400],
  'a chunk that is longer than its size': ['2\r\n{"name":"Rex"}\r\n0\r\n\r\n', 400],
  'an extension of 20 kB': [`2;a=${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 400],
  'a trailer that is not a header': ['2\r\n{}\r\n0\r\nno header\r\n\r\n', 400],
  'a trailer of 20 kB': [`2\r\n{}\r\n0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
}

/** Clients that half-close a connection, send slowly, send malformed requests, or pipeline requests. */
export function connectionTable(client: TableClient): ConnectionTable {
  const requests = requestsOf(client)
  const [page] = requests['a page of pets']
  const [pet] = requests['a new pet']
  const head = { Host: 'x', 'X-API-Key': client.apiKey, 'Content-Type': 'application/json' }
  const chunked = (line: string, body: string) =>
    requestText(`${line} HTTP/1.1`, { ...head, 'Transfer-Encoding': 'chunked' }, body)
  const incomplete = {
    'a head': page.slice(0, 30),
    'a body': pet.slice(0, -3),
    'a head before its body': pet.slice(0, -14),
    'a chunk': chunked(`POST ${PETS}`, '9\r\n{'),
  }
  const rows: Record<string, ConnectionRow> = {
    ...completeRequests(client),
    'no byte in time': { steps: [], gets: [408] },
    'an upgrade, then half-closed': {
      steps: [get('/health/live', { Connection: 'Upgrade', Upgrade: 'h2c' }), END],
      gets: [200],
    },
  }
  for (const [what, text] of Object.entries(incomplete)) {
    rows[`half-closed in ${what}`] = { steps: [text, END], gets: [400] }
    rows[`half-closed in ${what} after two requests`] = {
      steps: [page + pet + text, END],
      gets: [200, 201, 400],
    }
    rows[`slow in ${what}`] = { steps: [text], gets: [408] }
    rows[`slow in ${what} after two requests`] = { steps: [page + pet + text], gets: [200, 201, 408] }
  }
  const connect = requestText('CONNECT x:443 HTTP/1.1', { Host: 'x' })
  for (const [what, bytes] of Object.entries({ ...NO_REQUESTS, CONNECT: connect })) {
    rows[what] = { steps: [bytes], gets: [400] }
    rows[`${what}, then half-closed`] = { steps: [bytes, END], gets: [400] }
    rows[`${what} after two requests`] = { steps: [page + pet, bytes], gets: [200, 201, 400] }
  }
  for (const [what, [chunks, status]] of Object.entries(BROKEN_CHUNKS)) {
    for (const line of [`POST ${PETS}`, `POST ${LOGIN}`, `DELETE ${PETS}/1`]) {
      rows[`${line} with ${what}`] = { steps: [chunked(line, chunks)], gets: [status] }
      rows[`${line} with ${what} after two requests, then half-closed`] = {
        steps: [page + pet, chunked(line, chunks), END],
        gets: [200, 201, status],
      }
    }
    for (const line of ['POST /nothing', 'GET /health/live', `GET ${PETS}`])
      rows[`${line} with ${what}`] = { steps: [chunked(line, chunks)] }
  }
  return rows
}

/** Runs all rows concurrently, each on its own connection, and returns the statuses that each connection gets. */
export async function outcomesOf(origin: string, table: ConnectionTable): Promise<Outcomes> {
  const rows = Object.entries(table).map(async ([what, { steps, gets }]) => {
    const statuses = await statusesOf(origin, steps)
    return [what, gets && statuses] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

async function statusesOf(origin: string, steps: readonly Step[]): Promise<Statuses> {
  const wire = await openWire(origin)
  wire.socket.setNoDelay()
  for (const step of steps) {
    if (step === END) wire.socket.end()
    else wire.send(step)
  }
  const isOpen = await Promise.race([wire.closed().then(() => false), pause(LONGEST, true, { ref: false })])
  wire.destroy()
  const statuses = wire.replies().map(({ status }) => status)
  return isOpen ? [...statuses, 'still open'] : statuses
}

export function expectedOf(table: ConnectionTable): Outcomes {
  return Object.fromEntries(Object.entries(table).map(([what, { gets }]) => [what, gets]))
}
