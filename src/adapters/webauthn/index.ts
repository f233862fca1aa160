/** Entry point `kennel-id/webauthn`: creates the options of WebAuthn ceremonies, and verifies passkeys. */
export { createPasskeyVerifier, type RelyingParty } from './passkey-verifier.js'
