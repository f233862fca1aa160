/** A mistake: what it looks like, its correction in the same place, and what the compiler says to it. */
export type Mistake = {
  /** Reads on from "the types refuse". */
  readonly title: string
  readonly wrong: string
  readonly right: string
  /** Without `TS`. */
  readonly code: number
  /** A word of the message: what a reader needs to find the mistake. */
  readonly names: string
}

/** Stands before each: an embedder who has all parts. */
export const GIVEN = `
import {
  openKennel, type Account, type Claims, type Issued, type Kennel, type KennelOptions, type PasswordHash, type PetId, type PetName,
  type SessionKey,
} from 'kennel-id'
import {
  createAuthenticate, createLogin, createReadPet, createRefresh, type LoginParts, type RefreshParts,
} from 'kennel-id/use-cases'
import { createKennelClient } from 'kennel-id/client'
import { storeLaws } from 'kennel-id/contracts'
import { createHttpService } from 'kennel-id/koa'
import type { Log, Session, Store } from 'kennel-id/ports'
declare const login: LoginParts
declare const refresh: RefreshParts
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

/** Parts of the long way. */
const PARTS: readonly Mistake[] = [
  {
    title: 'a login that has no hasher',
    wrong: 'createLogin(loginWithoutHasher)',
    right: 'createLogin({ ...loginWithoutHasher, hasher: anyHasher })',
    code: 2345,
    names: 'hasher',
  },
  {
    title: 'sessions where accounts belong',
    wrong: 'createLogin({ ...login, accounts: store.sessions })',
    right: 'createLogin({ ...login, accounts: store.accounts })',
    code: 2740,
    names: 'Accounts',
  },
  {
    title: 'tokens and session keys that are swapped',
    wrong: 'createRefresh({ ...refresh, tokens: refresh.sessionKeys, sessionKeys: refresh.sessionKeys })',
    right: 'createRefresh({ ...refresh, tokens: refresh.tokens, sessionKeys: refresh.sessionKeys })',
    code: 2739,
    names: 'TokenSigner',
  },
  {
    title: 'session keys and tokens that are swapped',
    wrong: 'createRefresh({ ...refresh, tokens: refresh.tokens, sessionKeys: refresh.tokens })',
    right: 'createRefresh({ ...refresh, tokens: refresh.tokens, sessionKeys: refresh.sessionKeys })',
    code: 2739,
    names: 'SessionKeys',
  },
  {
    title: 'a hasher that answers at once',
    wrong: 'createLogin({ ...login, hasher: { ...login.hasher, hash: () => hash } })',
    right: 'createLogin({ ...login, hasher: { ...login.hasher, hash: async () => hash } })',
    code: 2739,
    names: 'Promise<PasswordHash>',
  },
  {
    title: 'a hasher whose hash is any text',
    wrong: "createLogin({ ...login, hasher: { ...login.hasher, hash: async () => 'scrypt' } })",
    right: 'createLogin({ ...login, hasher: { ...login.hasher, hash: async () => hash } })',
    code: 2322,
    names: 'PasswordHash',
  },
  {
    title: 'a clock that tells a Date',
    wrong: 'createAuthenticate({ ...refresh, clock: () => new Date() })',
    right: 'createAuthenticate({ ...refresh, clock: () => Date.now() })',
    code: 2322,
    names: 'number',
  },
  {
    title: 'lifetimes that are texts',
    wrong: "createRefresh({ ...refresh, lifetimes: { ...refresh.lifetimes, session: '30d' } })",
    right: 'createRefresh({ ...refresh, lifetimes: { ...refresh.lifetimes, session: 30 * 86_400_000 } })',
    code: 2322,
    names: 'number',
  },
]

/** What a Kennel is opened with. */
const OPTIONS: readonly Mistake[] = [
  {
    title: 'a Kennel without an address',
    wrong: 'openKennel({ passphrase: options.passphrase })',
    right: "openKennel({ passphrase: options.passphrase, publicUrl: 'https://kennel.example' })",
    code: 2345,
    names: 'publicUrl',
  },
  {
    title: 'a store that lacks a port',
    wrong: 'openKennel({ ...options, store: storeWithoutAccounts })',
    right: 'openKennel({ ...options, store: { ...storeWithoutAccounts, accounts: anyAccounts } })',
    code: 2322,
    names: 'accounts',
  },
  {
    title: 'an option that is misspelt',
    wrong: 'openKennel({ ...options, passPhrase: options.passphrase })',
    right: 'openKennel({ ...options, passphrase: options.passphrase })',
    code: 2561,
    names: 'passPhrase',
  },
  {
    title: 'an option whose value there is not',
    wrong: "openKennel({ ...options, tokenFormat: 'jws' })",
    right: "openKennel({ ...options, tokenFormat: 'jwt' })",
    code: 2322,
    names: 'paseto',
  },
  {
    title: 'a component of one’s own that is misspelt after it was an option',
    wrong:
      "openKennel({ ...options, components: { invoices: ['pay'] } }).then((own) => own.authorize(caller, 'invoice', 'pay'))",
    right:
      "openKennel({ ...options, components: { invoices: ['pay'] } }).then((own) => own.authorize(caller, 'invoices', 'pay'))",
    code: 2345,
    names: 'invoice',
  },
  {
    title: 'a component of one’s own with the name of a built-in one',
    wrong: "openKennel({ ...options, components: { pets: ['feed'] } })",
    right: "openKennel({ ...options, components: { feeding: ['feed'] } })",
    code: 2322,
    names: 'pets: string[]',
  },
  {
    title: 'one previous passphrase that is no list',
    wrong: 'openKennel({ ...options, previousPassphrases: options.passphrase })',
    right: 'openKennel({ ...options, previousPassphrases: [options.passphrase] })',
    code: 2322,
    names: 'readonly string[]',
  },
  {
    title: 'a mailer that does not say what became of a mail',
    wrong: 'openKennel({ ...options, parts: { mailer: { send: async () => {}, close: async () => {} } } })',
    right:
      "openKennel({ ...options, parts: { mailer: { send: async () => ({ kind: 'sent' }), close: async () => {} } } })",
    code: 2322,
    names: 'Delivery',
  },
  {
    title: 'the name of a part that there is not',
    wrong: 'openKennel({ ...options, parts: { hashers: login.hasher } })',
    right: 'openKennel({ ...options, parts: { hasher: login.hasher } })',
    code: 2561,
    names: 'hashers',
  },
]

/** Calls, with everything in its place or not. */
const CALLS: readonly Mistake[] = [
  {
    title: 'a login without what the request presented',
    wrong: "kennel.login({ email: 'ada@example.com', password: 'a good one' })",
    right: "kennel.login({ email: 'ada@example.com', password: 'a good one', presented: {} })",
    code: 2345,
    names: 'presented',
  },
  {
    title: 'an access token alone where what was presented belongs',
    wrong: 'kennel.getIdentity(issued.accessToken)',
    right: 'kennel.getIdentity(presented)',
    code: 2559,
    names: 'Presented',
  },
  {
    title: 'a user without a creator',
    wrong: "kennel.createUser({ email: 'ada@example.com', password: 'a good one' })",
    right: "kennel.createUser({ caller, email: 'ada@example.com', password: 'a good one' })",
    code: 2345,
    names: 'caller',
  },
  {
    title: 'an email where the id of a pet belongs',
    wrong: 'kennel.readPet({ caller, id: account.email })',
    right: 'kennel.readPet({ caller, id: pet })',
    code: 2322,
    names: 'PetId',
  },
  {
    title: 'the id of an account where that of a pet belongs',
    wrong: 'kennel.readPet({ caller, id: account.id })',
    right: 'kennel.readPet({ caller, id: pet })',
    code: 2322,
    names: 'PetId',
  },
  {
    title: 'the name of a pet that nothing has checked',
    wrong: "kennel.createPet({ caller, draft: { name: 'Rex' } })",
    right: 'kennel.createPet({ caller, draft: { name } })',
    code: 2322,
    names: 'PetName',
  },
  {
    title: 'the key of a session where its id belongs',
    wrong: 'store.sessions.end(sessionKey)',
    right: 'store.sessions.end(session.id)',
    code: 2345,
    names: 'SessionId',
  },
  {
    title: 'the key of a session where its digest belongs',
    wrong: 'store.sessions.find(sessionKey, 0)',
    right: 'store.sessions.find(session.current.keyDigest, 0)',
    code: 2345,
    names: 'KeyDigest',
  },
  {
    title: 'an action of another component',
    wrong: "kennel.authorize(caller, 'pets', 'login')",
    right: "kennel.authorize(caller, 'auth', 'login')",
    code: 2345,
    names: 'login',
  },
  {
    title: 'headers alone where a page is asked for, which tell no method',
    wrong: 'kennel.identifyPage(new Headers())',
    right: 'kennel.identifyPage(new Request(options.publicUrl))',
    code: 2345,
    names: 'PageRequest',
  },
  {
    title: 'a component of one’s own that was not an option',
    wrong: "kennel.authorize(caller, 'invoices', 'pay')",
    right: "billing.authorize(caller, 'invoices', 'pay')",
    code: 2345,
    names: 'invoices',
  },
  {
    title: 'an action that a component of one’s own does not have',
    wrong: "billing.authorize(caller, 'invoices', 'pya')",
    right: "billing.authorize(caller, 'invoices', 'pay')",
    code: 2345,
    names: 'pya',
  },
  {
    title: 'the proof of a component of one’s own where a built-in one is needed',
    wrong: "billing.readPet({ authorized: billing.authorize(caller, 'invoices', 'list'), id: pet })",
    right: "billing.readPet({ authorized: billing.authorize(caller, 'pets', 'read'), id: pet })",
    code: 2322,
    names: 'invoices',
  },
  {
    title: 'a proof that was not judged',
    wrong: "kennel.readPet({ authorized: { caller, component: 'pets', action: 'read' }, id: pet })",
    right: "kennel.readPet({ authorized: kennel.authorize(caller, 'pets', 'read'), id: pet })",
    code: 2741,
    names: 'Authorized',
  },
  {
    title: 'an access token that is not checked',
    wrong: 'createLogin(login)({ email: 1, password: 2, presented: { accessToken: issued.accessToken } })',
    right:
      'kennel.checkAccessToken(issued.accessToken).then((accessToken) => createLogin(login)({ email: 1, password: 2, presented: { accessToken } }))',
    code: 2322,
    names: 'AccessToken',
  },
  {
    title: 'claims that stand in for a checked access token',
    wrong: 'kennel.getIdentity({ accessToken: { claims } })',
    right:
      'kennel.checkAccessToken(issued.accessToken).then((accessToken) => kennel.getIdentity({ accessToken }))',
    code: 2322,
    names: 'AccessToken',
  },
  {
    title: 'the proof of another permission',
    wrong: "kennel.readPet({ authorized: kennel.authorize(caller, 'pets', 'list'), id: pet })",
    right: "kennel.readPet({ authorized: kennel.authorize(caller, 'pets', 'read'), id: pet })",
    code: 2322,
    names: 'read',
  },
  {
    title: 'a use case that is asked by a caller who was not judged',
    wrong: 'createReadPet({ pets: store.pets })({ caller, id: pet })',
    right:
      "createReadPet({ pets: store.pets })({ authorized: kennel.authorize(caller, 'pets', 'read'), id: pet })",
    code: 2353,
    names: 'caller',
  },
  {
    title: 'a law that gets one port of a store',
    wrong: 'storeLaws[0]?.check(store.accounts)',
    right: 'storeLaws[0]?.check(store)',
    code: 2345,
    names: 'Store',
  },
  {
    title: 'Koa routes that are not told how to log',
    wrong: 'createHttpService({ useCases: kennel, settings: kennel.httpSettings, readiness: kennel.ready })',
    right:
      'createHttpService({ useCases: kennel, settings: kennel.httpSettings, readiness: kennel.ready, log })',
    code: 2345,
    names: 'log',
  },
  {
    title: 'a client that does not know where the service is',
    wrong: 'createKennelClient({})',
    right: "createKennelClient({ baseUrl: 'https://kennel.example' })",
    code: 2345,
    names: 'baseUrl',
  },
  {
    title: 'what was issued where a whole identity is read',
    wrong: 'const email: string = issued.email',
    right: 'const email: string = issued.identity.email; void email',
    code: 2339,
    names: 'email',
  },
]

/** All of them. */
export const MISTAKES: readonly Mistake[] = [...PARTS, ...OPTIONS, ...CALLS]
