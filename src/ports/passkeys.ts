import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { JsonObject } from '../domain/identity/json-object.js'
import type { Passkey, PasskeyId, PasskeyName } from '../domain/identity/passkey.js'
import type { Instant } from '../domain/instant.js'

/** A passkey use whose signature was verified. */
export type PasskeyUse = {
  /** The signature counter that the authenticator signed. */
  readonly counter: number
  readonly backedUp: boolean
  readonly at: Instant
}

/**
 * Passkeys. The passkeys of an account are removed with the account, in the same write. No call changes the epoch or a session. Results are
 * copies or deeply frozen.
 */
export type Passkeys = {
  /**
   * Adds a passkey. Adds nothing and returns the first reason that applies: `changed` if the account does not exist, is disabled or has
   * another epoch; `full` if it has `PASSKEYS_MAX` passkeys; `taken` if any account has a passkey with this ID. Atomic: concurrent callers
   * never exceed the maximum, and after a call that increments the epoch has returned, no call with the previous epoch adds a passkey.
   */
  add(passkey: Passkey, epoch: Epoch): Promise<'added' | 'taken' | 'full' | 'changed'>
  /** Returns the passkey with this ID, or `undefined`. */
  find(id: PasskeyId): Promise<Passkey | undefined>
  /** Returns all passkeys of the account, ordered by `createdAt` and then by ID. */
  listOf(accountId: AccountId): Promise<readonly Passkey[]>
  /**
   * Stores the counter, the backup state and the time of a use, if the counter is greater than the stored counter or if both are 0.
   * Otherwise changes nothing and returns `rewound`: the authenticator may be a clone (WebAuthn Level 3, 6.1.1). Only one of any number of
   * concurrent callers with the same counter above 0 gets `used`.
   */
  use(id: PasskeyId, use: PasskeyUse): Promise<'used' | 'rewound' | 'unknown'>
  /** Renames a passkey of this account. */
  rename(accountId: AccountId, id: PasskeyId, name: PasskeyName): Promise<'renamed' | 'unknown'>
  /**
   * Removes a passkey of this account; only one concurrent caller gets `removed`. Returns `last-way` and removes nothing if the account has
   * neither a password nor another passkey. If two concurrent callers remove the last two passkeys of an account without a password, one
   * of them gets `last-way`.
   */
  remove(accountId: AccountId, id: PasskeyId): Promise<'removed' | 'last-way' | 'unknown'>
}

/** The account for which a passkey is created. */
export type PasskeyOwner = {
  /** Identifies the account to the authenticator, which returns the handle with each response. Not secret, and never an email. */
  readonly handle: string
  /** The email, which the authenticator shows. */
  readonly name: string
}

/** The members of a client's response that are needed before the response is verified, so none of these members is authentic yet. */
export type PasskeyResponse = {
  readonly id: PasskeyId
  readonly challenge: string
  /** The user handle; absent in a registration, or if the authenticator returned none. */
  readonly handle?: string
}

/** The reason is for the log: it must not reach the client. */
type Refused = { readonly kind: 'refused'; readonly reason: string }

/** The outcome of a registration. */
export type VerifiedRegistration =
  | {
      readonly kind: 'verified'
      readonly passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'synced' | 'backedUp' | 'transports'>
    }
  | Refused

/** The outcome of an assertion. */
export type VerifiedAssertion =
  { readonly kind: 'verified'; readonly counter: number; readonly backedUp: boolean } | Refused

/**
 * Creates the options for WebAuthn ceremonies and verifies the responses, as a relying party of WebAuthn Level 3. Accepts only the
 * configured origins and the configured RP ID, only verified users, and only ES256, EdDSA (Ed25519) and RS256. Stores nothing.
 */
export type PasskeyVerifier = {
  /** Returns `PublicKeyCredentialCreationOptionsJSON` for a discoverable credential, without attestation. */
  creationOptions(request: {
    readonly challenge: string
    readonly owner: PasskeyOwner
    /** The passkeys that the account already has. */
    readonly exclude: readonly Pick<Passkey, 'id' | 'transports'>[]
  }): JsonObject
  /** Returns `PublicKeyCredentialRequestOptionsJSON`. Without `allow`, the user chooses among discoverable credentials. */
  requestOptions(request: {
    readonly challenge: string
    readonly allow?: readonly Pick<Passkey, 'id' | 'transports'>[]
  }): JsonObject
  /** Reads a response; returns `undefined` if the response is malformed. */
  read(response: JsonObject): PasskeyResponse | undefined
  /** Verifies a `RegistrationResponseJSON` for this challenge. */
  verifyRegistration(response: JsonObject, challenge: string): Promise<VerifiedRegistration>
  /**
   * Verifies an `AuthenticationResponseJSON` for this challenge with the public key of the passkey. Does not compare the counter: see
   * `Passkeys.use`. If `passkey` is `undefined`, does the same amount of work and refuses.
   */
  verifyAssertion(
    response: JsonObject,
    challenge: string,
    passkey: Pick<Passkey, 'id' | 'publicKey'> | undefined,
  ): Promise<VerifiedAssertion>
}
