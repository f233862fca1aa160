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
  DEFAULT_PERMISSIONS, openKennel, type Account, type Claims, type Issued, type Kennel, type KennelOptions, type PasswordHash, type PetId,
} from 'kennel-id'
import { operations, type PartsOf } from 'kennel-id/use-cases'
import type { Store } from 'kennel-id/ports'
declare const login: PartsOf<'login'>
declare const refresh: PartsOf<'refresh'>
const createLogin = operations.login.factory
const createRefresh = operations.refresh.factory
declare const store: Store
declare const kennel: Kennel
declare const account: Account
declare const issued: Issued
declare const claims: Claims
declare const pet: PetId
declare const hash: PasswordHash
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
  tokens and session keys that are swapped | 2739 | TokenSigner
    createRefresh({ ...refresh, tokens: refresh.sessionKeys, sessionKeys: refresh.sessionKeys })
    createRefresh({ ...refresh, tokens: refresh.tokens, sessionKeys: refresh.sessionKeys })
  a hasher that answers without a promise | 2739 | Promise<PasswordHash>
    createLogin({ ...login, hasher: { ...login.hasher, hash: () => hash } })
    createLogin({ ...login, hasher: { ...login.hasher, hash: async () => hash } })
  a Kennel without an address | 2345 | publicUrl
    openKennel({ passphrase: options.passphrase })
    openKennel({ passphrase: options.passphrase, publicUrl: 'https://kennel.example' })
  an action that is appended to something else than the default actions | 2339 | project
    openKennel({ ...options, permissions: { roles: { everyone: { components: { auth: [...DEFAULT_PERMISSIONS.roles.everyone.components.project, 'reset-password'] } } } } })
    openKennel({ ...options, permissions: { roles: { everyone: { components: { auth: [...DEFAULT_PERMISSIONS.roles.everyone.components.auth, 'reset-password'] } } } } })
  a store that lacks a port | 2322 | accounts
    openKennel({ ...options, store: storeWithoutAccounts })
    openKennel({ ...options, store: { ...storeWithoutAccounts, accounts: anyAccounts } })
  an option that is misspelt | 2561 | passPhrase
    openKennel({ ...options, passPhrase: options.passphrase })
    openKennel({ ...options, passphrase: options.passphrase })
  a custom component with the name of a built-in component | 2322 | pets: string[]
    openKennel({ ...options, components: { pets: ['feed'] } })
    openKennel({ ...options, components: { feeding: ['feed'] } })
  a misspelt custom component after it was an option | 2345 | invoice
    openKennel({ ...options, components: { invoices: ['pay'] } }).then((own) => own.authorize(caller, 'invoice', 'pay'))
    openKennel({ ...options, components: { invoices: ['pay'] } }).then((own) => own.authorize(caller, 'invoices', 'pay'))
  a misspelt custom component in the permissions | 2561 | invoice
    openKennel({ ...options, components: { invoices: ['pay'] }, permissions: { roles: { clerk: { components: { invoice: ['*'] } } } } })
    openKennel({ ...options, components: { invoices: ['pay'] }, permissions: { roles: { clerk: { components: { invoices: ['*'] } } } } })
  a misspelt built-in action in the permissions | 2820 | liist
    openKennel({ ...options, permissions: { roles: { clerk: { components: { pets: ['liist'] } } } } })
    openKennel({ ...options, permissions: { roles: { clerk: { components: { pets: ['list'] } } } } })
  a login without the presented credentials | 2345 | presented
    kennel.login({ email: 'ada@example.com', password: 'a good one' })
    kennel.login({ email: 'ada@example.com', password: 'a good one', presented: {} })
  an access token where the presented credentials belong | 2559 | Presented
    kennel.getIdentity(issued.accessToken)
    kennel.getIdentity(presented)
  the id of an account where the id of a pet belongs | 2322 | PetId
    kennel.readPet({ caller, id: account.id })
    kennel.readPet({ caller, id: pet })
  an action of another component | 2345 | login
    kennel.authorize(caller, 'pets', 'login')
    kennel.authorize(caller, 'auth', 'login')
  headers where a page request belongs, because they have no method | 2345 | PageRequest
    kennel.identifyPage(new Headers())
    kennel.identifyPage(new Request('https://kennel.example'))
  claims that stand in for a checked access token | 2322 | AccessToken
    kennel.getIdentity({ accessToken: { claims } })
    kennel.checkAccessToken(issued.accessToken).then((accessToken) => kennel.getIdentity({ accessToken }))
`

const LINES = TABLE.trim().split(/\n */)

export const MISTAKES: readonly Mistake[] = LINES.flatMap((line, index) => {
  if (index % 3 !== 0) return []
  const [title = '', code, names = ''] = line.split(' | ')
  return [{ title, code: Number(code), names, wrong: LINES[index + 1] ?? '', right: LINES[index + 2] ?? '' }]
})
