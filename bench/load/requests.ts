export type Headers = Readonly<Record<string, string>>

/** A request that a load sends; a GET by default. */
export type Request = {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Headers
  readonly body?: string
}

/** The credentials of one login; the server determines which members exist. */
export type Credentials = {
  readonly email: string
  readonly cookie?: string
  readonly accessToken?: string
  readonly refreshToken?: string
}

/** The password of every account. */
export const PASSWORD = 'a password for the benchmark'
const JSON_BODY = { 'Content-Type': 'application/json' }

/** A request for the current identity. */
export function identityRequest({ cookie, accessToken = '' }: Credentials): Request {
  return {
    path: '/api/auth/get-identity',
    headers: { ...(cookie !== undefined && { Cookie: cookie }), 'X-Authorization': `Bearer ${accessToken}` },
  }
}

export function refreshRequest({ cookie = '', refreshToken }: Credentials): Request {
  const headers = { ...JSON_BODY, Cookie: cookie }
  return { method: 'POST', path: '/api/auth/refresh', headers, body: JSON.stringify({ refreshToken }) }
}

/** A login request for an account with the password `PASSWORD`. */
export function loginRequest(email: string): Request {
  const body = JSON.stringify({ email, password: PASSWORD })
  return { method: 'POST', path: '/api/auth/login', headers: JSON_BODY, body }
}

export function createPetRequest(headers: Headers): Request {
  const body = JSON.stringify({ name: 'A new pet' })
  return { method: 'POST', path: '/v1/pets', headers: { ...headers, ...JSON_BODY }, body }
}

/** Returns a GET request for each of these paths. */
export function getsOf(paths: readonly string[], headers: Headers): readonly Request[] {
  return paths.map((path) => ({ path, headers }))
}
