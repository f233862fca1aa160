import { isObject, type JsonObject } from '../../domain/identity/json-object.js'
import { passkeyIdIn, type PasskeyId } from '../../domain/identity/passkey.js'

/** The data that the browser adds to a response and that the authenticator signs (WebAuthn Level 3, 5.8.1). */
export type ClientData = { readonly challenge: string; readonly crossOrigin: boolean }

/** A well-formed response whose signature has not been verified. */
export type ReadResponse = {
  readonly id: PasskeyId
  readonly client: ClientData
  readonly attestationObject?: string
  readonly userHandle?: string
}

/** The maximum length of a binary member in base64url. Real responses without attestation need less than a fifth of this length. */
const MEMBER_MAX = 16_384
const BASE64URL = /^[\w-]+$/
const BINARY = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const

/** Returns `undefined` unless the object has the form of a `RegistrationResponseJSON` or an `AuthenticationResponseJSON`. */
export function readResponse({ id, response }: JsonObject): ReadResponse | undefined {
  const passkeyId = typeof id === 'string' ? passkeyIdIn(id) : undefined
  if (passkeyId === undefined || !isObject(response)) return undefined
  const given = BINARY.map((name) => [name, response[name] ?? undefined] as const)
  if (given.some(([, value]) => value !== undefined && !isBinary(value))) return undefined
  const { clientDataJSON, ...members } = Object.fromEntries(given) as Partial<
    Record<(typeof BINARY)[number], string>
  >
  const client = clientDataJSON === undefined ? undefined : clientDataIn(clientDataJSON)
  return client && { id: passkeyId, client, ...members }
}

function isBinary(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MEMBER_MAX && BASE64URL.test(value)
}

function clientDataIn(text: string): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!isObject(data) || typeof data['challenge'] !== 'string') return undefined
    const { challenge, crossOrigin = false, topOrigin } = data
    // A page that embeds the login could trick the user into a gesture, so even a listed top origin is rejected.
    return { challenge, crossOrigin: crossOrigin !== false || topOrigin !== undefined }
  } catch {
    return undefined
  }
}
