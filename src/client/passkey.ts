import { KennelError, type KennelErrorCode } from './kennel-error.js'
import { bodyOf, member } from './reply.js'
import { binaryOf } from './login.js'

/** How a client asks for a passkey. */
export type PasskeyChoices = {
  /** Aborts the call, which then rejects like an aborted `fetch`. */
  readonly signal?: AbortSignal
}

type Options = Readonly<Record<string, unknown>>
type Listed = readonly { readonly id: string }[]
/** The members of WebAuthn that this client uses. TypeScript declares these members only in its types for browsers. */
type Kind = 'create' | 'get'
type Authenticator = Record<Kind, (asked: object) => Promise<unknown>>
type Credential = {
  readonly id: string
  readonly type: string
  readonly response: { readonly getTransports?: () => readonly string[] }
}
type WebAuthn = {
  readonly isConditionalMediationAvailable?: () => Promise<boolean>
  readonly signalAllAcceptedCredentials?: (accepted: object) => Promise<void>
}
const browser = globalThis as unknown as {
  readonly PublicKeyCredential?: WebAuthn
  /** Browsers with `PublicKeyCredential` always have `navigator.credentials`. */
  readonly navigator: { readonly credentials: Authenticator }
}

const ERRORS: Readonly<Record<string, KennelErrorCode>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'Duplicate',
}

/** Returns the reply with the options for a new challenge. */
type Begin = (signal: AbortSignal) => Promise<Response>
type Choices = PasskeyChoices & { readonly autofill?: boolean }

/** A browser handles only one call at a time, so a later call ends an earlier one. */
let latest: AbortController | undefined

/**
 * Asks the browser to create or use a passkey, and resolves with the response in JSON. With `autofill`, waits until the user selects a
 * passkey in the suggestions for an input field, and begins again before the challenge expires. Rejects with a KennelError: `unsupported`
 * if the browser cannot do this, `cancelled` if the user cancels or a later call begins, `Duplicate` if the authenticator already has a
 * passkey for the account.
 */
export async function askAuthenticator(kind: Kind, begin: Begin, choices: Choices = {}): Promise<Options> {
  const { signal } = choices
  latest?.abort()
  const round = (latest = new AbortController())
  const stop = () => round.abort()
  let isOld = (): boolean => false
  const renew = () => {
    isOld = () => latest === round
    stop()
  }
  signal?.addEventListener('abort', stop, { signal: round.signal })
  if (signal?.aborted) stop()
  try {
    return await askOnce(kind, begin, { ...choices, round, renew })
  } catch (error) {
    if (signal?.aborted || error instanceof KennelError) throw error
    if (!isOld())
      throw new KennelError(ERRORS[member(error, 'name') as string] ?? 'unsupported', { cause: error })
    return await askAuthenticator(kind, begin, choices)
  } finally {
    stop()
  }
}

async function askOnce(
  kind: Kind,
  begin: Begin,
  { round, renew, autofill }: Choices & { readonly round: AbortController; readonly renew: () => void },
): Promise<Options> {
  const { PublicKeyCredential: webAuthn, navigator } = browser
  if (!(autofill ? await webAuthn?.isConditionalMediationAvailable?.() : webAuthn))
    throw new KennelError('unsupported')
  const { options } = (await bodyOf(await begin(round.signal), isBeginning)).view
  const mediation = autofill ? 'conditional' : 'optional'
  const asked = { publicKey: decoded(options), signal: round.signal, mediation }
  // Restarts before the challenge expires.
  const timer = autofill ? setTimeout(renew, options.timeout * 0.75) : undefined
  try {
    return encoded(await navigator.credentials[kind](asked))
  } finally {
    clearTimeout(timer)
  }
}

/** Lets the browser, if it can, forget the account's passkeys that the service no longer accepts. */
export function signalAccepted(accepted: object): void {
  browser.PublicKeyCredential?.signalAllAcceptedCredentials?.(accepted).catch(() => undefined)
}

type Beginning = { readonly view: { readonly options: Options & { readonly timeout: number } } }

function isBeginning(json: unknown): json is Beginning {
  return Number(member(member(member(json, 'view'), 'options'), 'timeout')) > 0
}

/** `PublicKeyCredential.parseRequestOptionsFromJSON` is missing in older browsers. */
function decoded({
  challenge,
  user,
  excludeCredentials = [],
  allowCredentials = [],
  ...rest
}: Options): object {
  const withBytes = (one: unknown) => ({ ...(one as object), id: bytesOf(member(one, 'id')) })
  return {
    ...{ ...rest, challenge: bytesOf(challenge), user: user && withBytes(user) },
    excludeCredentials: (excludeCredentials as Listed).map(withBytes),
    allowCredentials: (allowCredentials as Listed).map(withBytes),
  }
}

const BINARY = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']

/** `toJSON` is missing in older browsers, and wrong in some password managers. */
function encoded(credential: unknown): Options {
  const { id, type, response } = credential as Credential
  const text = (name: string) => textOf(member(response, name))
  const parts = Object.fromEntries(BINARY.map((name) => [name, text(name)]))
  return {
    ...{ id, rawId: id, type },
    response: { ...parts, transports: response.getTransports?.() },
  }
}

function bytesOf(text: unknown): Uint8Array {
  return Uint8Array.from(binaryOf(String(text)), (sign) => sign.charCodeAt(0))
}

function textOf(bytes: unknown): string | undefined {
  if (!bytes) return undefined
  const binary = String.fromCharCode(...new Uint8Array(bytes as ArrayBuffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
