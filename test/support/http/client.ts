import { Agent, request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { rememberReceived, rememberSent, type SecretHunt } from '../../http/secret-hunt.js'
import type { ReplyCheck } from './reply-check.js'

export type Call = {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Sent as JSON; `headers` may contain a different content type. */
  readonly json?: unknown
  /** Sent unchanged. */
  readonly body?: string | Uint8Array
}

export type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly text: string
  /** The parsed body, `undefined` if it is empty or not JSON. */
  readonly json: unknown
}

export type Client = {
  call(method: string, path: string, call?: Call): Promise<Reply>
  close(): void
}

/** The `User-Agent` of an unknown client, which no output may contain; every request to every route sends it. */
const USER_AGENT = 'Mozilla/5.0 (a-canary-that-no-log-may-show)'

/**
 * A client that sends exactly the given request, with a default `User-Agent`, and checks every reply. The secret
 * hunt learns all secrets in the requests and replies.
 */
export function createClient(
  origin: string,
  check: () => ReplyCheck | undefined,
  hunt?: Pick<SecretHunt, 'secrets' | 'replied'>,
): Client {
  // Closes an idle connection well before the server does, because the server might close the connection just as the next request is sent.
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 1000 })
  return {
    call: async (method, path, told = {}) => {
      const call = withUserAgent(told)
      if (hunt) rememberSent(hunt.secrets, call)
      const reply = await exchange(agent, origin, method, path, call)
      if (hunt) rememberReceived(hunt.secrets, reply)
      hunt?.replied(reply)
      check()?.(method, path, reply)
      return reply
    },
    close: () => {
      agent.destroy()
    },
  }
}

function withUserAgent({ headers = {}, ...call }: Call): Call {
  const isTold = Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
  return { ...call, headers: isTold ? headers : { ...headers, 'User-Agent': USER_AGENT } }
}

async function exchange(
  agent: Agent,
  origin: string,
  method: string,
  path: string,
  call: Call,
): Promise<Reply> {
  const body = call.json === undefined ? call.body : JSON.stringify(call.json)
  const headers: Record<string, string | string[]> = {}
  if (call.json !== undefined) headers['Content-Type'] = 'application/json'
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    headers[name] = typeof value === 'string' ? value : [...value]
  }
  const chunked = Object.keys(headers).some((name) => name.toLowerCase() === 'transfer-encoding')
  if (body !== undefined && !chunked) headers['Content-Length'] = String(Buffer.byteLength(body))
  const { hostname, port } = new URL(origin)
  return await new Promise((resolve, reject) => {
    const outgoing = send({ agent, host: hostname, port, method, path, headers }, (incoming) => {
      receive(incoming).then(resolve, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function receive(incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const { statusCode: status = 0, headers, rawHeaders } = incoming
  return { status, headers, rawHeaders, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
