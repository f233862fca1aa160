/** All codes with which a use case can refuse a request. Each inbound adapter maps every code to a response. */
export const REFUSAL_CODES = [
  /** The request is malformed; for example, a member has the wrong type. */
  'malformed',
  /** A field is missing, has the wrong format or violates a domain rule. */
  'invalid',
  /** The login failed. The refusal is the same for all causes, because it would otherwise reveal whether an account exists. */
  'login-failed',
  /** The password is correct, but the login also requires a code from the account's second factor. */
  'second-factor-required',
  /** The owner of the login must first prove their identity again, because the permissions require a more recent proof. */
  'fresh-login-required',
  /** A presented token or session is invalid. */
  'invalid-token',
  /** A presented API key or Basic credential is wrong, or none was presented. */
  'invalid-credentials',
  /** Credentials are required, and none were presented. */
  'unauthenticated',
  'forbidden',
  'not-found',
  /** The object already exists: for example, there is already an account with the same email. */
  'conflict',
  /** The caller's precondition no longer holds (`If-Match`). */
  'stale',
  'idempotency-key-reused',
  'too-many-attempts',
  /** A bounded queue is full; retry later. */
  'overloaded',
  /** A store or another external service cannot be reached. */
  'unavailable',
  /** The store belongs to another program or to a newer release; retrying does not help. */
  'incompatible-store',
  'missing-package',
] as const

/** A code from `REFUSAL_CODES`. */
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** The message types that an HTTP client can get. */
export const MESSAGE_TYPES = [
  ...(['Required', 'Format', 'Length', 'Duplicate', 'NotValid', 'LoginFailed', 'InvalidToken'] as const),
  ...(['Forbidden', 'NotFound', 'Conflict', 'TooMany', 'Unavailable'] as const),
] as const

/** All message types, including those that only operators get. */
export type MessageType = (typeof MESSAGE_TYPES)[number] | 'IncompatibleStore' | 'MissingPackage'

/** An error message that the caller receives. Contains no secret and no internal name. */
export type Message = {
  /** Empty if the message concerns the whole request. */
  readonly field: string
  readonly type: MessageType
  readonly message: string
}

/**
 * Thrown when a use case refuses a request. `code` is for programs, `messages` for the caller, `detail` for the log
 * only. Any other thrown value is an internal error.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly messages: readonly Message[]
  /** For the log only; states, for example, which check a token failed. */
  readonly detail: string | undefined
  /** Tells a developer or an operator in one sentence how to fix the problem. Not sent to clients of a service in production. */
  declare readonly repair?: string

  constructor(code: RefusalCode, messages: readonly Message[], detail?: string, cause?: unknown) {
    const sentences = messages.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    super(`${code}: ${sentences.join('; ')}`, cause === undefined ? undefined : { cause })
    this.name = 'Refusal'
    this.code = code
    this.messages = messages
    this.detail = detail
  }
}

/** Checks the members instead of the class, because another copy of this package may have thrown the error. */
export function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Error) || !('code' in error) || !('messages' in error)) return false
  return Array.isArray(error.messages) && REFUSAL_CODES.some((code) => code === error.code)
}

export function refuse(code: RefusalCode, type: MessageType, message: string, detail?: string): Refusal {
  return new Refusal(code, [{ field: '', type, message }], detail)
}

class PermissionRefusal extends Refusal {
  override readonly repair: string

  constructor(permission: string, who: string) {
    const message = 'You do not have permission to do this.'
    super('forbidden', [{ field: '', type: 'Forbidden', message }], `${permission} is not permitted`)
    this.repair = `${who} needs "${permission}" in the permissions (PERMISSIONS_FILE, or the option permissions of openKennel).`
    this.message += ` ${this.repair}`
  }
}

/** Returns the refusal for a missing permission, such as `pets: delete`; `role` is the only role that could have this permission. */
export function notPermitted(permission: string, role?: string): Refusal {
  return new PermissionRefusal(permission, role === undefined ? 'A role of the caller' : `The role ${role}`)
}

/**
 * Returns the refusal for a caller who would assign or affect more permissions than their own; names one missing permission, such as `user:
 * delete`.
 */
export function beyondCaller(permission: string): Refusal {
  return refuse('forbidden', 'Forbidden', `This needs the permission "${permission}", which you do not have.`)
}

export function whileImpersonating(): Refusal {
  return refuse('forbidden', 'Forbidden', 'This is not possible while you are acting as another account.')
}

export function explainedMessages({ messages, repair }: Refusal): readonly Message[] {
  if (repair === undefined) return messages
  return messages.map((one) => ({ ...one, message: `${one.message} ${repair}` }))
}

export function refuseField(code: RefusalCode, field: string, type: MessageType, message: string): Refusal {
  return new Refusal(code, [{ field, type, message }])
}

/** The refusal after too many attempts; `retryAfter` is in milliseconds. */
export class TooManyAttempts extends Refusal {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    const message = 'Too many attempts, try again later.'
    super('too-many-attempts', [{ field: '', type: 'TooMany', message }])
    this.name = 'TooManyAttempts'
    this.retryAfter = retryAfter
  }
}

/** Returns the same refusal for every invalid token or session, regardless of the cause. */
export function invalidToken(detail: string): Refusal {
  return refuse('invalid-token', 'InvalidToken', 'Invalid authentication token.', detail)
}

/** Returns the refusal for a login whose token would be too long with all of the account's roles. */
export function tooManyRoles(detail: string): Refusal {
  const message = 'This account has too many roles: ask the operator to remove some.'
  return refuse('forbidden', 'Forbidden', message, detail)
}

const UNAVAILABLE: Message = {
  field: '',
  type: 'Unavailable',
  message: 'The service is unavailable, try again shortly.',
}

/** Returns the refusal for a store that cannot be reached; `cause` goes to the log. */
export function unavailable(detail: string, cause?: unknown): Refusal {
  return new Refusal('unavailable', [UNAVAILABLE], detail, cause)
}

class TransientRefusal extends Refusal {
  readonly isTransient = true
}

/**
 * Returns an `unavailable` refusal for a temporary reason, such as a timeout, a lock or an election. Long tasks retry after this refusal;
 * any other `unavailable` refusal ends them.
 */
export function transient(detail: string, cause?: unknown): Refusal {
  return new TransientRefusal('unavailable', [UNAVAILABLE], detail, cause)
}

/** Returns whether the error was created by `transient`, possibly in another copy of this package. */
export function isTransient(error: unknown): error is Refusal {
  return isRefusal(error) && 'isTransient' in error && error.isTransient === true
}

const UNUSABLE = { 'incompatible-store': 'IncompatibleStore', 'missing-package': 'MissingPackage' } as const

/** Returns the refusal for an error that retrying cannot fix. The sentence says what to do and contains no secret. */
export function unusable(code: keyof typeof UNUSABLE, sentence: string, cause?: unknown): Refusal {
  return new Refusal(code, [{ field: '', type: UNUSABLE[code], message: sentence }], sentence, cause)
}

/** An error that an operator can correct, for example in a file. Each of `errors` is a sentence without secrets. */
export class OperatorError extends Error {
  readonly errors: readonly string[]

  constructor(errors: readonly string[], cause?: unknown) {
    super(errors.join('\n'), { cause })
    this.name = 'OperatorError'
    this.errors = errors
  }
}
