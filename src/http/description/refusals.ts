import { wrongCredentials } from '../../application/access/authenticate-api-key.js'
import { unknownRole } from '../../application/access/roles.js'
import { emailTaken, noSuchAccount } from '../../application/accounts/named-account.js'
import { lastWay, unknownPasskey } from '../../application/identity/passkeys/own-passkeys.js'
import type { RoleKey } from '../../domain/access/role.js'
import { integerFrom, MUST_BE, NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { PAGE_LIMIT_MAX } from '../../domain/page-limit.js'
import {
  invalidToken,
  notPermitted,
  TooManyAttempts,
  whileImpersonating,
  type Message,
  type MessageType,
} from '../../domain/refusal.js'
import type { HttpSettings } from '../parts.js'
import { bodyError, TOO_LATE } from '../reply/failure.js'

export type RefusalMessages = readonly Message[]

export type Refusals = Readonly<Partial<Record<number, RefusalMessages>>>

/** Describes a refusal that only one endpoint file needs; recorded replies prove that an operation sends this message. */
export const messageOf = (type: MessageType, message: string, field = ''): RefusalMessages => [
  { field, type, message },
]

/** Refusals that several endpoint files share. */
export const INVALID_TOKEN = invalidToken('').messages
export const NOT_PERMITTED = notPermitted('').messages
export const WHILE_ACTING = whileImpersonating().messages
export const NO_CREDENTIALS = wrongCredentials('').messages
export const OTHER_ORIGIN = messageOf(
  'Forbidden',
  'Requests from the origin https://elsewhere.example are not accepted: the origin must be the origin of PUBLIC_URL, or be listed in CORS_ORIGINS.',
)
export const NOT_JSON = messageOf('Format', 'The body is not valid JSON in UTF-8.')
export const TOO_MANY_ATTEMPTS = new TooManyAttempts(0).messages

/** The refusals of a route with limited attempts; empty if the settings do not limit attempts. */
export const tooManyAttempts = ({ limitsAttempts }: Pick<HttpSettings, 'limitsAttempts'>): Refusals =>
  limitsAttempts ? { 429: TOO_MANY_ATTEMPTS } : {}

export const MISSING = (field: string) => messageOf('Required', REQUIRED, field)
export const NO_TEXT = (field: string) => messageOf('Format', MUST_BE.string, field)
export const NOT_VALID_FIELD = (field: string) => messageOf('NotValid', NOT_VALID, field)
export const PASSWORD_NOT_VALID = NOT_VALID_FIELD('password')
/** The refusals of a route that checks the password of the caller's account. */
export const ownPassword = (settings: Pick<HttpSettings, 'limitsAttempts'>): Refusals => ({
  400: PASSWORD_NOT_VALID,
  ...tooManyAttempts(settings),
})
/** The refusals of a route that also checks a code; the number of attempts with codes is always limited. */
export const OWN_PROOF: Refusals = { 400: PASSWORD_NOT_VALID, 429: TOO_MANY_ATTEMPTS }

export const BAD_LIMIT = messageOf('NotValid', integerFrom(1, PAGE_LIMIT_MAX), 'limit')
export const LAST_PASSKEY = lastWay().messages
export const NO_PASSKEY = unknownPasskey().messages
export const NO_USER = noSuchAccount('id').messages
export const NO_ROLE = unknownRole('editor' as RoleKey).messages
export const EMAIL_TAKEN = emailTaken().messages
export const LONG_EXPORT = messageOf(
  'Conflict',
  'The account has more than 10,000 sessions, API keys, projects or audit records: an operator can export it with `app user export`.',
)

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
