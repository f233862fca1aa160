import { createApiKeySecrets, createResetTokens } from '../../../src/adapters/keyring/index.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { Epoch } from '../../../src/domain/identity/account.js'
import type { MailJobId } from '../../../src/domain/mail.js'
import type { Store } from '../../../src/ports/store.js'
import { storedHash } from '../../support/stored-hash.js'
import type { GivenKey } from './clients/api-keys.js'
import { createApiKeysClient } from './clients/api-keys.js'
import { createAttemptsClient } from './clients/attempts.js'
import type { ClientParts, CrashClient } from './clients/client.js'
import { createFactorsClient } from './clients/factors.js'
import { createLoginsClient } from './clients/logins.js'
import { createPetsClient } from './clients/pets.js'
import { createResetsClient, type ResetAccount } from './clients/resets.js'

const PASSWORD = 'a good long password'
const HASH = storedHash(PASSWORD, { logN: 10, r: 8, p: 1 })
const DAY = 86_400_000
const RESET_TOKENS = 3

/** How many of each a round has. */
const SIZES = { logins: 4, pets: 3, attempts: 3, factors: 4, resets: 4, apiKeys: 3 }

/** Makes accounts and keys that no other round has, and the clients that use them. */
export async function makeCast(
  store: Store,
  parts: ClientParts,
  { name, clock }: { readonly name: string; readonly clock: () => number },
): Promise<readonly CrashClient[]> {
  const make = makerOf(store, clock())
  const emails = (what: string, count: number) =>
    listOf(count, (n) => `${what}-${String(n)}-${name}@example.com`)
  const accounts = (what: string, count: number) => Promise.all(emails(what, count).map(make.account))
  const keys = (what: string, count: number) =>
    Promise.all(listOf(count, (n) => make.apiKey(`${what} ${String(n)} ${name}`)))
  const logins = await accounts('login', SIZES.logins)
  const owners = await keys('pets', SIZES.pets)
  const counted = await accounts('attempt', SIZES.attempts)
  const resets = await Promise.all(emails('reset', SIZES.resets).map(make.resetAccount))
  return [
    ...logins.map((account) => createLoginsClient(parts, account)),
    ...owners.map(({ id, key }) => createPetsClient(parts, { name: `owner ${String(id)}`, apiKey: key })),
    createAttemptsClient(parts, { emails: counted.map(({ email }) => email), password: PASSWORD }),
    createFactorsClient(parts, await accounts('factor', SIZES.factors), clock),
    createResetsClient(parts, resets),
    createApiKeysClient(parts, await keys('short-lived', SIZES.apiKeys)),
  ]
}

function makerOf({ accounts, apiKeys }: Store, createdAt: number) {
  const [secrets, resetTokens] = [createApiKeySecrets(), createResetTokens()]
  const insert = async (email: string) => {
    const made = await accounts.insert({ email: email as Email, passwordHash: HASH, createdAt })
    if (made.kind !== 'inserted') throw new Error(`${email} is there already`)
    return made.id
  }
  return {
    account: async (email: string) => {
      await insert(email)
      return { email, password: PASSWORD }
    },
    apiKey: async (name: string): Promise<GivenKey> => {
      const key = secrets.fresh()
      const made = await apiKeys.insert({ name, digest: secrets.digest(key), roles: [], createdAt })
      if (made.kind !== 'inserted') throw new Error('an API key was not made')
      return { id: made.id, key }
    },
    resetAccount: async (email: string): Promise<ResetAccount> => {
      const id = await insert(email)
      const tokens = listOf(RESET_TOKENS, () => resetTokens.fresh())
      for (const [place, token] of tokens.entries()) {
        const issued = { digest: resetTokens.digest(token), until: createdAt + DAY }
        await accounts.issueResetToken(id, 1 as Epoch, {
          ...issued,
          mailJobId: (place + 1) as unknown as MailJobId,
        })
      }
      return { email, password: PASSWORD, tokens }
    },
  }
}

function listOf<T>(length: number, make: (place: number) => T): T[] {
  return Array.from({ length }, (_, place) => make(place))
}
