import type { Permissions } from '../domain/access/permissions.js'
import {
  accessTokenTtl,
  hasSecureCookie,
  isLocalDevelopment,
  isWithin,
  mailDelivery,
  originOf,
  rpIdOf,
} from './derived.js'
import type { AdapterRules } from './reader.js'
import { sentenceAbout, says, type Sentence } from './sentence.js'
import type { Values } from './settings.js'
import { isLoopback, isRpId } from './web.js'

/** Values that a rule can read in addition to the settings. */
export type RuleContext = AdapterRules & {
  /** The permissions; `undefined` if the permission configuration is invalid. */
  readonly permissions?: Permissions
  /** The host of the public origin, which a passphrase must not resemble; `undefined` if no public origin is set. */
  readonly host?: string
}

/**
 * Checks a rule that involves several settings; returns the sentence to display, without values, or `undefined` if the rule is satisfied.
 * The rule is skipped if it reads a setting that could not be read.
 */
export type Rule = (values: Values, context: RuleContext) => Sentence | undefined

export function rule(isBroken: (values: Values, context: RuleContext) => boolean, sentence: Sentence): Rule {
  return (values, context) => (isBroken(values, context) ? sentence : undefined)
}

export function isPlainInProduction(url: string | undefined, { production }: Values): url is string {
  return url !== undefined && url.startsWith('http:') && production
}

const MAILED = ['reset-password', 'sign-up', 'change-email', 'login-by-mail'] as const

/** Rules that involve several settings; a violated rule prevents startup. */
export const ERRORS: readonly Rule[] = [
  rule(
    ({ production, publicUrl }) => production && publicUrl === undefined,
    says`${'publicUrl'} is required in production: the origin that clients use, such as https://pets.example`,
  ),
  rule(
    ({ store, storeModule }) => store !== undefined && storeModule !== undefined,
    says`${'storeModule'} and ${'store'} cannot both be set: data is kept in one place`,
  ),
  rule(
    ({ workers, store }) => typeof workers === 'number' && workers > 1 && store?.kind === 'memory',
    says`${'workers'} must be 1 if ${'store'} is memory, because each process would have separate data`,
  ),
  rule(
    (values) => values.sessionCookieSecure === false && !isLocalDevelopment(values),
    says`${'sessionCookieSecure'} may be 0 only outside production and with a loopback ${'publicUrl'}`,
  ),
  rule(
    (values) => values.sessionCookieSamesite === 'none' && !hasSecureCookie(values),
    says`${'sessionCookieSamesite'}=none needs a secure cookie (${'sessionCookieSecure'}=1)`,
  ),
  rule(
    ({ sessionCookieSamesite, corsOrigins = [] }) =>
      sessionCookieSamesite === 'none' && corsOrigins.length === 0,
    says`${'sessionCookieSamesite'}=none needs the calling origins in ${'corsOrigins'}`,
  ),
  rule(
    ({ authorizationHeader, petsApiKeyHeader }) =>
      authorizationHeader.toLowerCase() === petsApiKeyHeader.toLowerCase(),
    says`${'authorizationHeader'} and ${'petsApiKeyHeader'} must name different headers`,
  ),
  rule(
    ({ tokenFormat, tokenAlg }) => tokenFormat === 'paseto' && tokenAlg === 'HS512',
    says`${'tokenAlg'} cannot be HS512 with ${'tokenFormat'}=paseto, which is v4.public and signs with Ed25519; leave it out or set EdDSA`,
  ),
  rule(
    ({ stateless, statelessRevocation }) => statelessRevocation === 'store' && !stateless,
    says`${'statelessRevocation'}=store has an effect only with ${'stateless'}=1; sessions are revocable anyway`,
  ),
  rule(
    (values) => accessTokenTtl(values) > values.refreshTokenTtl,
    says`${'accessTokenTtl'} must not be longer than ${'refreshTokenTtl'}`,
  ),
  rule(
    ({ mailUrl, mailFrom }) => mailUrl?.kind === 'smtp' && mailFrom === undefined,
    says`${'mailFrom'} is required with a mail server: the sender, such as Kennel <no-reply@kennel.example>`,
  ),
  rule(
    ({ audit, logLevel }) => audit.includes('log') && !['debug', 'info'].includes(logLevel),
    says`${'audit'} can be log only with ${'logLevel'}=info or debug: the records would be dropped`,
  ),
  rule(
    ({ host, port, metricsHost, metricsPort }) => host === metricsHost && port === metricsPort && port !== 0,
    says`${'metricsPort'} must differ from ${'port'}: clients must not see the metrics`,
  ),
  rule(
    ({ refreshTokenTtl, sessionTtl }) => refreshTokenTtl > sessionTtl,
    says`${'refreshTokenTtl'} must not be longer than ${'sessionTtl'}`,
  ),
  rule(
    (values) => values.passphrase === undefined && !isLocalDevelopment(values),
    says`${'passphrase'} is required; it may be missing only outside production and with a loopback ${'publicUrl'} (\`kennel-id key generate --plain\` generates a passphrase)`,
  ),
  ({ production, passphrase }, { passphraseError, host = '' }) => {
    const error = passphrase && passphraseError(passphrase, { production, host })
    const repair = '(`kennel-id key generate --plain` generates a passphrase)'
    return error ? sentenceAbout('passphrase', ` ${error} ${repair}`) : undefined
  },
  // An attacker who guesses a previous passphrase can also forge tokens.
  ({ production, previousPassphrases: previous = [] }, { passphraseError, host = '' }) => {
    const errors = previous.map((text) => passphraseError(text, { production, host }))
    const at = errors.findIndex((error) => error !== undefined)
    if (at < 0) return undefined
    const rest = `, passphrase ${at + 1} of ${previous.length}, ${String(errors[at])}`
    return sentenceAbout('previousPassphrases', rest)
  },
  ({ secondFactor = [] }, { permissions }) => {
    const roles = permissions?.roles ?? secondFactor
    const at = secondFactor.findIndex((key) => !roles.includes(key))
    const known = roles.join(', ') || 'none'
    const rule = `is not a role from the permissions that an account can have; known are ${known}`
    return at < 0 ? undefined : sentenceAbout('secondFactor', ` entry ${at + 1} ${rule}`)
  },
  rule(
    (values) => !isRpId(rpIdOf(values) ?? 'localhost'),
    says`${'passkeys'}=on needs a ${'publicUrl'} with a host name, such as https://pets.example or http://localhost:3000: passkeys cannot be bound to an address`,
  ),
  rule(
    (values) => {
      const rpId = rpIdOf(values)
      return rpId !== undefined && !isWithin(new URL(originOf(values)).hostname, rpId)
    },
    says`${'passkeys'} must be the host of ${'publicUrl'} or a parent domain of it: browsers refuse other domains`,
  ),
  rule(
    (values) =>
      values.passkeys !== 'off' && originOf(values).startsWith('http:') && !isLoopback(originOf(values)),
    says`${'passkeys'} needs an https ${'publicUrl'}, unless it is on a loopback address: browsers do not support passkeys on other http pages`,
  ),
  // The settings that the following rules forbid are harmless in development but unsafe for real accounts.
  rule(
    (values) => isPlainInProduction(values.publicUrl, values) && !values.stateless,
    says`${'publicUrl'} must be https in production: browsers keep the session cookie only for https; outside production, http is enough on a loopback address`,
  ),
  rule(
    (values) =>
      values.sessionCookieSamesite === 'none' &&
      (values.corsOrigins ?? []).some((origin) => isPlainInProduction(origin, values)),
    says`${'corsOrigins'} must list only https origins in production with ${'sessionCookieSamesite'}=none: an attacker who changes an http page in transit would act as its visitor`,
  ),
  rule(
    (values) => isPlainInProduction(values.resetUrl, values) && !isLoopback(values.resetUrl),
    says`${'resetUrl'} must be https in production unless it is on a loopback address; otherwise, an attacker who changes the page in transit gets the reset token`,
  ),
  rule(
    (values) => isPlainInProduction(values.confirmUrl, values) && !isLoopback(values.confirmUrl),
    says`${'confirmUrl'} must be https in production unless it is on a loopback address; otherwise, an attacker who changes the page in transit gets the tokens that emails contain`,
  ),
  rule(
    (values, { permissions }) =>
      MAILED.some((action) => permissions?.isPermitted('auth', action)) && mailDelivery(values) === undefined,
    says`${'mailUrl'} is required if auth: reset-password, sign-up, change-email or login-by-mail is permitted: smtp://user:password@host:587, or file:FOLDER`,
  ),
  rule(
    (values) => values.notices.length > 0 && mailDelivery(values) === undefined,
    says`${'mailUrl'} is required if ${'notices'} is set: smtp://user:password@host:587, or file:FOLDER`,
  ),
]
