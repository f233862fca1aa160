import type { JsonObject } from '../../src/domain/identity/json-object.js'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import {
  CHANGE_PASSWORD,
  CLOSE_PROJECT,
  CREATE_PROJECT,
  END_SESSIONS,
  GET_IDENTITY,
  LOGIN,
  LOGIN_AS,
  LOGOUT,
  LOGOUT_AS,
  PROJECT,
  PROJECTS,
  REFRESH,
  SESSIONS,
  type Held,
} from '../support/http/browser.js'
import type { Call, Reply } from '../support/http/client.js'
import { CONFIRM, FACTOR, RECOVERY_CODES, REMOVE, SET_UP, viewOf } from '../support/http/factor.js'
import { basic, PETS } from '../support/http/pet-calls.js'
import {
  CONFIRM_LOGIN,
  DELETE_ACCOUNT,
  EXPORT_ACCOUNT,
  EVERY_PROTECTED_ROUTE,
  PASSKEY_ROUTES,
} from '../support/http/protected-routes.js'
import {
  CHANGE_EMAIL,
  CONFIRM_SIGN_UP,
  LOGIN_BY_MAIL,
  proofCookieOf,
  SIGN_UP,
  type MailedProof,
  NEW_PASSWORD,
  RESET_PASSWORD,
} from '../support/http/resetting.js'
import { PASSWORD } from '../support/http/service.js'
import { createAuthenticator } from '../support/passkey-authenticator.js'

const { everyone, user } = DEFAULT_PERMISSIONS.roles

/** Permits each action to at least one client of the recording. */
export const RECORDED_PERMISSIONS = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: {
      components: {
        ...everyone.components,
        auth: [...everyone.components.auth, 'reset-password', 'sign-up', 'login-by-mail'],
      },
    },
    user: {
      components: {
        auth: [...user.components.auth, 'delete-account', 'change-email', 'export-account', 'confirm'],
        pets: ['*'],
      },
    },
    'project-editor': { components: { project: ['*'] } },
  },
}

/** Sends a request and records it with the reply. */
export type Send = (method: string, path: string, json?: unknown, call?: Call) => Promise<Reply>

/** The clients that send the recorded requests. A logged-in client sends its credentials with each request. */
export type Clients = {
  /** Sends no credentials. */
  readonly anyone: Send
  /** Account 1, with the role `admin`. */
  readonly ada: Send
  /** Account 2, with the role `project-editor`. */
  readonly bob: Send
  /** Account 3, without roles. */
  readonly cleo: Send
  /** Account 5, without roles. */
  readonly fay: Send
  /** Has an API key. */
  readonly program: Send
  /** The API key of `program`. */
  readonly key: string
  /** Creates another valid API key. */
  readonly freshKey: () => Promise<string>
  /** The current credentials of a client. */
  readonly heldBy: (client: 'ada' | 'bob') => Held
  /** The token of the latest mail. */
  readonly mailedToken: () => Promise<string>
  /** The secrets in the latest email. */
  readonly mailed: () => Promise<MailedProof>
  /** The secrets in the mail of an invitation whose role was deleted. */
  readonly invited: (email: string) => Promise<MailedProof>
  /** Returns a code that no request has used. */
  readonly codeOf: (secret: unknown) => string
  readonly wait: (milliseconds: number) => void
}

const as = (name: string, password = PASSWORD) => ({ email: `${name}@example.com`, password })
const typed = (body: string, type = 'application/json'): Call => ({ body, headers: { 'Content-Type': type } })
const withHeaders = (headers: NonNullable<Call['headers']>): Call => ({ headers })
const HALF = typed('{')
const FORGED = withHeaders({ 'X-Authorization': 'Bearer forged' })
const ELSEWHERE = withHeaders({ Origin: 'https://elsewhere.example' })
const WRONG = 'a wrong password'
const WRONG_TYPES = { email: { $ne: '' }, password: 7, newPassword: null, code: ['123456'], resetToken: true }

/** Sends valid and invalid requests to all endpoints, in a fixed order. */
export async function sendRecorded(clients: Clients): Promise<void> {
  await general(clients)
  await logins(clients)
  await ownAccount(clients)
  await secondFactor(clients)
  await ownPasskeys(clients)
  await passkeyLogins(clients)
  await resets(clients)
  await proofs(clients)
  await changedEmails(clients)
  await loginsByMail(clients)
  await impersonation(clients)
  await projects(clients)
  await pets(clients)
  await changedPets(clients)
  await ends(clients)
}

async function general({ anyone }: Clients): Promise<void> {
  for (const path of ['/health/live', '/health/ready', '/openapi.json', '/.well-known/jwks.json', '/docs/'])
    await anyone('GET', path)
  await anyone('GET', '/openapi.json', undefined, withHeaders({ 'If-None-Match': '*' }))
  await anyone('HEAD', '/health/live')
  for (const path of ['/docs/none.js', '/nothing', '/api/nothing', `${PROJECTS}/1/nothing`])
    await anyone('GET', path)
  await anyone('POST', '/health/live')
  await anyone('PUT', LOGIN)
  await anyone('OPTIONS', PETS)
  await anyone('OPTIONS', `${PETS}/1`)
  for (const { method, path, json } of [...EVERY_PROTECTED_ROUTE, ...PASSKEY_ROUTES])
    await anyone(method, path, json)
}

async function logins({ anyone, ada, bob, cleo, heldBy }: Clients): Promise<void> {
  await anyone('POST', LOGIN, as('bob', WRONG))
  for (const json of [{ email: 7 }, { email: 7, password: [] }, {}]) await anyone('POST', LOGIN, json)
  await anyone('POST', LOGIN, undefined, HALF)
  await anyone('POST', LOGIN, undefined, typed('a=b', 'application/x-www-form-urlencoded'))
  await anyone('POST', LOGIN, undefined, typed(JSON.stringify({ email: 'a'.repeat(20_000) })))
  for (const call of [ELSEWHERE, withHeaders({ 'Sec-Fetch-Site': 'cross-site' })])
    await anyone('POST', LOGIN, as('bob'), call)
  await ada('POST', LOGIN, as('ada'))
  await bob('POST', LOGIN, as('bob'))
  await cleo('POST', LOGIN, { ...as('cleo'), id: 1, roles: ['admin'] })
  await anyone('GET', GET_IDENTITY)
  await anyone('GET', GET_IDENTITY, undefined, FORGED)
  await ada('GET', GET_IDENTITY)
  await ada('HEAD', GET_IDENTITY)
  for (const json of [{}, { refreshToken: 7 }, { refreshToken: 'forged' }])
    await anyone('POST', REFRESH, json)
  const { refreshToken } = heldBy('bob')
  await bob('POST', REFRESH, { refreshToken })
  await bob('POST', REFRESH, { refreshToken })
}

async function ownAccount({ bob, wait }: Clients): Promise<void> {
  const { sessions = [] } = viewOf(await bob('GET', SESSIONS)) as { sessions?: readonly { id: string }[] }
  for (const query of ['?limit=1', '?limit=0', '?cursor=x']) await bob('GET', `${SESSIONS}${query}`)
  for (const json of [{}, { id: 'none' }, { others: true }, { id: sessions[0]?.id ?? 'none' }])
    await bob('POST', END_SESSIONS, json)
  await bob('POST', LOGIN, as('bob'))
  await bob('POST', CHANGE_PASSWORD, {})
  await bob('POST', CHANGE_PASSWORD, { password: WRONG, newPassword: NEW_PASSWORD })
  await bob('POST', CHANGE_PASSWORD, { password: PASSWORD, newPassword: 'short' })
  await bob('POST', CHANGE_PASSWORD, { password: PASSWORD, newPassword: NEW_PASSWORD })
  await bob('GET', GET_IDENTITY)
  wait(60_000)
}

async function secondFactor({ anyone, cleo, codeOf }: Clients): Promise<void> {
  const others = [CHANGE_PASSWORD, DELETE_ACCOUNT, EXPORT_ACCOUNT, RESET_PASSWORD]
  for (const path of [SET_UP, CONFIRM, REMOVE, RECOVERY_CODES, ...others])
    await cleo('POST', path, WRONG_TYPES)
  await cleo('GET', FACTOR)
  await cleo('POST', CONFIRM, { code: '123456' })
  await cleo('POST', REMOVE, { password: PASSWORD, code: '123456' })
  await cleo('POST', RECOVERY_CODES, { password: PASSWORD, code: '123456' })
  await cleo('POST', SET_UP, {})
  await cleo('POST', SET_UP, { password: WRONG })
  const { secret } = viewOf(await cleo('POST', SET_UP, { password: PASSWORD }))
  await cleo('POST', CONFIRM, {})
  await cleo('POST', CONFIRM, { code: 'none' })
  await cleo('POST', CONFIRM, { code: codeOf(secret) })
  await cleo('GET', FACTOR)
  await cleo('POST', SET_UP, { password: PASSWORD })
  await anyone('POST', LOGIN, as('cleo'))
  await anyone('POST', LOGIN, { ...as('cleo'), code: 'none' })
  await cleo('POST', RECOVERY_CODES, {})
  await cleo('POST', RECOVERY_CODES, { password: PASSWORD, code: 'none' })
  await cleo('POST', RECOVERY_CODES, { password: PASSWORD, code: codeOf(secret) })
  await cleo('POST', REMOVE, {})
  await cleo('POST', REMOVE, { password: PASSWORD, code: 'none' })
  await cleo('POST', REMOVE, { password: PASSWORD, code: codeOf(secret) })
  await cleo('GET', FACTOR)
}

const PASSKEYS = '/api/auth/passkeys'
const PASSKEY_LOGIN = `${LOGIN}/passkey`
const CONFIRM_BY_PASSKEY = `${CONFIRM_LOGIN}/passkey/begin`
const authenticator = createAuthenticator()
const optionsOf = (reply: Reply) => viewOf(reply)['options'] as JsonObject

async function ownPasskeys({ cleo }: Clients): Promise<void> {
  const id = Buffer.from('a passkey of cleo')
  const created = async (by = authenticator) =>
    by.create(optionsOf(await cleo('POST', `${PASSKEYS}/begin`)), { id })
  await cleo('POST', CONFIRM_BY_PASSKEY)
  for (const json of [{}, { credential: 7 }, { credential: {} }]) await cleo('POST', PASSKEYS, json)
  const credential = await created()
  for (const name of ['a phone', 'another']) await cleo('POST', PASSKEYS, { credential, name })
  await cleo('POST', PASSKEYS, { credential: await created(createAuthenticator()) })
  const own = { id: id.toString('base64url') }
  for (const more of [WRONG_TYPES, { name: '' }, { id: 'x', name: 'my phone' }, { name: 'my phone' }])
    await cleo('POST', `${PASSKEYS}/rename`, { ...own, ...more })
  await cleo('GET', PASSKEYS)
}

async function passkeyLogins({ anyone, cleo, wait }: Clients): Promise<void> {
  for (const path of [`${PASSKEY_LOGIN}/begin`, PASSKEY_LOGIN])
    for (const call of [FORGED, ELSEWHERE]) await anyone('POST', path, {}, call)
  for (const json of [{}, { credential: 7 }, { credential: {} }]) await anyone('POST', PASSKEY_LOGIN, json)
  const begun = await anyone('POST', `${PASSKEY_LOGIN}/begin`)
  const binding = proofCookieOf(begun)
  const credential = authenticator.get(optionsOf(begun))
  for (const call of [undefined, binding, binding]) await anyone('POST', PASSKEY_LOGIN, { credential }, call)
  wait(60_000)
  const confirmed = authenticator.get(optionsOf(await cleo('POST', CONFIRM_BY_PASSKEY)))
  for (const passkey of [7, confirmed, confirmed]) await cleo('POST', CONFIRM_LOGIN, { passkey })
  const { passkeys = [] } = viewOf(await cleo('GET', PASSKEYS)) as { passkeys?: readonly { id: string }[] }
  for (const json of [{ id: 7 }, { id: 'x' }, { id: passkeys[0]?.id }])
    await cleo('POST', `${PASSKEYS}/remove`, json)
}

async function resets({ anyone, mailedToken }: Clients): Promise<void> {
  await anyone('POST', RESET_PASSWORD, {})
  await anyone('POST', RESET_PASSWORD, {}, FORGED)
  await anyone('POST', RESET_PASSWORD, {}, ELSEWHERE)
  for (const name of ['nobody', 'bob']) await anyone('POST', RESET_PASSWORD, { email: `${name}@example.com` })
  await anyone('POST', RESET_PASSWORD, { ...as('bob'), resetToken: 'forged' })
  const resetToken = await mailedToken()
  await anyone('POST', RESET_PASSWORD, { ...as('bob', 'short'), resetToken })
  await anyone('POST', RESET_PASSWORD, { ...as('bob'), resetToken })
  await anyone('POST', RESET_PASSWORD, { ...as('bob'), resetToken })
}

async function proofs({ anyone, mailed, invited, wait }: Clients): Promise<void> {
  const paths = [SIGN_UP, LOGIN_BY_MAIL].flatMap((path) => [path, `${path}/confirm`])
  for (const path of [...paths, `${CHANGE_EMAIL}/confirm`, `${CHANGE_EMAIL}/undo`]) {
    for (const call of [undefined, FORGED, ELSEWHERE]) await anyone('POST', path, {}, call)
    await anyone('POST', path, { ...WRONG_TYPES, token: 7, challenge: null, secondFactor: [] })
    await anyone('POST', path, { ...as('gil'), token: 'forged' })
    await anyone('GET', path)
  }
  const signUp = async () => {
    wait(60_000)
    const reply = await anyone('POST', SIGN_UP, { email: 'hal@example.com' })
    return { ...(await mailed()), binding: proofCookieOf(reply) }
  }
  await anyone('POST', SIGN_UP, { email: 'bob@example.com' })
  const [first, { code, binding }] = [await signUp(), await signUp()]
  await anyone('POST', CONFIRM_SIGN_UP, { code, password: 'short' }, binding)
  await anyone('POST', CONFIRM_SIGN_UP, { code, password: PASSWORD })
  await anyone('POST', CONFIRM_SIGN_UP, { code, password: PASSWORD }, binding)
  await anyone('POST', CONFIRM_SIGN_UP, { token: first.token, password: PASSWORD })
  const { token } = await invited('ian@example.com')
  await anyone('POST', CONFIRM_SIGN_UP, { token, password: PASSWORD })
}

async function changedEmails({ anyone, fay, mailed, wait }: Clients): Promise<void> {
  const change = async (email: string) => {
    wait(60_000)
    await fay('POST', CHANGE_EMAIL, { email, password: PASSWORD })
    return await mailed()
  }
  const signUp = async (email: string) => {
    await anyone('POST', SIGN_UP, { email })
    await anyone('POST', CONFIRM_SIGN_UP, { token: (await mailed()).token, password: PASSWORD })
  }
  await anyone('POST', CHANGE_EMAIL, as('jim'))
  await fay('POST', LOGIN, as('fay'))
  for (const json of [{}, as('fay'), as('jim', WRONG), WRONG_TYPES]) await fay('POST', CHANGE_EMAIL, json)
  const taken = await change('jim@example.com')
  await signUp('jim@example.com')
  await anyone('POST', `${CHANGE_EMAIL}/confirm`, { token: taken.token })
  for (const isTaken of [false, true]) {
    const { token } = await change('fay@home.example')
    await anyone('POST', `${CHANGE_EMAIL}/confirm`, { token })
    const undo = await mailed()
    if (isTaken) await signUp('fay@example.com')
    await anyone('POST', `${CHANGE_EMAIL}/undo`, { token: undo.token })
    await fay('POST', LOGIN, isTaken ? { email: 'fay@home.example', password: PASSWORD } : as('fay'))
  }
}

async function loginsByMail({ anyone, fay, mailed, codeOf, wait }: Clients): Promise<void> {
  const secret = String(viewOf(await fay('POST', SET_UP, { password: PASSWORD }))['secret'])
  await fay('POST', CONFIRM, { code: codeOf(secret) })
  wait(60_000)
  const binding = proofCookieOf(await anyone('POST', LOGIN_BY_MAIL, { email: 'fay@home.example' }))
  const { token, code } = await mailed()
  await anyone('POST', `${LOGIN_BY_MAIL}/confirm`, { token })
  await anyone('POST', `${LOGIN_BY_MAIL}/confirm`, { code }, binding)
  for (const secondFactor of ['none', codeOf(secret)])
    await anyone('POST', `${LOGIN_BY_MAIL}/confirm`, { token, secondFactor }, binding)
}

async function impersonation({ ada, bob, heldBy }: Clients): Promise<void> {
  await bob('POST', LOGIN, as('bob'))
  await bob('POST', LOGIN_AS, { userId: 3 })
  for (const userId of [undefined, '2', 99, 1, 4]) await ada('POST', LOGIN_AS, { userId })
  await ada('POST', LOGOUT_AS, {})
  await ada('POST', LOGIN_AS, { userId: 2 })
  await ada('POST', REFRESH, { refreshToken: heldBy('ada').refreshToken })
  await ada('GET', GET_IDENTITY)
  for (const { method, path, json } of [...EVERY_PROTECTED_ROUTE, ...PASSKEY_ROUTES])
    if (path !== LOGOUT_AS) await ada(method, path, json)
  await ada('POST', CHANGE_EMAIL, as('jim'))
  await ada('POST', LOGOUT_AS, undefined, HALF)
  await ada('POST', LOGOUT_AS)
  await ada('GET', GET_IDENTITY)
}

async function projects({ bob, cleo }: Clients): Promise<void> {
  for (const { method, path, json } of EVERY_PROTECTED_ROUTE)
    if (path.startsWith(PROJECTS)) await cleo(method, path, json)
  await bob('POST', CREATE_PROJECT, {})
  await bob('POST', CREATE_PROJECT, { label: '', status: 1 })
  await bob('POST', CREATE_PROJECT, undefined, HALF)
  await bob('POST', CREATE_PROJECT, undefined, typed('null'))
  await bob('POST', CREATE_PROJECT, undefined, typed('{"label":"a","status":"b","budget":1e999}'))
  const { data } = viewOf(await bob('POST', CREATE_PROJECT, { ...PROJECT, id: 9 }))
  const { id } = data as { id: number }
  for (const query of ['', '?limit=1', '?limit=0', '?cursor=x', `/${id}`, '/0', '/99'])
    await bob('GET', `${PROJECTS}${query}`)
  for (const json of [{}, { id: '1' }, { id: 99 }, { id }, { id }]) await bob('POST', CLOSE_PROJECT, json)
  await bob('POST', CLOSE_PROJECT, undefined, HALF)
}

const REX = { name: ' Rex ', tag: 'adopted', category: 'One' }
const ONCE = withHeaders({ 'Idempotency-Key': 'one-key' })

async function pets({ anyone, bob, program }: Clients): Promise<void> {
  await program('GET', PETS)
  await program('POST', PETS, REX)
  for (const name of ['Tom', 'Tom', 'Tim']) await program('POST', PETS, { name }, ONCE)
  await program('POST', PETS, {})
  await program('POST', PETS, { name: '', tag: '', category: 'Four' })
  await program('POST', PETS, { name: 'Rex', tag: 1, color: 'red' })
  await program('POST', PETS, undefined, typed('a', 'text/plain'))
  await program('POST', PETS, undefined, typed(JSON.stringify({ name: 'a'.repeat(70_000) })))
  for (const query of ['', '?limit=1', '?limit=0', '?cursor=x', '?ids=2,99,1', '?ids=0', '?ids=1&limit=1'])
    await program('GET', `${PETS}${query}`)
  await anyone('GET', PETS)
  await anyone('POST', PETS, REX)
  for (const method of ['GET', 'PATCH', 'DELETE']) await anyone(method, `${PETS}/1`)
  await anyone('GET', PETS, undefined, withHeaders({ 'X-API-Key': 'kennel_wrong' }))
  await anyone('GET', PETS, undefined, withHeaders({ Authorization: basic('bob@example.com') }))
  await anyone('GET', PETS, undefined, withHeaders({ BasicAuth: basic('bob@example.com', 'wrong') }))
  await bob('GET', PETS)
}

const MERGE = withHeaders({ 'Content-Type': 'application/merge-patch+json' })

async function changedPets({ program }: Clients): Promise<void> {
  const one = `${PETS}/1`
  await program('GET', one)
  await program('HEAD', one)
  await program('GET', one, undefined, withHeaders({ 'If-None-Match': '"1-1"' }))
  await program('GET', `${PETS}/99`)
  await program('PATCH', one, { bark: true, breed: 'Border Collie' })
  await program('PATCH', one, { breed: null }, MERGE)
  await program('PATCH', one, { breed: null })
  await program('PATCH', one, { age: 3, hunts: false }, withHeaders({ 'If-Match': '"1-3"' }))
  await program('PATCH', one, { age: 3, hunts: false }, withHeaders({ 'If-Match': '"1-3"' }))
  for (const json of [{ age: 3, bark: true }, {}, { age: -1 }, { hunts: 1, name: 'Max' }])
    await program('PATCH', one, json)
  await program('PATCH', `${PETS}/99`, { age: 4 })
  await program('GET', PETS)
  await program('DELETE', `${PETS}/2`, undefined, withHeaders({ 'If-Match': '"2-9"' }))
  await program('DELETE', `${PETS}/2`)
  await program('DELETE', `${PETS}/2`)
}

async function ends({ anyone, ada, bob, cleo, heldBy, wait }: Clients): Promise<void> {
  await anyone('POST', LOGOUT, {})
  await anyone('POST', LOGOUT)
  await anyone('POST', LOGOUT, undefined, HALF)
  await anyone('POST', LOGOUT, {}, FORGED)
  await cleo('POST', EXPORT_ACCOUNT, {})
  await cleo('POST', EXPORT_ACCOUNT, { password: WRONG })
  await cleo('POST', EXPORT_ACCOUNT, { password: PASSWORD })
  wait(60_000)
  await cleo('POST', CONFIRM_LOGIN, { password: WRONG })
  await cleo('POST', CONFIRM_LOGIN, { password: PASSWORD })
  await cleo('POST', DELETE_ACCOUNT, {})
  await cleo('POST', DELETE_ACCOUNT, { password: WRONG })
  await cleo('POST', DELETE_ACCOUNT, { password: PASSWORD })
  await cleo('GET', GET_IDENTITY)
  // Longer than the lifetime of an access token.
  wait(1_000_000)
  await bob('GET', GET_IDENTITY)
  await bob('POST', LOGIN, as('bob'))
  await bob('POST', REFRESH, { refreshToken: heldBy('bob').refreshToken })
  wait(1_000_000)
  await bob('POST', LOGOUT)
  await bob('POST', LOGOUT)
  await ada('POST', REFRESH, { refreshToken: heldBy('bob').refreshToken })
  for (let attempt = 0; attempt < 4; attempt += 1) await anyone('POST', LOGIN, as('dora', WRONG))
}
