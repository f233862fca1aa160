import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

type Answer = {
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

export type KeptLogin = {
  readonly connection: KeptConnection
  cookie: string
  accessToken: string
  refreshToken: string
}

/** Throws if the login is refused, or if the connection breaks. */
export async function logIn(
  connection: KeptConnection,
  body: { readonly email: string; readonly password: string },
): Promise<KeptLogin> {
  const login = { connection, cookie: '', accessToken: '', refreshToken: '' }
  const answer = await connection.send({ method: 'POST', path: '/api/auth/login', body })
  if (answer?.status !== 200) throw new Error(`the login was answered with ${String(answer?.status)}`)
  take(login, answer)
  return login
}

export async function refresh(login: KeptLogin): Promise<Answer | undefined> {
  const { connection, cookie, refreshToken } = login
  const call = { method: 'POST', path: '/api/auth/refresh', headers: { Cookie: cookie } } as const
  const answer = await connection.send({ ...call, body: { refreshToken } })
  take(login, answer)
  return answer
}

export async function logOut({ connection, ...login }: KeptLogin): Promise<Answer | undefined> {
  return await connection.send({
    method: 'POST',
    path: '/api/auth/logout',
    headers: credentialsOf(login),
    body: {},
  })
}

export async function seenBy(connection: KeptConnection, login: KeptLogin): Promise<number | undefined> {
  const path = '/api/auth/get-identity'
  return (await connection.send({ method: 'GET', path, headers: credentialsOf(login) }))?.status
}

function credentialsOf({ cookie, accessToken }: Omit<KeptLogin, 'connection'>): Record<string, string> {
  return { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken}` }
}

type IssuedBody = { readonly view: { readonly jwt: string; readonly refreshToken: string } }

function take(login: KeptLogin, answer: Answer | undefined): void {
  if (answer?.status !== 200) return
  const [cookie = ''] = String(answer.headers['set-cookie'] ?? login.cookie).split(';')
  const { jwt: accessToken, refreshToken } = (answer.body as IssuedBody).view
  Object.assign(login, { cookie, accessToken, refreshToken })
}
