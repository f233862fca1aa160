import type { JsonObject } from '../domain/identity/json-object.js'
import type { Passkey, PasskeyId } from '../domain/identity/passkey.js'

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
