import { ANONYMOUS, type Caller, type Identity } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import { email, formerEmail } from '../../domain/identity/email.js'
import { presentedPassword, type PasswordHash } from '../../domain/identity/password.js'
import type { Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { VerificationCache, VerifyFound } from '../../ports/passwords.js'
import type { Clock } from '../../ports/system.js'
import { wrongCredentials, type AuthenticateApiKey } from '../access/authenticate-api-key.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { countedRoles, type FactorRoles } from '../identity/identity-of.js'
import { withAttemptCounted, type Throttle } from '../identity/throttle.js'

/** The credentials of a catalogue request as received; a credential that was not sent is absent. */
export type PetCredentials = {
  readonly apiKey?: string
  readonly basic?: { readonly email: string; readonly password: string }
  readonly client?: ClientContext | undefined
}

/** `any`: one valid credential is enough; `all`: both are needed; `key`: only an API key counts. */
export type PetSecurity = 'any' | 'all' | 'key'

/**
 * Authenticates a client of the catalogue. Every credential that is sent must be valid, even if one is enough; if both are sent, the
 * account counts as the caller. Refuses the call with the first of these codes that applies:
 * - `invalid-credentials`: the API key is wrong, or a credential is missing;
 * - `too-many-attempts`: too many Basic attempts on this account or from this network, counted together with logins; credentials that were
 *   verified a short time ago are not counted;
 * - `overloaded`: too many Basic credentials are being verified;
 * - `invalid-credentials`: wrong Basic credentials, or an account with a second factor; audited as a failed login.
 */
export type AuthenticatePetClient = (presented: PetCredentials) => Promise<Caller>

export type AuthenticatePetClientParts = {
  accounts: Accounts
  authenticateApiKey: AuthenticateApiKey
  /** Limits concurrent verifications, so that logins are not delayed; see `boundVerifications`. */
  verify: VerifyFound
  verifications: VerificationCache
  throttle?: Throttle | undefined
  audit: AuditTrail
  clock: Clock
  security: PetSecurity
  factorRoles?: FactorRoles | undefined
}

export function createAuthenticatePetClient(parts: AuthenticatePetClientParts): AuthenticatePetClient {
  return async ({ apiKey, basic: presented, client }) => {
    // If Basic credentials are not accepted, they are not verified, because the response would otherwise reveal whether the password is
    // right.
    const basic = parts.security === 'key' ? undefined : presented
    if (parts.security === 'all' && (apiKey === undefined || basic === undefined)) throw missingCredential()
    const program = apiKey === undefined ? undefined : await parts.authenticateApiKey(apiKey)
    const person = basic === undefined ? undefined : await personOf(parts, basic, client)
    const caller = person ?? program
    if (!caller) throw missingCredential()
    return caller
  }
}

async function personOf(
  parts: AuthenticatePetClientParts,
  basic: NonNullable<PetCredentials['basic']>,
  client: ClientContext | undefined,
): Promise<Identity> {
  const presented = presentedBasic(basic, client)
  const usable = (await cachedAccount(parts, presented)) ?? (await verifyPassword(parts, presented))
  const roles = countedRoles(usable.roles, undefined, parts.factorRoles)
  return { kind: 'account', accountId: usable.id, email: shownEmail(usable), roles }
}

/**
 * Resolves with the account if its current hash has matched the password in a recent verification. A request with a cached password is not
 * counted: a client with the right password causes no write and is admitted even during a flood. The account is looked up only if the
 * password matched recently.
 */
async function cachedAccount(
  { accounts, verifications }: AuthenticatePetClientParts,
  presented: PresentedBasic,
): Promise<Account | undefined> {
  const hash = presented.normal !== undefined ? verifications.matched(presented) : undefined
  if (hash === undefined) return undefined
  const account = usableOf(await presented.accountIn(accounts))
  return account?.passwordHash === hash ? account : undefined
}

/** `hash` is the hash that the password matched. */
type Verdict = { readonly account?: Account | undefined; readonly hash?: PasswordHash | undefined }

/**
 * Resolves with the account if the password is right. Counts the attempt before the lookup, because the duration of a lookup depends on the
 * account.
 */
async function verifyPassword(
  parts: AuthenticatePetClientParts,
  presented: PresentedBasic,
): Promise<Account> {
  const compute = () => verdictOn(parts, presented)
  // Concurrent equal guesses share one computation, even for an unknown account. Otherwise, the number of computations would reveal whether
  // the account exists.
  const { account, hash } =
    presented.normal !== undefined ? await parts.verifications.share(presented, compute) : await compute()
  const usable = hash === undefined ? undefined : usableOf(account)
  if (usable) return usable
  const entry = { event: 'login', caller: ANONYMOUS, outcome: 'failure' } as const
  await parts.audit.tally({ ...entry, subject: account?.id, client: presented.client })
  throw wrongCredentials('wrong email or password')
}

async function verdictOn(
  { accounts, throttle, verify }: AuthenticatePetClientParts,
  presented: PresentedBasic,
): Promise<Verdict> {
  let account: Account | undefined
  const hash = await withAttemptCounted(throttle, presented, async () => {
    const find = async () => {
      account = await presented.accountIn(accounts)
      return usableOf(account)?.passwordHash
    }
    const right = await verify(presented.normal, find, presented.password)
    return right ? account?.passwordHash : undefined
  })
  return { account, hash }
}

/**
 * HTTP Basic cannot carry a second-factor code. The password of an account with a second factor is not verified, because the response time
 * would reveal whether it is right.
 */
function usableOf(account: Account | undefined): Account | undefined {
  return account?.disabledAt === undefined && account?.secondFactor === undefined ? account : undefined
}

type PresentedBasic = ReturnType<typeof presentedBasic>

function presentedBasic(
  { email: name, password }: NonNullable<PetCredentials['basic']>,
  client: ClientContext | undefined,
) {
  const address = email(name)
  return {
    ...{ name, password, client },
    /** The password in its normal form; absent if it can never match a hash. */
    normal: presentedPassword(password),
    /** The name under which the attempt is counted. */
    email: address.ok ? address.value : name,
    scope: rateLimitKey(client?.address) ?? '',
    accountIn: async (accounts: Accounts): Promise<Account | undefined> =>
      address.ok ? await accounts.findByEmail(address.value, formerEmail(name)) : undefined,
  }
}

function missingCredential(): Refusal {
  return wrongCredentials('a credential is missing')
}
