import type { Answer, KeptConnection } from './kept-connection.js'

/** A login on a kept connection, with the credentials of its last reply. */
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

/** Stores the new credentials from a successful reply. */
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
    headers: headersOf(login),
    body: {},
  })
}

/** The status of an identity request on this connection. */
export async function seenBy(connection: KeptConnection, login: KeptLogin): Promise<number | undefined> {
  const path = '/api/auth/get-identity'
  return (await connection.send({ method: 'GET', path, headers: headersOf(login) }))?.status
}

function headersOf({ cookie, accessToken }: Omit<KeptLogin, 'connection'>): Record<string, string> {
  return { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken}` }
}

type IssuedBody = { readonly view: { readonly jwt: string; readonly refreshToken: string } }

function take(login: KeptLogin, answer: Answer | undefined): void {
  if (answer?.status !== 200) return
  const [cookie = ''] = String(answer.headers['set-cookie'] ?? login.cookie).split(';')
  const { jwt: accessToken, refreshToken } = (answer.body as IssuedBody).view
  Object.assign(login, { cookie, accessToken, refreshToken })
}
