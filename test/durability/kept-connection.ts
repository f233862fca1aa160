import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export type Call = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: unknown
}

/** Keeps one connection open at a time, for as long as the server permits. */
export type KeptConnection = {
  /** Resolves with `undefined` if the connection broke before the complete reply. */
  send(call: Call): Promise<Answer | undefined>
  /** The request ID in the first reply on the current connection. */
  firstRequestId(): string | undefined
  close(): void
}

export function keepConnection(origin: string): KeptConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let first: string | undefined
  return {
    send: async (call) => {
      const asked = request(`${origin}${call.path}`, { agent, method: call.method, headers: headersOf(call) })
      const answer = await answerTo(asked, call.body)
      if (answer === undefined) first = undefined
      else if (!asked.reusedSocket) first = String(answer.headers['x-request-id'])
      return answer
    },
    firstRequestId: () => first,
    close: () => {
      agent.destroy()
    },
  }
}

function headersOf({ headers, body }: Call): OutgoingHttpHeaders {
  return { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
}

function answerTo(asked: ReturnType<typeof request>, body: unknown): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const broken = () => {
      resolve(undefined)
    }
    asked.once('error', broken)
    asked.once('response', (reply) => {
      const { statusCode: status = 0, headers } = reply
      text(reply).then((read) => {
        resolve({ status, headers, body: read === '' ? undefined : JSON.parse(read) })
      }, broken)
    })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
