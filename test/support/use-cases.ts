import { createNameClient } from '../../src/adapters/bowser/index.js'
import { createPasswordBlocklist } from '../../src/adapters/blocklist/password-blocklist.js'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { createProofSecrets } from '../../src/adapters/keyring/index.js'
import type { TokenUse } from '../../src/ports/tokens.js'
import { createScryptHasher, createVerificationCache } from '../../src/adapters/scrypt/index.js'
import type { HashCost, PasswordHasher } from '../../src/ports/passwords.js'
import type { Kdf } from '../../src/adapters/scrypt/password-hasher.js'
import { systemDigest, systemRandomness } from '../../src/adapters/system/index.js'
import type { PetSecurity } from '../../src/application/catalogue/authenticate-pet-client.js'
import type { FactorRoles } from '../../src/application/identity/identity-of.js'
import type { Issued } from '../../src/application/identity/issue.js'
import type { Presented } from '../../src/application/identity/presented.js'
import type { LimitedPreviousAccounts, MailParts, SignUp } from '../../src/application/shared-parts.js'
import type { AdmitAccount } from '../../src/ports/callbacks.js'
import type { Mode } from '../../src/application/wiring.js'
import { composeService, type Service } from '../../src/composition-root/service.js'
import { createCredentials, type KeyedCredentials } from '../../src/composition-root/credentials.js'
import { portsOf } from '../../src/composition-root/infrastructure.js'
import type { Identity } from '../../src/domain/access/caller.js'
import type { PermissionRules } from '../../src/domain/access/permission-rules.js'
import type { Permissions } from '../../src/domain/access/permissions.js'
import type { AuditRecord } from '../../src/domain/audit.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { Lifetimes } from '../../src/domain/identity/session.js'
import type { NoticeTopic } from '../../src/domain/mail.js'
import type { AttemptLimit } from '../../src/ports/attempt-limiter.js'
import type { AuditSink } from '../../src/ports/audit-log.js'
import type { Log } from '../../src/ports/log.js'
import type { Metrics } from '../../src/ports/metrics.js'
import type { Randomness } from '../../src/ports/system.js'
import type { Store } from '../../src/ports/store.js'
import { createPasskeyVerifier, type RelyingParty } from '../../src/adapters/webauthn/passkey-verifier.js'
import type { PasskeyVerifier } from '../../src/ports/passkeys.js'
import { ORIGIN, RP_ID } from './passkey-authenticator.js'
import { compiledPermissions } from './permissions.js'
import { makeAccount, makeApiKey } from './seeding.js'
import { watchedKeys, watchedSecrets, type OnSecret } from './watched-secrets.js'

export const PASSPHRASE = 'Only-for-tests: 4 kennels & 12 hounds'
/** Application pages on a different origin than the service. */
export const RESET_URL = 'https://app.example/new-password'
export const CONFIRM_URL = 'https://app.example/confirm'
const ISSUER = 'https://kennel.example'
export const PASSWORD = 'correct horse battery'
/** A low cost that lets test services start fast; the test of the key ring checks the actual cost of key derivation. */
export const KEY_COST = { logN: 4 }
export const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

/** The token format and the session mode of this test run: see scripts/test-plan.js. */
export const TOKEN_USE = (process.env['TEST_TOKENS'] ?? 'HS512') as TokenUse
export const STATELESS = process.env['TEST_MODE'] === 'stateless'
/** Stateless runs check revocations, so that tests can end sessions. */
const MODE_OF_RUN: Mode = STATELESS ? 'stateless-revocable' : 'stateful'

export type UseCaseOptions = {
  /** The store; in memory by default. */
  readonly store?: Store
  readonly publicUrl?: string
  readonly lifetimes?: Partial<Lifetimes>
  readonly permissions?: PermissionRules
  readonly petSecurity?: PetSecurity
  readonly signUp?: Partial<SignUp>
  readonly admitAccount?: AdmitAccount
  readonly previousAccounts?: LimitedPreviousAccounts
  readonly passphrases?: { readonly current: string; readonly previous: readonly string[] }
  /** The signature algorithm of the tokens; by default the algorithm of this test run. */
  readonly tokenUse?: TokenUse
  /** Whether sessions are stored; by default the mode of this test run. */
  readonly mode?: Mode
  readonly loginLimit?: AttemptLimit
  readonly sessionLimit?: number
  readonly rememberLogin?: boolean
  /** The roles that need a second factor; none by default, so that all roles apply without a second factor. */
  readonly factorRoles?: FactorRoles
  /** The relying party for passkeys, or `true` for the software authenticator; passkeys are disabled by default. */
  readonly passkeys?: boolean | RelyingParty
  /** The hash cost; the lowest allowed cost by default. */
  readonly hashCost?: HashCost
  readonly hashConcurrency?: number
  /** Replaces the expensive key derivation, but not the pool that limits concurrent derivations. */
  readonly kdf?: Kdf
  /** Wraps the real hasher, for example to count or delay calls. */
  readonly aroundHasher?: (hasher: PasswordHasher) => PasswordHasher
  readonly onSecret?: OnSecret
  /** Replaces the system's randomness, so that a recording is the same in each run. */
  readonly randomness?: Randomness
  /** Replaces parts of the credentials, so that a recording is the same in each run. */
  readonly aroundCredentials?: (credentials: KeyedCredentials) => KeyedCredentials
  readonly log?: Log
  readonly metrics?: Metrics
  /** Where audit records are written; by default in the store. */
  readonly auditSinks?: (store: Store) => readonly AuditSink[]
  /** Whether the counts of combined audit records are written only when the audit trail is flushed. */
  readonly auditBatched?: boolean
  /** Without `mail`, emails are queued but not sent. */
  readonly mail?: Pick<MailParts, 'mailer' | 'templates'> & Partial<MailParts>
  /** The events that accounts are notified of by email; none by default. */
  readonly notices?: readonly NoticeTopic[]
  /** The initial time of the clock; START by default. */
  readonly startAt?: number
}

export type Composed = Awaited<ReturnType<typeof composeUseCases>>

/** Every use case as the service composes it, with real permissions, tokens and (cheap) password hashes. */
export async function composeUseCases(options: UseCaseOptions = {}) {
  const { store = createMemoryStore(), mode = MODE_OF_RUN } = options
  /** The current time in milliseconds; only the test advances it. */
  const clock = { now: options.startAt ?? START }
  const credentials = await credentialsOf(options, mode)
  const permissions = compiledPermissions(options.permissions)
  const { useCases, mails } = composed(
    { ...options, ...(options.passkeys && { passkeyVerifier: await passkeyVerifier(options.passkeys) }) },
    { store, clock, mode, credentials, permissions },
  )
  return {
    useCases,
    mails: () => {
      if (!mails) throw new Error('This service sends no mails.')
      return mails
    },
    store,
    clock,
    mode,
    credentials,
    permissions,
    /** Creates an account with PASSWORD and these roles, and creates missing roles; returns the account's ID. */
    account: (email: string, roles: readonly string[] = []) =>
      makeAccount({ useCases, store }, { email, password: PASSWORD }, roles),
    apiKey: (roles: readonly string[] = []) => makeApiKey({ useCases, store }, roles),
    login: (email: string) => useCases.login({ email, password: PASSWORD, presented: {} }),
    audited: auditedOf(store),
    caller: (email: string) => callerOf(store, email),
  }
}

async function callerOf({ accounts }: Store, email: string): Promise<Identity> {
  const account = await accounts.findByEmail(email as Email)
  if (!account) throw new Error(`there is no account ${email}`)
  return { kind: 'account', accountId: account.id, email: account.email, roles: account.roles }
}

/** Returns the credentials that the holder of this login sends with a request. */
export function presentedBy({ accessToken, sessionKey }: Issued): Presented {
  return { accessToken, ...(sessionKey !== undefined && { sessionKey }) }
}

/** The returned function resolves with the records since its last call, such as `login account:1 account:1 success`. */
function auditedOf({ audit }: Store) {
  let seen = 0
  return async (): Promise<readonly string[]> => {
    const fresh = (await audit.page({ limit: 10_000 })).slice(seen)
    seen += fresh.length
    return fresh.map(inBrief)
  }
}

function inBrief({ event, actor, subject = '-', outcome, address }: AuditRecord): string {
  return [event, actor, subject, outcome, ...(address === undefined ? [] : [`from ${address}`])].join(' ')
}

function lifetimesOf({ lifetimes }: UseCaseOptions): Lifetimes {
  return {
    accessToken: 900_000,
    refreshToken: 604_800_000,
    session: 2_592_000_000,
    refreshGrace: 10_000,
    ...lifetimes,
  }
}

async function credentialsOf(options: UseCaseOptions, mode: Mode): Promise<KeyedCredentials> {
  const { current, previous } = options.passphrases ?? { current: PASSPHRASE, previous: [] }
  const credentials = await createCredentials(
    {
      previousPassphrases: previous,
      tokenAlg: options.tokenUse ?? TOKEN_USE,
      lifetimes: lifetimesOf(options),
      stateless: mode !== 'stateful',
    },
    { passphrase: current, publicUrl: options.publicUrl ?? ISSUER, keyLogN: KEY_COST.logN },
  )
  return options.aroundCredentials?.(credentials) ?? credentials
}

type Parts = {
  readonly store: Store
  readonly clock: { readonly now: number }
  readonly mode: Mode
  readonly credentials: KeyedCredentials
  readonly permissions: Permissions
}

const passkeyVerifier = (party: true | RelyingParty) =>
  createPasskeyVerifier(party === true ? { id: RP_ID, origins: [ORIGIN] } : party)

type ComposeOptions = UseCaseOptions & { readonly passkeyVerifier?: PasskeyVerifier }

function composed(options: ComposeOptions, { store, clock, mode, credentials, permissions }: Parts): Service {
  const cost = options.hashCost ?? { logN: 10, r: 1, p: 1 }
  const hashing = { cost, concurrency: options.hashConcurrency ?? 2 }
  const { metrics, log, onSecret = () => undefined } = options
  const cheap = createScryptHasher({ ...hashing, ...(metrics && { metrics }) }, options.kdf)
  return composeService(
    {
      ...portsOf(store),
      clock: () => clock.now,
      randomness: options.randomness ?? systemRandomness,
      digest: systemDigest,
      hashing,
      hasher: options.aroundHasher?.(cheap) ?? cheap,
      verifications: createVerificationCache({ size: 100, now: () => performance.now() }),
      permissions,
      lifetimes: lifetimesOf(options),
      loginLimit: options.loginLimit,
      sessionLimit: options.sessionLimit,
      rememberLogin: options.rememberLogin,
      nameClient: createNameClient(),
      ...(options.passkeyVerifier && { passkeyVerifier: options.passkeyVerifier }),
      tokenIssuer: mode === 'stateful' ? undefined : (options.publicUrl ?? ISSUER),
      factorRoles: options.factorRoles,
      impersonationTtl: 3_600_000,
      auditSinks: options.auditSinks?.(store) ?? [store.audit],
      auditRetention: undefined,
      auditBatched: options.auditBatched ?? false,
      operator: 'tester',
      noticeTopics: options.mail ? ['own-password', ...(options.notices ?? [])] : [],
      onAuditLost: undefined,
      onMailQueued: undefined,
      log,
      metrics,
      minPasswordLength: 8,
      passwordBlocklist: createPasswordBlocklist({ names: ['kennel', 'kennel.example'] }),
      petSecurity: options.petSecurity ?? 'any',
      signUp: { mode: 'on', domains: [], ...options.signUp },
      admitAccount: options.admitAccount,
      previousAccounts: options.previousAccounts,
      ...credentials,
      sessionKeys: watchedKeys(credentials.sessionKeys, onSecret),
      proofSecrets: watchedSecrets(createProofSecrets(), onSecret),
    },
    mode,
    options.mail && {
      resetTokenTtl: 1_800_000,
      resetUrl: RESET_URL,
      confirmUrl: CONFIRM_URL,
      ...options.mail,
    },
  ) as Service
}
