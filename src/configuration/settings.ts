import { z } from 'zod'
import { choice, flag, modelName, onOff, plain } from './choices.js'
import { auditTargets, retention } from './audit.js'
import { mailUrl, resetUrl, sender } from './mail.js'
import { attemptLimit, duration, integer, portOrOff, size, wholeSeconds } from './units.js'
import { setting } from './setting.js'
import { databaseUrl, hashCost, passphrase, passphrases } from './storage.js'
import { apiKeyHeader, cookieName, credentialHeader, listeningHost, originList, publicOrigin } from './web.js'

const settings = {
  NODE_ENV: setting(choice('development', 'test', 'production')).prefault('development'),
  HOST: setting(listeningHost).prefault('127.0.0.1'),
  PORT: setting(integer(0, 65_535)).prefault('3000'),
  PUBLIC_URL: setting(publicOrigin).optional(),
  TRUST_PROXY: setting(integer(0, 10)).prefault('0'),
  CORS_ORIGINS: setting(originList).optional(),
  BODY_LIMIT: setting(size('1kb', '16mb')).prefault('64kb'),
  MAX_CONNECTIONS: setting(integer(1, 1_000_000)).prefault('10000'),
  REQUEST_TIMEOUT: setting(duration('100ms', '1h')).prefault('30s'),
  SHUTDOWN_GRACE: setting(duration('0', '1h')).prefault('10s'),
  DATABASE_URL: setting(databaseUrl).prefault('sqlite:./data/app.db'),
  SECURITY_JWT_PASSPHRASE: setting(passphrase).optional(),
  SECURITY_JWT_PASSPHRASE_PREVIOUS: setting(passphrases).optional(),
  IDENTITY_STATELESS: setting(flag).prefault('0'),
  STATELESS_REVOCATION: setting(choice('none', 'store')).prefault('none'),
  TOKEN_FORMAT: setting(choice('jwt', 'paseto')).prefault('jwt'),
  TOKEN_ALG: setting(choice('HS512', 'EdDSA')).optional(),
  ACCESS_TOKEN_TTL: setting(wholeSeconds('1s', '3650d')).optional(),
  REFRESH_TOKEN_TTL: setting(wholeSeconds('1s', '3650d')).prefault('7d'),
  SESSION_TTL: setting(wholeSeconds('1s', '3650d')).prefault('30d'),
  REFRESH_GRACE: setting(duration('0', '60s')).prefault('10s'),
  IDENTITY_AUTHORIZATION_HEADER: setting(credentialHeader).prefault('X-Authorization'),
  SESSION_COOKIE_NAME: setting(cookieName).prefault('sid'),
  SESSION_COOKIE_SECURE: setting(flag).optional(),
  SESSION_COOKIE_SAMESITE: setting(choice('strict', 'lax', 'none')).prefault('strict'),
  LOGIN_LIMIT: setting(attemptLimit).prefault('off'),
  PASSWORD_MIN_LENGTH: setting(integer(1, 1_024)).prefault('8'),
  PASSWORD_SCRYPT: setting(hashCost).prefault('17/8/1'),
  PASSWORD_HASH_CONCURRENCY: setting(integer(1, 128)).optional(),
  MAIL_URL: setting(mailUrl).optional(),
  MAIL_FROM: setting(sender).optional(),
  MAIL_TEMPLATES: setting(plain('a path', 4_096)).optional(),
  RESET_URL: setting(resetUrl).optional(),
  RESET_TOKEN_TTL: setting(wholeSeconds('1m', '1d')).prefault('30m'),
  IMPERSONATION_TTL: setting(wholeSeconds('1m', '1d')).prefault('1h'),
  AUDIT: setting(auditTargets).prefault('store'),
  AUDIT_RETENTION: setting(retention).prefault('365d'),
  USER_MODEL_NAME: setting(modelName).prefault('User'),
  PERMISSIONS_FILE: setting(plain('a path', 4_096)).optional(),
  PETS_SECURITY: setting(choice('any', 'all', 'key')).prefault('any'),
  PETS_API_KEY_HEADER: setting(apiKeyHeader).prefault('X-API-Key'),
  LOG_LEVEL: setting(choice('debug', 'info', 'warn', 'error', 'silent')).prefault('info'),
  METRICS_PORT: setting(portOrOff).prefault('off'),
  METRICS_HOST: setting(listeningHost).prefault('127.0.0.1'),
  DOCS: setting(onOff).optional(),
}

/** Every variable, with its form and its default. Rules between variables are in rules.ts. */
export const variables = z.object(settings)

export type Values = z.output<typeof variables>
export type VariableName = keyof Values

/** The variables that configure the service. */
export const SETTINGS = Object.keys(settings) as readonly VariableName[]

/** Variables that may hold a secret: each can come from a file, named by `<NAME>_FILE`. */
export const SECRETS = [
  'SECURITY_JWT_PASSPHRASE',
  'SECURITY_JWT_PASSPHRASE_PREVIOUS',
  'DATABASE_URL',
  'MAIL_URL',
] as const satisfies readonly VariableName[]

/** Every name that means something. */
export const KNOWN_NAMES: readonly string[] = [
  ...Object.keys(variables.shape),
  ...SECRETS.map((name) => `${name}_FILE`),
]
