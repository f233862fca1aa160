import { ANONYMOUS } from '../../../domain/access/caller.js'
import { shownEmail, type Account, type AccountId } from '../../../domain/identity/account.js'
import { isObject, type JsonObject } from '../../../domain/identity/json-object.js'
import type { PasskeyId } from '../../../domain/identity/passkey.js'
import type { PasskeyResponse, PasskeyUse } from '../../../ports/passkeys.js'
import type { ClientContext } from '../../client-context.js'
import { fields, listOf, nullable, optional, text, type Parser, type Shape } from '../../fields.js'
import type { GivenShared } from '../../shared-parts.js'
import { withAttemptCounted } from '../throttle.js'
import type { ChallengeScope, PasskeyChallenges } from './challenges.js'

export type PresentedPasskey = {
  readonly response: JsonObject
  readonly scope: ChallengeScope
  /** The account that must own the passkey; absent in a login, which any account may begin. */
  readonly owner?: Pick<Account, 'id' | 'email'>
  readonly client: ClientContext | undefined
}

/**
 * The account that the passkey authenticated; or, if authentication failed, the reason to log and, if known, the account that the passkey
 * belongs to.
 */
export type PasskeyProof =
  | { readonly account: Account }
  | { readonly account?: never; readonly reason: string; readonly accountId?: AccountId | undefined }

/**
 * Verifies the response, and then uses up its challenge and stores the use of the passkey. Refusing a passkey of a disabled account takes as
 * long as refusing an unknown passkey. Counts wrong responses: with an `owner`, like wrong codes; otherwise like failed logins, but for
 * each passkey and network. At the limit, refuses with `too-many-attempts`. If the signature counter decreased, this is audited, logged,
 * and reported to the owner by email.
 */
export type ProvePasskey = (presented: PresentedPasskey) => Promise<PasskeyProof>

export type ProvePasskeyParts = GivenShared<
  ['passkeys', 'passkeyVerifier', 'accounts', 'codeThrottle', 'throttle', 'notices', 'audit', 'clock', 'log']
> & { passkeyChallenges: PasskeyChallenges }

export function createProvePasskey(parts: ProvePasskeyParts): ProvePasskey {
  return async (presented) => {
    const { response, owner, client } = presented
    const read = parts.passkeyVerifier.read(response)
    const throttle = owner ? parts.codeThrottle : parts.throttle
    let proof: PasskeyProof = { reason: 'the response is malformed' }
    // Counts logins by passkey, not by account, so that wrong passwords never block a login with a passkey.
    const email = owner?.email ?? read?.id ?? ''
    await withAttemptCounted(throttle, { email, client }, async () => {
      if (read) proof = await judge(parts, presented, read)
      return proof.account
    })
    return proof
  }
}

const NO_ACCOUNT = 0 as AccountId

async function judge(
  parts: ProvePasskeyParts,
  { response, scope, owner, client }: PresentedPasskey,
  { id, challenge, handle }: PasskeyResponse,
): Promise<PasskeyProof> {
  const passkey = await parts.passkeys.find(id)
  // An account is looked up even if the passkey is unknown, so that the refusal takes as long as for a known passkey.
  const account = await parts.accounts.find(passkey?.accountId ?? NO_ACCOUNT)
  const verified = await parts.passkeyVerifier.verifyAssertion(response, challenge, passkey)
  const refused = (reason: string) => ({ reason, accountId: account?.id })
  if (verified.kind === 'refused') return refused(verified.reason)
  if (!account || account.disabledAt !== undefined) return refused('the account is disabled or removed')
  if (handle !== undefined && handle !== handleOf(account))
    return refused('the user handle belongs to another account')
  if (owner && owner.id !== account.id) return refused('the passkey belongs to another account')
  // Only a verified response uses up its challenge, so that an invalid response causes no write.
  if (!(await parts.passkeyChallenges.consume(scope, challenge)))
    return refused('the challenge is unknown, expired or used up')
  const reason = await useReason(parts, { id, account, client }, verified)
  return reason === undefined ? { account } : refused(reason)
}

type Used = { readonly id: PasskeyId; readonly account: Account } & Pick<PresentedPasskey, 'client'>

/** Records that the passkey was used; returns the reason if the store rejects the record. */
async function useReason(
  parts: ProvePasskeyParts,
  { id, account, client }: Used,
  { counter, backedUp }: Pick<PasskeyUse, 'counter' | 'backedUp'>,
): Promise<string | undefined> {
  const use = await parts.passkeys.use(id, { counter, backedUp, at: parts.clock() })
  if (use === 'used') return undefined
  if (use === 'unknown') return 'the passkey was removed'
  await reportClone(parts, account, client)
  return REWOUND
}

const REWOUND = 'the signature counter decreased: the authenticator may be a clone'

async function reportClone(
  { audit, notices, log }: ProvePasskeyParts,
  account: Account,
  client: ClientContext | undefined,
): Promise<void> {
  const { id: subject } = account
  log?.warn('passkey', { accountId: subject, detail: REWOUND })
  await audit.record({ event: 'passkey.clone', caller: ANONYMOUS, outcome: 'failure', subject, client })
  await notices?.send('passkey', { email: shownEmail(account), client, about: 'clone' })
}

/** Returns the user handle, which identifies the account in authenticators. */
export function handleOf({ id }: Pick<Account, 'id'>): string {
  return String(id)
}

const bytes = optional(nullable(text))

/** Drops unused members, because browsers add members such as `clientExtensionResults`. */
function reading(shape: Shape): Parser<JsonObject> {
  const parser = fields(shape)
  const names = Object.keys(shape)
  return (value, field, errors) => {
    const picked = isObject(value) ? Object.fromEntries(names.map((name) => [name, value[name]])) : value
    return parser(picked, field, errors)
  }
}

/** Parses the output of `PublicKeyCredential.toJSON()` in a browser, for both ceremonies. */
export const passkeyResponse = reading({
  id: text,
  rawId: text,
  type: text,
  response: reading({
    clientDataJSON: text,
    ...{ attestationObject: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes },
    transports: optional(listOf(text)),
  }),
})
