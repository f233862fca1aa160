/** The closed list of reasons for which a use case refuses. Each inbound adapter has one table from code to reply. */
export const REFUSAL_CODES = [
  /** The request has the wrong form: not an object, a member of the wrong type. */
  'malformed',
  /** A field is missing, badly formed or breaks a rule of the model. */
  'invalid',
  /** Login did not succeed; every cause that could tell accounts apart looks the same. */
  'login-failed',
  /** The password is right, but the login also needs a code of the account's second factor. */
  'second-factor-required',
  /** A presented token or session is invalid. */
  'invalid-token',
  /** A presented API key or Basic credential is wrong, or none was presented. */
  'invalid-credentials',
  /** An identity is needed and no credentials were presented, or an anonymous caller has no permission. */
  'unauthenticated',
  'forbidden',
  'not-found',
  /** The object to create exists already (a second account of one email, a second role of one key). */
  'conflict',
  /** The caller's precondition no longer holds (`If-Match`). */
  'stale',
  'idempotency-key-reused',
  'too-many-attempts',
  /** A bounded queue is full; try again later. */
  'overloaded',
  /** A store or another outside party cannot be reached. */
  'unavailable',
  /** The store belongs to another program or to a newer release: waiting does not help. */
  'incompatible-store',
  'missing-package',
] as const

/** One of `REFUSAL_CODES`. */
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** The closed list of message types, as the identity envelope shows them. */
export type MessageType =
  | 'Required'
  | 'Format'
  | 'Length'
  | 'Duplicate'
  | 'NotValid'
  | 'LoginFailed'
  | 'InvalidToken'
  | 'Forbidden'
  | 'NotFound'
  | 'Conflict'
  | 'TooMany'
  | 'Unavailable'
  | 'IncompatibleStore'
  | 'MissingPackage'

/** One error, in words for the caller. Never holds a secret or an internal name. */
export type Message = {
  /** Empty for the whole request. */
  readonly field: string
  readonly type: MessageType
  readonly message: string
}

/**
 * An expected "no". `code` is for programs, `messages` for the caller, `detail` for the log only. Any other thrown value
 * is an internal error.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly messages: readonly Message[]
  /** Only for the log, not for the caller: for example, which check a token failed. */
  readonly detail: string | undefined
  /** Tells a developer or an operator how to repair it, in a sentence. Clients of a service in production do not get it. */
  declare readonly repair?: string

  constructor(code: RefusalCode, messages: readonly Message[], detail?: string, cause?: unknown) {
    super(
      `${code}: ${messages.map((one) => one.message).join('; ')}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'Refusal'
    this.code = code
    this.messages = messages
    this.detail = detail
  }
}

/**
 * Whether it is a refusal, judged by its members and not by its class: another copy of this package in the same process
 * may have made it.
 */
export function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Error) || !('code' in error) || !('messages' in error)) return false
  return Array.isArray(error.messages) && REFUSAL_CODES.some((code) => code === error.code)
}

/** A refusal about the request as a whole. */
export function refuse(code: RefusalCode, type: MessageType, message: string, detail?: string): Refusal {
  return new Refusal(code, [{ field: '', type, message }], detail)
}

/** The refusal of a caller without a permission. */
class PermissionRefusal extends Refusal {
  override readonly repair: string

  constructor(permission: string, who: string) {
    const message = 'You do not have permission to do this.'
    super('forbidden', [{ field: '', type: 'Forbidden', message }], `${permission} is not permitted`)
    this.repair = `${who} needs "${permission}" in the permissions (PERMISSIONS_FILE, or the option permissions of openKennel).`
    this.message += ` ${this.repair}`
  }
}

/** No role of the caller has this permission, such as `pets: delete`; `role` is the only role that could have it. */
export function notPermitted(permission: string, role?: string): Refusal {
  return new PermissionRefusal(permission, role === undefined ? 'A role of the caller' : `The role ${role}`)
}

/** The messages with their repair, for developers and operators. */
export function explainedMessages({ messages, repair }: Refusal): readonly Message[] {
  if (repair === undefined) return messages
  return messages.map((one) => ({ ...one, message: `${one.message} ${repair}` }))
}

/** A refusal about one field. */
export function refuseField(code: RefusalCode, field: string, type: MessageType, message: string): Refusal {
  return new Refusal(code, [{ field, type, message }])
}

/** Too many attempts; `retryAfter` in milliseconds. */
export class TooManyAttempts extends Refusal {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    const message = 'Too many attempts, try again later.'
    super('too-many-attempts', [{ field: '', type: 'TooMany', message }])
    this.name = 'TooManyAttempts'
    this.retryAfter = retryAfter
  }
}

/** The only answer to an invalid token or session, regardless of the cause. */
export function invalidToken(detail: string): Refusal {
  return refuse('invalid-token', 'InvalidToken', 'Invalid authentication token.', detail)
}

/** The answer to a login for whose roles a token has no room. */
export function tooManyRoles(detail: string): Refusal {
  const message = 'This account has too many roles: ask the operator to take some away.'
  return refuse('forbidden', 'Forbidden', message, detail)
}

const UNAVAILABLE: Message = {
  field: '',
  type: 'Unavailable',
  message: 'The service is unavailable, try again shortly.',
}

/** The answer while a store cannot be reached; `cause` goes to the log. */
export function unavailable(detail: string, cause?: unknown): Refusal {
  return new Refusal('unavailable', [UNAVAILABLE], detail, cause)
}

/** `unavailable` for a temporary reason, such as a timeout, a lock or an election. */
class TransientRefusal extends Refusal {
  readonly isTransient = true
}

/** The refusal of a store that is temporarily slow or away. Long tasks repeat the call; `unavailable` ends them. */
export function transient(detail: string, cause?: unknown): Refusal {
  return new TransientRefusal('unavailable', [UNAVAILABLE], detail, cause)
}

/** Whether it is a refusal of `transient`, also of another copy of this package. */
export function isTransient(error: unknown): error is Refusal {
  return isRefusal(error) && 'isTransient' in error && error.isTransient === true
}

const UNUSABLE = { 'incompatible-store': 'IncompatibleStore', 'missing-package': 'MissingPackage' } as const

/** For errors that waiting does not solve: the sentence says what to do, and holds no secret. */
export function unusable(code: keyof typeof UNUSABLE, sentence: string, cause?: unknown): Refusal {
  return new Refusal(code, [{ field: '', type: UNUSABLE[code], message: sentence }], sentence, cause)
}
