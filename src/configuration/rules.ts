import type { Permissions } from '../domain/access/permissions.js'
import { DEVELOPMENT_OUTBOX, type MailDelivery } from './mail.js'
import type { Values, VariableName } from './settings.js'
import { isLoopback, isWildcard, localOrigin } from './web.js'

/** What makes a passphrase good, as `adapters/keyring` knows it; each gives the end of a sentence. */
export type PassphraseRules = {
  readonly passphraseError: (text: string, use: { production: boolean; host?: string }) => string | undefined
  readonly passphraseWarning?: (text: string) => string | undefined
}

/** A rule between variables. It is asked only where each variable that it is about has a good form. */
export type Rule = {
  readonly about: readonly VariableName[]
  /** The sentence to show, without any value in it; `undefined` where all is well. */
  readonly sentence: (values: Values, passphrases: PassphraseRules) => string | undefined
}

/** A rule between variables and what the permission configuration grants. */
export type PermissionsRule = Pick<Rule, 'about'> & {
  readonly sentence: (values: Values, permissions: Permissions) => string | undefined
}

/** What the origin that clients use follows from. */
export const WHERE = ['NODE_ENV', 'PUBLIC_URL', 'HOST', 'PORT'] as const

/** The origin that clients use, or, while the port is not known yet, its likeness. */
export function originOf({ PUBLIC_URL, HOST, PORT }: Values): string {
  return PUBLIC_URL ?? localOrigin(HOST, PORT)
}

/** Conveniences are off. */
export function isProduction({ NODE_ENV }: Values): boolean {
  return NODE_ENV === 'production'
}

/** Where a passphrase is used; its host where PUBLIC_URL has a good form. */
function passphraseUse(values: Values): { production: boolean; host?: string } {
  const { PUBLIC_URL = '' } = values
  const production = isProduction(values)
  return URL.canParse(PUBLIC_URL) ? { production, host: new URL(PUBLIC_URL).hostname } : { production }
}

/** Outside production on a loopback origin: the one place where conveniences are harmless. */
function isLocalDevelopment(values: Values): boolean {
  return !isProduction(values) && isLoopback(originOf(values))
}

/** Secure unless it was switched off, which is the default in local development over plain http. */
export function hasSecureCookie(values: Values): boolean {
  return values.SESSION_COOKIE_SECURE ?? !(isLocalDevelopment(values) && originOf(values).startsWith('http:'))
}

/** How mails leave; nowhere, outside of local development, where nothing is said of it. */
export function mailDelivery(values: Values): MailDelivery | undefined {
  return values.MAIL_URL ?? (isLocalDevelopment(values) ? DEVELOPMENT_OUTBOX : undefined)
}

/** Without sessions to end, an access token is worth less the longer it lives. */
export function accessTokenTtl({ ACCESS_TOKEN_TTL: ttl, IDENTITY_STATELESS: stateless }: Values): number {
  return ttl ?? (stateless ? 5 : 15) * 60_000
}

/** The sentence of a rule that is broken on this condition. */
export function when(condition: boolean, sentence: string): string | undefined {
  return condition ? sentence : undefined
}

/** Each broken one stops the start. */
export const ERRORS: readonly Rule[] = [
  {
    about: ['NODE_ENV', 'PUBLIC_URL'],
    sentence: (values) =>
      when(
        isProduction(values) && values.PUBLIC_URL === undefined,
        'PUBLIC_URL is required in production: the origin that clients use, such as https://pets.example',
      ),
  },
  {
    about: [...WHERE, 'SESSION_COOKIE_SECURE'],
    sentence: (values) =>
      when(
        values.SESSION_COOKIE_SECURE === false && !isLocalDevelopment(values),
        'SESSION_COOKIE_SECURE may be 0 only outside production and on a loopback PUBLIC_URL',
      ),
  },
  {
    about: [...WHERE, 'SESSION_COOKIE_SECURE', 'SESSION_COOKIE_SAMESITE'],
    sentence: (values) =>
      when(
        values.SESSION_COOKIE_SAMESITE === 'none' && !hasSecureCookie(values),
        'SESSION_COOKIE_SAMESITE can be none only with a secure cookie (SESSION_COOKIE_SECURE=1)',
      ),
  },
  {
    about: ['SESSION_COOKIE_SAMESITE', 'CORS_ORIGINS'],
    sentence: (values) =>
      when(
        values.SESSION_COOKIE_SAMESITE === 'none' && values.CORS_ORIGINS === undefined,
        'SESSION_COOKIE_SAMESITE can be none only with the calling origins listed in CORS_ORIGINS',
      ),
  },
  {
    about: ['IDENTITY_AUTHORIZATION_HEADER', 'PETS_API_KEY_HEADER'],
    sentence: ({ IDENTITY_AUTHORIZATION_HEADER: bearer, PETS_API_KEY_HEADER: apiKey }) =>
      when(
        bearer.toLowerCase() === apiKey.toLowerCase(),
        'IDENTITY_AUTHORIZATION_HEADER and PETS_API_KEY_HEADER must name different headers',
      ),
  },
  {
    about: ['TOKEN_FORMAT', 'TOKEN_ALG'],
    sentence: ({ TOKEN_FORMAT: format, TOKEN_ALG: algorithm }) =>
      when(
        format === 'paseto' && algorithm === 'HS512',
        'TOKEN_ALG cannot be HS512 with TOKEN_FORMAT=paseto, which is v4.public and signs with Ed25519; leave it out or set EdDSA',
      ),
  },
  {
    about: ['IDENTITY_STATELESS', 'STATELESS_REVOCATION'],
    sentence: ({ IDENTITY_STATELESS: stateless, STATELESS_REVOCATION: revocation }) =>
      when(
        revocation === 'store' && !stateless,
        'STATELESS_REVOCATION=store is of use only with IDENTITY_STATELESS=1; sessions are revocable anyway',
      ),
  },
  {
    about: ['IDENTITY_STATELESS', 'ACCESS_TOKEN_TTL', 'REFRESH_TOKEN_TTL'],
    sentence: (values) =>
      when(
        accessTokenTtl(values) > values.REFRESH_TOKEN_TTL,
        'ACCESS_TOKEN_TTL must not be longer than REFRESH_TOKEN_TTL',
      ),
  },
  {
    about: ['MAIL_URL', 'MAIL_FROM'],
    sentence: ({ MAIL_URL: url, MAIL_FROM: from }) =>
      when(
        url?.kind === 'smtp' && from === undefined,
        'MAIL_FROM is required with a mail server: the sender, such as Kennel <no-reply@kennel.example>',
      ),
  },
  {
    about: ['AUDIT', 'LOG_LEVEL'],
    sentence: ({ AUDIT: targets, LOG_LEVEL: level }) =>
      when(
        targets.includes('log') && !['debug', 'info'].includes(level),
        'AUDIT can be log only with LOG_LEVEL=info or debug: the records would be dropped',
      ),
  },
  {
    about: ['HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT'],
    sentence: ({ HOST, PORT, METRICS_HOST, METRICS_PORT }) =>
      when(
        HOST === METRICS_HOST && PORT === METRICS_PORT && PORT !== 0,
        'METRICS_PORT must be another port than PORT: metrics are not for clients',
      ),
  },
  {
    about: ['REFRESH_TOKEN_TTL', 'SESSION_TTL'],
    sentence: ({ REFRESH_TOKEN_TTL: refresh, SESSION_TTL: session }) =>
      when(refresh > session, 'REFRESH_TOKEN_TTL must not be longer than SESSION_TTL'),
  },
  {
    about: [...WHERE, 'SECURITY_JWT_PASSPHRASE'],
    sentence: (values) =>
      when(
        values.SECURITY_JWT_PASSPHRASE === undefined && !isLocalDevelopment(values),
        'SECURITY_JWT_PASSPHRASE is required; it may be missing only outside production and on a loopback PUBLIC_URL (`kennel-id key generate --plain` makes one)',
      ),
  },
  {
    about: ['NODE_ENV', 'SECURITY_JWT_PASSPHRASE'],
    sentence: (values, { passphraseError }) => {
      if (values.SECURITY_JWT_PASSPHRASE === undefined) return undefined
      const error = passphraseError(values.SECURITY_JWT_PASSPHRASE, passphraseUse(values))
      return error && `SECURITY_JWT_PASSPHRASE ${error}`
    },
  },
  {
    // Whoever guesses a previous passphrase forges tokens just as well.
    about: ['NODE_ENV', 'SECURITY_JWT_PASSPHRASE_PREVIOUS'],
    sentence: (values, { passphraseError }) => {
      const previous = values.SECURITY_JWT_PASSPHRASE_PREVIOUS ?? []
      const errors = previous.map((text) => passphraseError(text, passphraseUse(values)))
      const at = errors.findIndex((error) => error !== undefined)
      if (at < 0) return undefined
      return `SECURITY_JWT_PASSPHRASE_PREVIOUS, passphrase ${at + 1} of ${previous.length}, ${String(errors[at])}`
    },
  },
]

/** Each broken one stops the start. */
export const PERMISSION_ERRORS: readonly PermissionsRule[] = [
  {
    about: [...WHERE, 'MAIL_URL', 'PERMISSIONS_FILE'],
    sentence: (values, permissions) =>
      when(
        permissions.isPermitted('auth', 'reset-password') && mailDelivery(values) === undefined,
        'MAIL_URL is required where auth: reset-password is granted: smtp://user:password@host:587, or file:FOLDER',
      ),
  },
]

/** Each is said aloud at the start, which goes on. */
export const PERMISSION_WARNINGS: readonly PermissionsRule[] = [
  {
    about: ['IDENTITY_STATELESS', 'STATELESS_REVOCATION', 'PERMISSIONS_FILE'],
    sentence: (values, permissions) =>
      when(
        isImpersonationPermitted(permissions) &&
          values.IDENTITY_STATELESS &&
          values.STATELESS_REVOCATION === 'none',
        'IDENTITY_STATELESS: login-as and logout-as are refused, because the tokens of before could not be voided; STATELESS_REVOCATION=store would allow them',
      ),
  },
  {
    about: ['AUDIT', 'PERMISSIONS_FILE'],
    sentence: (values, permissions) =>
      when(
        isImpersonationPermitted(permissions) && values.AUDIT.length === 0,
        'AUDIT is off: login-as and logout-as are refused, because nothing would be on record',
      ),
  },
]

function isImpersonationPermitted(permissions: Permissions): boolean {
  return permissions.isPermitted('auth', 'login-as')
}

/** Each is said aloud at the start, which goes on. */
export const WARNINGS: readonly Rule[] = [
  {
    about: ['NODE_ENV', 'SECURITY_JWT_PASSPHRASE'],
    sentence: (values, { passphraseWarning }) => {
      if (isProduction(values) || values.SECURITY_JWT_PASSPHRASE === undefined) return undefined
      const warning = passphraseWarning?.(values.SECURITY_JWT_PASSPHRASE)
      return warning && `SECURITY_JWT_PASSPHRASE ${warning}`
    },
  },
  {
    about: ['PASSWORD_SCRYPT'],
    sentence: ({ PASSWORD_SCRYPT: { logN, r, p } }) =>
      when(
        2 ** logN * r * p < 2 ** 15 * 8 * 3,
        'PASSWORD_SCRYPT is below 15/8/3: stolen password hashes would be cheap to try',
      ),
  },
  {
    about: ['PASSWORD_MIN_LENGTH'],
    sentence: ({ PASSWORD_MIN_LENGTH: length }) =>
      when(length < 8, 'PASSWORD_MIN_LENGTH is below 8: such passwords are soon guessed'),
  },
  {
    about: ['NODE_ENV', 'DATABASE_URL'],
    sentence: (values) =>
      when(
        isProduction(values) && values.DATABASE_URL.kind === 'memory',
        'DATABASE_URL is memory: in production; all data is lost when the service stops',
      ),
  },
  {
    about: [...WHERE, 'SESSION_COOKIE_SECURE', 'IDENTITY_STATELESS'],
    sentence: (values) => {
      const origin = originOf(values)
      const lost =
        !values.IDENTITY_STATELESS &&
        hasSecureCookie(values) &&
        origin.startsWith('http:') &&
        !isLoopback(origin)
      return when(lost, 'PUBLIC_URL is not https: browsers will not keep the secure session cookie')
    },
  },
  {
    about: ['HOST', 'PUBLIC_URL'],
    sentence: ({ HOST, PUBLIC_URL }) =>
      when(
        PUBLIC_URL === undefined && isWildcard(HOST),
        'HOST means every interface, so no client can call its address; set PUBLIC_URL to the origin that clients use',
      ),
  },
]
