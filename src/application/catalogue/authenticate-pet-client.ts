import { ANONYMOUS, type ApiKeyIdentity, type Caller, type Identity } from '../../domain/access/caller.js'
import { email, formerEmail } from '../../domain/identity/email.js'
import { shownEmail } from '../../domain/identity/account.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import { presentedPassword, type Password, type PasswordHash } from '../../domain/identity/password.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import type { VerificationCache } from '../../ports/verification-cache.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { countedRoles, type FactorRoles } from '../identity/identity-of.js'
import { attempted, type Throttle } from '../identity/throttle.js'
import type { ClientContext } from '../client-context.js'
import { createNoteKeyUse } from './note-key-use.js'

/** What came with a request to the catalogue, as it came. Absent members were not sent. */
export type PetCredentials = {
  readonly apiKey?: string
  readonly basic?: { readonly email: string; readonly password: string }
  readonly client?: ClientContext | undefined
}

/** `any`: one valid credential is enough; `all`: both are needed; `key`: an API key, and HTTP Basic is none. */
export type PetSecurity = 'any' | 'all' | 'key'

/**
 * Who asks for pets. Every presented credential must be right, also where one would do; with
 * both, the account is the caller. In this order it refuses with
 * - `invalid-credentials`: an API key that is wrong, or too little is presented;
 * - `too-many-attempts`: Basic of this account or from this network, which is counted like logins where
 *   those are, unless the pair verified a short time ago;
 * - `overloaded`: too many Basic credentials are being verified;
 * - `invalid-credentials`: wrong Basic credentials, also right ones of an account with a second factor, which are audited
 *   as a failed login.
 */
export type AuthenticatePetClient = (presented: PetCredentials) => Promise<Caller>

/** What the clients of pets are told by. */
export type AuthenticatePetClientParts = {
  accounts: Accounts
  apiKeys: ApiKeys
  secrets: ApiKeySecrets
  /** One that leaves room for logins, such as `boundVerifications` makes. */
  hasher: PasswordHasher
  /** Basic credentials come with every request. */
  verifications: VerificationCache
  /** None where attempts are not limited. */
  throttle?: Throttle | undefined
  audit: AuditTrail
  clock: Clock
  security: PetSecurity
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/** Takes no Basic at all where `security` is `key`. */
export function createAuthenticatePetClient(parts: AuthenticatePetClientParts): AuthenticatePetClient {
  const programOf = createProgramOf(parts)
  return async ({ apiKey, basic: presented, client }) => {
    // Where it is taken away it is looked at no more, or it would tell who has which password.
    const basic = parts.security === 'key' ? undefined : presented
    const enough =
      parts.security === 'all'
        ? apiKey !== undefined && basic !== undefined
        : apiKey !== undefined || basic !== undefined
    if (!enough) throw wrongCredentials('a credential is missing')
    const program = apiKey === undefined ? undefined : await programOf(apiKey)
    const person = basic === undefined ? undefined : await personOf(parts, basic, client)
    return person ?? program ?? fail()
  }
}

function createProgramOf({
  apiKeys,
  secrets,
  clock,
}: Pick<AuthenticatePetClientParts, 'apiKeys' | 'secrets' | 'clock'>): (
  apiKey: string,
) => Promise<ApiKeyIdentity> {
  const noteUse = createNoteKeyUse(apiKeys)
  return async (apiKey) => {
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
  // Basic has no place for a code. The password of an account with a factor is not looked at: it would be told by the time.
  const usable = account?.disabledAt === undefined && !account?.secondFactor ? account : undefined
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

/** Only what has to be computed is counted: a client with the right password costs no write. */
async function isRight(
  { hasher, throttle, verifications }: AuthenticatePetClientParts,
  password: Password | undefined,
  hash: PasswordHash | undefined,
  attempt: { readonly email: string; readonly client: ClientContext | undefined },
): Promise<boolean> {
  const compute = async () => {
    const right = await attempted(
      throttle,
      attempt,
      async () => (await hasher.verify(password, hash)) || undefined,
    )
    return right ?? false
  }
  if (password === undefined) return await compute()
  // Also where there is no account, or many equal guesses at once would tell it by the number of computations.
  const scope = `${rateLimitKey(attempt.client?.address) ?? ''} ${attempt.email}`
  return await verifications({ password, hash, scope }, compute)
}

function fail(): never {
  throw wrongCredentials('a credential is missing')
}

export function wrongCredentials(detail: string): Refusal {
  return refuse('invalid-credentials', 'NotValid', 'Valid credentials are required.', detail)
}
