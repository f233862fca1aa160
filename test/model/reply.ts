import type { Account, Pair, Role } from './world.js'

/** What is allowed as the reply to one request; of what it does not name nothing is said. */
export type Allowed = {
  readonly status: number
  /** The pair whose tokens and cookie it gives out; what it has no text of yet is learned from the reply. */
  readonly pair?: Pair
  readonly cookie?: 'set' | 'cleared'
  /** The whole body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>
}

export type Told = { readonly type: string; readonly message?: string; readonly field?: string }

/** What `view` says of who is logged in. */
export type Who = {
  readonly user: Account
  readonly userAs?: Account | undefined
  readonly roles: ReadonlySet<Role>
}

/** The envelope of identity replies without anything in it. */
function envelope(status: number, told: readonly Told[] = []) {
  return {
    code: status,
    response: status === 200,
    view: {
      ...{ jwt: null, refreshToken: null, refreshed: false, loggedIn: false, loggedInAs: false },
      ...{ user: null, userAs: null, roleList: {}, groupList: {}, typeList: {} },
      messages: told.map((one) => ({ ...one, code: status })),
    },
  }
}

/** An identity reply to a client that is not logged in. */
export function refused(status: number, ...told: readonly Told[]): Allowed {
  return { status, body: envelope(status, told) }
}

const INVALID_TOKEN = { type: 'InvalidToken', message: 'Invalid authentication token.', field: '' }

/** The one reply to whatever is wrong with tokens and sessions. */
export function invalidToken(): Allowed {
  return refused(401, INVALID_TOKEN)
}

/** The one reply to whatever is wrong with email and password. */
export function loginFailed(): Allowed {
  return refused(401, { type: 'LoginFailed', message: 'Login Failed', field: 'email' })
}

export function forbidden(): Allowed {
  return refused(403, { type: 'Forbidden' })
}

export function notValid(field: string): Allowed {
  return refused(400, { type: 'NotValid', message: 'not-valid', field })
}

export function tooMany(seconds: number): Allowed {
  const headers = { 'retry-after': String(seconds) }
  return { ...refused(429, { type: 'TooMany' }), headers }
}

export function loggedOut(cookie?: 'cleared'): Allowed {
  return { status: 200, body: envelope(200), ...(cookie && { cookie }) }
}

/** Who one is; with a pair also its tokens, and the cookie where there are sessions. */
export function loggedIn(who: Who, issued?: { readonly pair: Pair; readonly refreshed?: boolean }): Allowed {
  const { code, response, view } = envelope(200)
  const { user, userAs, roles } = who
  return {
    status: 200,
    ...(issued && { pair: issued.pair }),
    body: {
      ...{ code, response },
      view: {
        ...view,
        ...{ loggedIn: true, loggedInAs: userAs !== undefined, refreshed: issued?.refreshed ?? false },
        ...{ user: shown(user), userAs: userAs ? shown(userAs) : null, roleList: [...roles].sort() },
      },
    },
  }
}

function shown({ id, email }: Account) {
  return { id, email }
}

/** A reply outside the identity routes. */
export function plain(status: number, body?: unknown, headers?: Allowed['headers']): Allowed {
  return { status, ...(body !== undefined && { body }), ...(headers && { headers }) }
}

/** A reply of the project routes that saves nothing. */
function notSaved(status: number, told: Told): Allowed {
  const messages = [{ ...told, code: status }]
  return { status, body: { code: status, response: false, view: { saved: false, messages } } }
}

/** The same refusal in the shape of the project routes. */
export function noProject(status: 401 | 403): Allowed {
  return notSaved(status, status === 401 ? INVALID_TOKEN : { type: 'Forbidden' })
}

/** The body of a pet operation that fails. */
export function petError(status: number, headers?: Allowed['headers']): Allowed {
  return plain(status, { code: status }, headers)
}
