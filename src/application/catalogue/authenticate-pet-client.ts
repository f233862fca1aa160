import { hourOfUse, type ApiKey, type ApiKeyId } from '../../domain/access/api-key.js'
import { ANONYMOUS, type ApiKeyIdentity, type Caller, type Identity } from '../../domain/access/caller.js'
import { shownEmail } from '../../domain/identity/account.js'
import { email, formerEmail } from '../../domain/identity/email.js'
import { presentedPassword, type Password, type PasswordHash } from '../../domain/identity/password.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import type { Instant } from '../../domain/instant.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import type { PasswordHasher, PasswordVerification, VerificationCache } from '../../ports/password-hasher.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { countedRoles, type FactorRoles } from '../identity/identity-of.js'
import { attempted, type Throttle } from '../identity/throttle.js'

/** The credentials of a request to the catalogue, as they came; absent members were not sent. */
export type PetCredentials = {
  readonly apiKey?: string
  readonly basic?: { readonly email: string; readonly password: string }
  readonly client?: ClientContext | undefined
}

/** `any`: one valid credential is enough; `all`: both are needed; `key`: only an API key counts. */
export type PetSecurity = 'any' | 'all' | 'key'

/**
 * Authenticates a client of the catalogue. Every presented credential must be right, even if one is enough; with both,
 * the account is the caller. Refuses, in this order, with
 * - `invalid-credentials`: the API key is wrong, or a credential is missing;
 * - `too-many-attempts`: too many Basic attempts on this account or from this network, counted together with logins; a
 *   pair that was verified a short time ago is not counted;
 * - `overloaded`: too many Basic credentials are being verified;
 * - `invalid-credentials`: wrong Basic credentials, or an account with a second factor; audited as a failed login.
 */
export type AuthenticatePetClient = (presented: PetCredentials) => Promise<Caller>

export type AuthenticatePetClientParts = {
  accounts: Accounts
  apiKeys: ApiKeys
  secrets: ApiKeySecrets
  /** Leaves room for logins, such as the hasher that `boundVerifications` makes. */
  hasher: PasswordHasher
  verifications: VerificationCache
  throttle?: Throttle | undefined
  audit: AuditTrail
  clock: Clock
  security: PetSecurity
  factorRoles?: FactorRoles | undefined
}

export function createAuthenticatePetClient(parts: AuthenticatePetClientParts): AuthenticatePetClient {
  const programOf = createProgramOf(parts)
  return async ({ apiKey, basic: presented, client }) => {
    // If Basic credentials do not count, they are not verified: the answer would reveal passwords.
    const basic = parts.security === 'key' ? undefined : presented
    if (parts.security === 'all' && (apiKey === undefined || basic === undefined)) throw missingCredential()
    const program = apiKey === undefined ? undefined : await programOf(apiKey)
    const person = basic === undefined ? undefined : await personOf(parts, basic, client)
    const caller = person ?? program
    if (!caller) throw missingCredential()
    return caller
  }
}

function createProgramOf({ apiKeys, secrets, clock }: AuthenticatePetClientParts) {
  const noteUse = createNoteKeyUse(apiKeys)
  return async (apiKey: string): Promise<ApiKeyIdentity> => {
    const at = clock()
    const found = await apiKeys.find(secrets.digest(apiKey), at)
    if (!found) throw wrongCredentials('unknown, revoked or expired API key')
    noteUse(found, at)
    return { kind: 'api-key', apiKeyId: found.id, roles: found.roles }
  }
}

async function personOf(
  parts: AuthenticatePetClientParts,
  basic: NonNullable<PetCredentials['basic']>,
  client: ClientContext | undefined,
): Promise<Identity> {
  const address = email(basic.email)
  const account = address.ok
    ? await parts.accounts.findByEmail(address.value, formerEmail(basic.email))
    : undefined
  // HTTP Basic cannot carry a code. The password of an account with a factor is not verified: the time would reveal it.
  const usable =
    account?.disabledAt === undefined && account?.secondFactor === undefined ? account : undefined
  const attempt = { email: address.ok ? address.value : basic.email, client }
  const right = await isRight(parts, presentedPassword(basic.password), usable?.passwordHash, attempt)
  if (!right || !usable) {
    const entry = { event: 'login', caller: ANONYMOUS, outcome: 'failure' } as const
    await parts.audit.tally({ ...entry, subject: account?.id, client })
    throw wrongCredentials('wrong email or password')
  }
  const roles = countedRoles(usable.roles, undefined, parts.factorRoles)
  return { kind: 'account', accountId: usable.id, email: shownEmail(usable), roles }
}

type Attempt = { readonly email: string; readonly client: ClientContext | undefined }

/** Only computed verifications are counted: a client with the right password costs no write. */
async function isRight(
  { hasher, throttle, verifications }: AuthenticatePetClientParts,
  password: Password | undefined,
  hash: PasswordHash | undefined,
  attempt: Attempt,
): Promise<boolean> {
  const verify = async () => (await hasher.verify(password, hash)) || undefined
  const compute = async () => (await attempted(throttle, attempt, verify)) ?? false
  if (password === undefined) return await compute()
  // Unknown accounts use the cache too: otherwise the number of computations for concurrent equal guesses would reveal
  // whether an account exists.
  return await verifications(new AttemptedPair(password, hash, attempt), compute)
}

/** The scope is computed on demand, because a cached pair needs none. A class, because getters of literals are slow. */
class AttemptedPair implements PasswordVerification {
  readonly password: Password
  readonly hash: PasswordHash | undefined
  readonly #attempt: Attempt

  constructor(password: Password, hash: PasswordHash | undefined, attempt: Attempt) {
    this.password = password
    this.hash = hash
    this.#attempt = attempt
  }

  get scope(): string {
    const { client, email } = this.#attempt
    return `${rateLimitKey(client?.address) ?? ''} ${email}`
  }
}

function missingCredential(): Refusal {
  return wrongCredentials('a credential is missing')
}

export function wrongCredentials(detail: string): Refusal {
  return refuse('invalid-credentials', 'NotValid', 'Valid credentials are required.', detail)
}

/** Stores the last use of a key. It returns immediately: no request waits for the write or fails with it. */
export type NoteKeyUse = (key: ApiKey, at: Instant) => void

/** How many keys in use are remembered; if there are more, some may be written again within the hour. */
const MOST = 1_000

/**
 * Writes at most once an hour for each key, judged by the stored last use and the writes of this process. A failed
 * write is not repeated before the next hour, so that a store that cannot write is not asked by every request.
 */
export function createNoteKeyUse(apiKeys: Pick<ApiKeys, 'recordUse'>): NoteKeyUse {
  const written = new Map<ApiKeyId, Instant>()

  async function write(id: ApiKeyId, hour: Instant): Promise<void> {
    try {
      await apiKeys.recordUse(id, hour)
    } catch {
      // The use in the next hour is stored again; until then the key shows an earlier last use, or no use.
    }
  }

  return ({ id, lastUsedAt }, at) => {
    const hour = hourOfUse(at)
    if (lastUsedAt !== undefined && hour <= lastUsedAt) return
    if (hour <= (written.get(id) ?? Number.NEGATIVE_INFINITY)) return
    if (written.size >= MOST) written.clear()
    written.set(id, hour)
    void write(id, hour)
  }
}
