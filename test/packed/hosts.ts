import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { start, type Node, type RunOptions } from './programs.js'

export type Call = {
  readonly method: string
  readonly path: string
  /** Sent as it is, as `type`. */
  readonly body?: string
  readonly type?: string
  readonly cookie?: string
  readonly accessToken?: string
  /** The header that the access token goes in; `Authorization` where nothing is said. */
  readonly tokenHeader?: string
  readonly origin?: string
}

export type Reply = {
  readonly status: number
  readonly cookies: readonly string[]
  readonly text: string
}

/** An example that is running. */
export type Host = {
  call(call: Call): Promise<Reply>
  /** Tells it to end, and resolves with its exit code, or the signal that ended it. */
  end(): Promise<number | string | null>
}

/** An example that serves HTTP; it says where in its first line that has an address. */
export async function startServer(
  node: Node,
  program: string,
  { args = [], ...options }: RunOptions & { readonly args?: readonly string[] },
): Promise<Host> {
  const child = start(node, [program, ...args], { ...options, env: { ...options.env, PORT: '0' } })
  const ended = endOf(child)
  const lines = createInterface({ input: child.stdout })
  const origin = await nextLine(child, lines, /https?:\/\/\S+/)
  return {
    call: async ({ method, path, body, ...call }) => {
      const headers = new Headers(headersOf(call))
      const reply = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) })
      return { status: reply.status, cookies: reply.headers.getSetCookie(), text: await reply.text() }
    },
    end: async () => {
      child.kill('SIGTERM')
      return await ended
    },
  }
}

/** An example that is a function from an event of API Gateway to a reply, in a process of its own. */
export function startFunction(node: Node, program: string, options: RunOptions): Promise<Host> {
  const main = join(import.meta.dirname, 'function-main.js')
  const child = start(node, [main, program], options)
  const ended = endOf(child)
  const lines = createInterface({ input: child.stdout })
  return Promise.resolve({
    call: async (call) => {
      const answered = nextLine(child, lines, /.*/)
      child.stdin.write(`${JSON.stringify(eventOf(call))}\n`)
      const reply = JSON.parse(await answered) as { statusCode: number; cookies: string[]; body: string }
      return { status: reply.statusCode, cookies: reply.cookies, text: reply.body }
    },
    end: async () => {
      child.stdin.end()
      return await ended
    },
  })
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
function eventOf({ method, path, body, cookie, ...call }: Call): object {
  const headers = Object.entries(headersOf(call)).map(([name, value]) => [name.toLowerCase(), value])
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    ...(cookie !== undefined && { cookies: [cookie] }),
    headers: Object.fromEntries(headers) as Record<string, string>,
    requestContext: {
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'JKJaXmPLvHcESHA=',
      stage: '$default',
      timeEpoch: 1583348638390,
    },
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  }
}

function headersOf({
  type,
  cookie,
  accessToken,
  tokenHeader = 'Authorization',
  origin,
}: Partial<Call>): Record<string, string> {
  return {
    ...(type !== undefined && { 'Content-Type': type }),
    ...(cookie !== undefined && { Cookie: cookie }),
    ...(accessToken !== undefined && { [tokenHeader]: `Bearer ${accessToken}` }),
    ...(origin !== undefined && { Origin: origin }),
  }
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<number | string | null> {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return code ?? signal
}

/** What the next line has of this; rejects with what the program complained about, where it ends before. */
async function nextLine(
  child: ChildProcessWithoutNullStreams,
  lines: Interface,
  wanted: RegExp,
): Promise<string> {
  let complaints = ''
  const listen = (chunk: Buffer) => {
    complaints += chunk.toString()
  }
  child.stderr.on('data', listen)
  const over = new AbortController()
  const { signal } = over
  const found = async () => {
    for await (const [line] of on(lines, 'line', { signal }) as AsyncIterable<[string]>) {
      const match = wanted.exec(line)
      if (match) return match[0]
    }
    throw new Error('lines go on for ever')
  }
  try {
    const text = await Promise.race([found(), once(child, 'close', { signal })])
    if (typeof text === 'string') return text
    throw new Error(`the example has ended: ${complaints}`)
  } finally {
    over.abort()
    child.stderr.off('data', listen)
  }
}
