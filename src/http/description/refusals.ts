import { PAGE_LIMIT_MAX } from '../../domain/page-limit.js'
import { integerFrom, MUST_BE, NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { notPermitted, tooManyRoles, type Message, type MessageType } from '../../domain/refusal.js'
import { bodyError, TOO_LATE } from '../reply/http-error.js'

/** The messages in an example of a refusal. */
export type Refused = readonly Message[]

const said = (type: MessageType, message: string, field = ''): Refused => [{ field, type, message }]

/** The example refusals of an operation, by status. */
export type Refusals = Readonly<Partial<Record<number, Refused>>>

/** Refusals that several operations share. */
export const INVALID_TOKEN = said('InvalidToken', 'Invalid authentication token.')
export const NOT_PERMITTED = notPermitted('').messages
export const OTHER_ORIGIN = said(
  'Forbidden',
  'Requests from the origin https://elsewhere.example are not accepted: PUBLIC_URL is another one, and CORS_ORIGINS does not list it.',
)
export const TOO_MANY_ROLES = tooManyRoles('').messages
export const NOT_JSON = said('Format', 'The body is not valid JSON in UTF-8.')
export const TOO_MANY_ATTEMPTS = said('TooMany', 'Too many attempts, try again later.')

export const LOGIN_FAILED = said('LoginFailed', 'Login Failed', 'email')
export const NO_TEXT = (field: string) => said('Format', MUST_BE.string, field)
export const NOT_VALID_FIELD = (field: string) => said('NotValid', NOT_VALID, field)
export const FACTOR_ACTIVE = said('Conflict', 'A second factor is active: remove it first.')
export const NO_SET_UP = said('Conflict', 'Set up a second factor first.')
export const NO_FACTOR = said('Conflict', 'No second factor is active.')
export const WHILE_ACTING = said('Forbidden', 'This is not possible while you are acting as another account.')
export const EMAIL_REQUIRED = said('Required', REQUIRED, 'email')
export const USER_ID_FORMAT = said('Format', MUST_BE.id, 'userId')
export const NO_ACCOUNT = said('NotFound', 'There is no such account, or it is disabled.', 'userId')
export const ADMINISTRATOR = said('Forbidden', 'You cannot act as an administrator.', 'userId')
export const PASSWORD_NOT_VALID = said('NotValid', NOT_VALID, 'password')
export const ID_OR_OTHERS = said('NotValid', 'Either id or others: true has to be given.')
export const NO_SESSION = said('NotFound', 'You have no session with this id.', 'id')
export const NOT_ACTING = said('Forbidden', 'You are not acting as another account.')
export const FIELDS_REQUIRED = ['label', 'status', 'budget'].flatMap((field) =>
  said('Required', REQUIRED, field),
)

export const PROJECT_ID_REQUIRED = said('Required', REQUIRED, 'id')
export const NO_PROJECT = said('NotFound', 'There is no project with this id.')

export const NO_CREDENTIALS = said('NotValid', 'Valid credentials are required.')
export const BAD_LIMIT = said('NotValid', integerFrom(1, PAGE_LIMIT_MAX), 'limit')
export const NO_NAME = said('Required', REQUIRED, 'name')
export const NO_PET = said('NotFound', 'There is no pet with this id.')
export const MIXED = said(
  'NotValid',
  'must not mix age or hunts of a cat with bark or breed of a dog',
  'body',
)
export const STALE = said('Conflict', 'The pet has changed since it was read.')
export const KEY_REUSED = said(
  'Conflict',
  'This idempotency key was used with another body.',
  'Idempotency-Key',
)

/** Refusals that every route may return. The last three refusals may be sent before the request has reached its route. */
export const ALWAYS: Refusals = {
  405: said('Format', 'This method is not allowed here; see the Allow header.'),
  408: said('Format', TOO_LATE),
  431: said('Format', 'The request headers are too large.'),
  503: said('Unavailable', 'The service is unavailable, try again shortly.'),
}

/** Additional refusals of routes that call a use case. */
export const WORKING: Refusals = {
  500: said('Unavailable', 'Internal error.'),
}

/** Additional refusals of routes that read a body. */
export function readingBody(types: readonly string[]): Refusals {
  return {
    413: said('Length', bodyError.tooLarge().message),
    415: said('Format', `The body must be ${types.join(' or ')} in UTF-8.`),
  }
}
