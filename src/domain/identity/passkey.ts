import type { Instant, Milliseconds } from '../instant.js'
import { REQUIRED } from '../messages.js'
import type { Parsed } from '../parsed.js'
import type { AccountId } from './account.js'

/** A WebAuthn credential ID in base64url: 1 to 1,023 bytes. Not secret, but it identifies an authenticator, so it is never logged. */
export type PasskeyId = string & { readonly brand: 'PasskeyId' }
/** A public key in COSE form (RFC 9052), in base64url. */
export type PasskeyPublicKey = string & { readonly brand: 'PasskeyPublicKey' }
/** The name by which the owner recognizes a passkey: 1 to 64 characters. */
export type PasskeyName = string & { readonly brand: 'PasskeyName' }

/** A WebAuthn credential that the owner of an account can log in with. */
export type Passkey = {
  readonly id: PasskeyId
  readonly accountId: AccountId
  readonly publicKey: PasskeyPublicKey
  /** The signature counter of the last use; 0 if the authenticator does not count. */
  readonly counter: number
  /** Whether the authenticator may copy the passkey to other devices (the flag BE). */
  readonly synced: boolean
  /** Whether the passkey was backed up when it was last used (the BS flag). */
  readonly backedUp: boolean
  /** How browsers reach the authenticator, such as `internal` or `usb`. */
  readonly transports: readonly string[]
  readonly name: PasskeyName
  readonly createdAt: Instant
  readonly lastUsedAt?: Instant
}

/** The maximum number of passkeys of an account. */
export const PASSKEYS_MAX = 20
/** How long a challenge is valid. */
export const CHALLENGE_LIFETIME: Milliseconds = 5 * 60_000

/** A WebAuthn ceremony. A challenge is valid for only one ceremony. */
export type Ceremony = 'registration' | 'login' | 'confirmation'

/** 1,023 bytes (WebAuthn Level 3, 5.1) in base64url. */
const ID_MAX = 1364
const ID = /^[\w-]+$/

export function passkeyIdIn(text: string): PasskeyId | undefined {
  return text.length <= ID_MAX && ID.test(text) ? (text as PasskeyId) : undefined
}

/** How browsers reach an authenticator (WebAuthn Level 3, 5.8.4). */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal']

export function knownTransports(list: readonly unknown[]): readonly string[] {
  return TRANSPORTS.filter((one) => list.includes(one))
}

const NAME_MAX = 64
const CONTROL = /\p{C}/u

export function passkeyName(text: string): Parsed<PasskeyName> {
  const name = text.normalize('NFC').trim()
  if (name === '') return { ok: false, type: 'Required', rule: REQUIRED }
  if (name.length > NAME_MAX || CONTROL.test(name))
    return { ok: false, type: 'NotValid', rule: 'must have at most 64 characters, and no control characters' }
  return { ok: true, value: name as PasskeyName }
}

export function byCreation(one: Passkey, other: Passkey): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)
}
