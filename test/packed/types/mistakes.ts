export type Mistake = {
  readonly title: string
  readonly wrong: string
  readonly right: string
  /** Without `TS`. */
  readonly code: number
  /** A word that leads the reader to the mistake, so the error message must contain it. */
  readonly names: string
}

/** Begins each program, and declares every kind of value that the mistakes use. */
export const GIVEN = `
import {
  DEFAULT_PERMISSIONS, openKennel, type Account, type Claims, type Issued, type Kennel, type KennelOptions, type PasswordHash, type PetId, type PetName,
  type SessionKey,
} from 'kennel-id'
import { operations, type PartsOf } from 'kennel-id/use-cases'
import { createServer } from 'node:http'
import { createListener } from 'kennel-id/node'
import { createHandler } from 'kennel-id/web'
import { createKennelClient } from 'kennel-id/client'
import { storeLaws } from 'kennel-id/contracts'
import { createHttpService } from 'kennel-id/koa'
import type { Log, Session, Store } from 'kennel-id/ports'
declare const login: PartsOf<'login'>
declare const refresh: PartsOf<'refresh'>
const createLogin = operations.login.factory
const createRefresh = operations.refresh.factory
const createAuthenticate = operations.authenticate.factory
declare const store: Store
declare const kennel: Kennel
declare const billing: Kennel<{ readonly invoices: readonly ['list', 'pay'] }>
declare const account: Account
declare const session: Session
declare const sessionKey: SessionKey
declare const issued: Issued
declare const claims: Claims
declare const pet: PetId
declare const name: PetName
declare const hash: PasswordHash
declare const log: Log
declare const options: KennelOptions
const caller = { kind: 'cli' } as const
const presented = { accessToken: issued.accessToken, sessionKey: issued.sessionKey }
const { hasher: anyHasher, ...loginWithoutHasher } = login
const { accounts: anyAccounts, ...storeWithoutAccounts } = store
`

/** Each case has three lines: title, error code and a word from the message; the mistake; the correction. */
const TABLE = `
  a login that has no hasher | 2345 | hasher
    createLogin(loginWithoutHasher)
    createLogin({ ...loginWithoutHasher, hasher: anyHasher })
  sessions where accounts belong | 2740 | Accounts
    createLogin({ ...login, accounts: store.sessions })
    createLogin({ ...login, accounts: store.accounts })
  tokens and session keys that are swapped | 2739 | TokenSigner
    createRefresh({ ...refresh, tokens: refresh.sessionKeys, sessionKeys: refresh.sessionKeys })
    createRefresh({ ...refresh, tokens: refresh.tokens, sessionKeys: refresh.sessionKeys })
  a hasher that answers without a promise | 2739 | Promise<PasswordHash>
    createLogin({ ...login, hasher: { ...login.hasher, hash: () => hash } })
    createLogin({ ...login, hasher: { ...login.hasher, hash: async () => hash } })
  a hasher whose hash is any text | 2322 | PasswordHash
    createLogin({ ...login, hasher: { ...login.hasher, hash: async () => 'scrypt' } })
    createLogin({ ...login, hasher: { ...login.hasher, hash: async () => hash } })
  a clock that tells a Date | 2322 | number
    createAuthenticate({ ...refresh, clock: () => new Date() })
    createAuthenticate({ ...refresh, clock: () => Date.now() })
  a Kennel without an address | 2345 | publicUrl
    openKennel({ passphrase: options.passphrase })
    openKennel({ passphrase: options.passphrase, publicUrl: 'https://kennel.example' })
  a passphrase of another type than text | 2322 | string
    openKennel({ passphrase: 1, publicUrl: options.publicUrl })
    openKennel({ passphrase: process.env['PASSPHRASE'], publicUrl: process.env['URL'], mailUrl: process.env['MAIL_URL'] })
  an action that is appended to something else than the default actions | 2339 | project
    openKennel({ ...options, permissions: { roles: { everyone: { components: { auth: [...DEFAULT_PERMISSIONS.roles.everyone.components.project, 'reset-password'] } } } } })
    openKennel({ ...options, permissions: { roles: { everyone: { components: { auth: [...DEFAULT_PERMISSIONS.roles.everyone.components.auth, 'reset-password'] } } } } })
  a listener where a web handler belongs | 2345 | WebHandler
    createServer(createListener((_request: string) => new Response()))
    createServer(createListener(createHandler(kennel)))
  a store that lacks a port | 2322 | accounts
    openKennel({ ...options, store: storeWithoutAccounts })
    openKennel({ ...options, store: { ...storeWithoutAccounts, accounts: anyAccounts } })
  an option that is misspelt | 2561 | passPhrase
    openKennel({ ...options, passPhrase: options.passphrase })
    openKennel({ ...options, passphrase: options.passphrase })
  an unknown value of an option | 2322 | paseto
    openKennel({ ...options, tokenFormat: 'jws' })
    openKennel({ ...options, tokenFormat: 'jwt' })
  a misspelt custom component after it was an option | 2345 | invoice
    openKennel({ ...options, components: { invoices: ['pay'] } }).then((own) => own.authorize(caller, 'invoice', 'pay'))
    openKennel({ ...options, components: { invoices: ['pay'] } }).then((own) => own.authorize(caller, 'invoices', 'pay'))
  a custom component with the name of a built-in component | 2322 | pets: string[]
    openKennel({ ...options, components: { pets: ['feed'] } })
    openKennel({ ...options, components: { feeding: ['feed'] } })
  a misspelt custom action in the permissions | 2322 | pya
    openKennel({ ...options, components: { invoices: ['list', 'pay'] }, permissions: { roles: { clerk: { components: { invoices: ['pya'] } } } } })
    openKennel({ ...options, components: { invoices: ['list', 'pay'] }, permissions: { roles: { clerk: { components: { invoices: ['pay'] } } } } })
  a misspelt custom component in the permissions | 2561 | invoice
    openKennel({ ...options, components: { invoices: ['pay'] }, permissions: { roles: { clerk: { components: { invoice: ['*'] } } } } })
    openKennel({ ...options, components: { invoices: ['pay'] }, permissions: { roles: { clerk: { components: { invoices: ['*'] } } } } })
  a misspelt built-in action in the permissions | 2820 | liist
    openKennel({ ...options, permissions: { roles: { clerk: { components: { pets: ['liist'] } } } } })
    openKennel({ ...options, permissions: { roles: { clerk: { components: { pets: ['list'] } } } } })
  a mailer that does not report the delivery | 2322 | Delivery
    openKennel({ ...options, parts: { mailer: { send: async () => {}, close: async () => {} } } })
    openKennel({ ...options, parts: { mailer: { send: async () => ({ kind: 'sent' }), close: async () => {} } } })
  an unknown name of a part | 2561 | hashers
    openKennel({ ...options, parts: { hashers: login.hasher } })
    openKennel({ ...options, parts: { hasher: login.hasher } })
  a login without the presented credentials | 2345 | presented
    kennel.login({ email: 'ada@example.com', password: 'a good one' })
    kennel.login({ email: 'ada@example.com', password: 'a good one', presented: {} })
  an access token where the presented credentials belong | 2559 | Presented
    kennel.getIdentity(issued.accessToken)
    kennel.getIdentity(presented)
  a user without a creator | 2345 | caller
    kennel.createUser({ email: 'ada@example.com', password: 'a good one' })
    kennel.createUser({ caller, email: 'ada@example.com', password: 'a good one' })
  the id of an account where the id of a pet belongs | 2322 | PetId
    kennel.readPet({ caller, id: account.id })
    kennel.readPet({ caller, id: pet })
  the name of a pet that nothing has checked | 2322 | PetName
    kennel.createPet({ caller, draft: { name: 'Rex' } })
    kennel.createPet({ caller, draft: { name } })
  the key of a session where its id belongs | 2345 | SessionId
    store.sessions.end(sessionKey)
    store.sessions.end(session.id)
  an action of another component | 2345 | login
    kennel.authorize(caller, 'pets', 'login')
    kennel.authorize(caller, 'auth', 'login')
  headers where a page request belongs, because they have no method | 2345 | PageRequest
    kennel.identifyPage(new Headers())
    kennel.identifyPage(new Request('https://kennel.example'))
  an action that a custom component does not have | 2345 | pya
    billing.authorize(caller, 'invoices', 'pya')
    billing.authorize(caller, 'invoices', 'pay')
  claims that stand in for a checked access token | 2322 | AccessToken
    kennel.getIdentity({ accessToken: { claims } })
    kennel.checkAccessToken(issued.accessToken).then((accessToken) => kennel.getIdentity({ accessToken }))
  a law that gets one port of a store | 2345 | Store
    storeLaws[0]?.check(store.accounts)
    storeLaws[0]?.check(store)
  Koa routes without a log | 2345 | log
    createHttpService({ useCases: kennel, settings: kennel.httpSettings, readiness: kennel.ready })
    createHttpService({ useCases: kennel, settings: kennel.httpSettings, readiness: kennel.ready, log })
  a client without the address of the service | 2345 | baseUrl
    createKennelClient({})
    createKennelClient({ baseUrl: 'https://kennel.example' })
  the issued tokens where a whole identity is read | 2339 | email
    const email: string = issued.email
    const email: string = issued.identity.email; void email
`

const LINES = TABLE.trim().split(/\n */)

export const MISTAKES: readonly Mistake[] = LINES.flatMap((line, index) => {
  if (index % 3 !== 0) return []
  const [title = '', code, names = ''] = line.split(' | ')
  return [{ title, code: Number(code), names, wrong: LINES[index + 1] ?? '', right: LINES[index + 2] ?? '' }]
})
