import { STILL_HELD } from '../../application/access/roles.js'
import { IMPORT_UNFINISHED } from '../../application/accounts/user-state.js'
import { lastWay, unknownPasskey } from '../../application/identity/passkeys/own-passkeys.js'
import { PAGE_LIMIT_MAX } from '../../domain/page-limit.js'
import { integerFrom, MUST_BE, NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { notPermitted, tooManyRoles, type Message, type MessageType } from '../../domain/refusal.js'
import type { HttpSettings } from '../parts.js'
import { bodyError, TOO_LATE } from '../reply/failure.js'

export type RefusalMessages = readonly Message[]

const messageOf = (type: MessageType, message: string, field = ''): RefusalMessages => [
  { field, type, message },
]

export type Refusals = Readonly<Partial<Record<number, RefusalMessages>>>

/** Refusals that several operations share. */
export const INVALID_TOKEN = messageOf('InvalidToken', 'Invalid authentication token.')
export const NOT_PERMITTED = notPermitted('').messages
export const OTHER_ORIGIN = messageOf(
  'Forbidden',
  'Requests from the origin https://elsewhere.example are not accepted: the origin must be the origin of PUBLIC_URL, or be listed in CORS_ORIGINS.',
)
export const TOO_MANY_ROLES = tooManyRoles('').messages
export const NOT_JSON = messageOf('Format', 'The body is not valid JSON in UTF-8.')
export const TOO_MANY_ATTEMPTS = messageOf('TooMany', 'Too many attempts, try again later.')

/** The refusals of a route with limited attempts; empty if the settings do not limit attempts. */
export const tooManyAttempts = ({ limitsAttempts }: Pick<HttpSettings, 'limitsAttempts'>): Refusals =>
  limitsAttempts ? { 429: TOO_MANY_ATTEMPTS } : {}

export const LOGIN_FAILED = messageOf('LoginFailed', 'Login Failed', 'email')
export const FACTOR_FAILED = messageOf('LoginFailed', 'Login Failed', 'secondFactor')
export const NO_TEXT = (field: string) => messageOf('Format', MUST_BE.string, field)
export const NOT_VALID_FIELD = (field: string) => messageOf('NotValid', NOT_VALID, field)
export const PASSKEY_FAILED = messageOf('LoginFailed', 'Login Failed', 'passkey')
export const PASSKEY_TAKEN = messageOf('Conflict', 'An account already has this passkey.')
export const LAST_PASSKEY = lastWay().messages
export const NO_PASSKEY = unknownPasskey().messages
export const NO_OBJECT = (field: string) => messageOf('Format', MUST_BE.object, field)
export const FACTOR_ACTIVE = messageOf('Conflict', 'A second factor is active: remove it first.')
export const NO_SET_UP = messageOf('Conflict', 'Set up a second factor first.')
export const NO_FACTOR = messageOf('Conflict', 'No second factor is active.')
export const WHILE_ACTING = messageOf(
  'Forbidden',
  'This is not possible while you are acting as another account.',
)
export const EMAIL_REQUIRED = messageOf('Required', REQUIRED, 'email')
export const USER_ID_FORMAT = messageOf('Format', MUST_BE.id, 'userId')
export const NO_ACCOUNT = messageOf('NotFound', 'There is no such account, or it is disabled.', 'userId')
export const ADMINISTRATOR = messageOf('Forbidden', 'You cannot act as an administrator.', 'userId')
export const PASSWORD_NOT_VALID = messageOf('NotValid', NOT_VALID, 'password')
/** The refusals of a route that checks the password of the caller's account. */
export const ownPassword = (settings: Pick<HttpSettings, 'limitsAttempts'>): Refusals => ({
  400: PASSWORD_NOT_VALID,
  ...tooManyAttempts(settings),
})
/** The refusals of a route that also checks a code; the number of attempts with codes is always limited. */
export const OWN_PROOF: Refusals = { 400: PASSWORD_NOT_VALID, 429: TOO_MANY_ATTEMPTS }
export const ID_OR_OTHERS = messageOf('NotValid', 'Send either id or others: true.')
export const NO_SESSION = messageOf('NotFound', 'You have no session with this id.', 'id')
export const NOT_ACTING = messageOf('Forbidden', 'You are not acting as another account.')
export const FIELDS_REQUIRED = ['label', 'status', 'budget'].flatMap((field) =>
  messageOf('Required', REQUIRED, field),
)

export const PROJECT_ID_REQUIRED = messageOf('Required', REQUIRED, 'id')
export const NO_PROJECT = messageOf('NotFound', 'There is no project with this id.')

export const NO_CREDENTIALS = messageOf('NotValid', 'Valid credentials are required.')
export const BAD_LIMIT = messageOf('NotValid', integerFrom(1, PAGE_LIMIT_MAX), 'limit')
export const NO_NAME = messageOf('Required', REQUIRED, 'name')
export const NO_PET = messageOf('NotFound', 'There is no pet with this id.')
export const MIXED = messageOf(
  'NotValid',
  'must not mix age or hunts of a cat with bark or breed of a dog',
  'body',
)
export const STALE = messageOf('Conflict', 'The pet has changed since it was read.')
export const KEY_REUSED = messageOf(
  'Conflict',
  'This idempotency key was used with a different body.',
  'Idempotency-Key',
)

export const NO_USER = messageOf('NotFound', 'There is no account with this id.', 'id')
export const NO_ROLE = messageOf('NotFound', 'There is no role "editor".', 'role')
export const NO_USER_FACTOR = messageOf('NotFound', 'The account has no second factor.', 'email')
export const NO_USER_SESSION = messageOf('NotFound', 'The account has no session with this id.', 'id')
export const NO_API_KEY = messageOf('NotFound', 'There is no API key with this id.', 'id')
export const EMAIL_TAKEN = messageOf('Duplicate', 'An account with this email already exists.', 'email')
export const NO_INVITATION = messageOf('NotFound', 'There is no invitation with this id.', 'id')
export const NOT_WAITING = messageOf('Conflict', 'The account is not waiting for approval.', 'email')
export const LACKS_FACTOR = messageOf('Conflict', IMPORT_UNFINISHED, 'email')
export const ROLE_TAKEN = messageOf('Duplicate', 'A role with this key already exists.', 'key')
export const USER_DISABLED = messageOf('Conflict', 'The account is disabled.', 'email')
export const LONG_EXPORT = messageOf(
  'Conflict',
  'The account has more than 10,000 sessions, API keys, projects or audit records: an operator can export it with `app user export`.',
)
export const BAD_ROLE_KEY = (field: string) =>
  messageOf('Format', 'must have 1 to 100 letters, digits, dots, underscores or hyphens', field)
export const ROLE_HELD = messageOf('Conflict', STILL_HELD, 'key')
export const BAD_API_KEY_ID = messageOf('Format', 'must be the id of an API key, a positive integer', 'id')
export const BAD_INSTANT = (field: string) =>
  messageOf('Format', 'must be a time in UTC, such as 2027-03-01T12:00:00Z', field)

/** Refusals that every route may return. The last three refusals may be sent before the request has reached its route. */
export const ALWAYS: Refusals = {
  405: messageOf('Format', 'This method is not allowed here; see the Allow header.'),
  408: messageOf('Format', TOO_LATE),
  431: messageOf('Format', 'The request headers are too large.'),
  503: messageOf('Unavailable', 'The service is unavailable, try again shortly.'),
}

export const WORKING: Refusals = {
  500: messageOf('Unavailable', 'Internal error.'),
}

export function readingBody(types: readonly string[]): Refusals {
  return {
    413: messageOf('Length', bodyError.tooLarge().message),
    415: messageOf('Format', `The body must be ${types.join(' or ')} in UTF-8.`),
  }
}
