import type { ApiKeyIdentity, Caller, Identity } from '../../domain/access/caller.js'
import { email } from '../../domain/identity/email.js'
import { presentedPassword } from '../../domain/identity/password.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'

/** What came with a request to the catalogue, as it came. Absent members were not sent. */
export type PetCredentials = {
  readonly apiKey?: string
  readonly basic?: { readonly email: string; readonly password: string }
}

/** `any`: one valid credential is enough; `all`: both are needed. */
export type PetSecurity = 'any' | 'all'

/**
 * Who asks for pets. Every presented credential must be right, also where one would do; with
 * both, the account is the caller. Refuses with `invalid-credentials`, the same for every cause.
 */
export type AuthenticatePetClient = (presented: PetCredentials) => Promise<Caller>

/** `hasher` may remember what it verified: Basic credentials come with every request. */
export function createAuthenticatePetClient(parts: {
  accounts: Accounts
  apiKeys: ApiKeys
  secrets: ApiKeySecrets
  /** May answer a pair that verified before from memory; see `rememberVerifications`. */
  hasher: PasswordHasher
  security: PetSecurity
}): AuthenticatePetClient {
  return async ({ apiKey, basic }) => {
    const enough =
      parts.security === 'all'
        ? apiKey !== undefined && basic !== undefined
        : apiKey !== undefined || basic !== undefined
    if (!enough) throw wrongCredentials('a credential is missing')
    const program = apiKey === undefined ? undefined : await programOf(parts, apiKey)
    const person = basic === undefined ? undefined : await personOf(parts, basic)
    return person ?? program ?? fail()
  }
}

async function programOf(
  parts: { apiKeys: ApiKeys; secrets: ApiKeySecrets },
  apiKey: string,
): Promise<ApiKeyIdentity> {
  const found = await parts.apiKeys.find(parts.secrets.digest(apiKey))
  if (!found) throw wrongCredentials('unknown or revoked API key')
  return { kind: 'api-key', apiKeyId: found.id, roles: found.roles }
}

async function personOf(
  parts: { accounts: Accounts; hasher: PasswordHasher },
  basic: { readonly email: string; readonly password: string },
): Promise<Identity> {
  const address = email(basic.email)
  const account = address.ok ? await parts.accounts.findByEmail(address.value) : undefined
  const usable = account?.disabledAt === undefined ? account : undefined
  const right = await parts.hasher.verify(presentedPassword(basic.password), usable?.passwordHash)
  if (!right || !usable) throw wrongCredentials('wrong email or password')
  return { kind: 'account', accountId: usable.id, email: usable.email, roles: usable.roles }
}

function fail(): never {
  throw wrongCredentials('a credential is missing')
}

export function wrongCredentials(detail: string): Refusal {
  return refuse('invalid-credentials', 'NotValid', 'Valid credentials are required.', detail)
}
