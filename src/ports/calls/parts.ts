import { factorSecret, type ImportedSecret } from '../../domain/identity/second-factor.js'
import type { AdmitAccount, PreviousAccounts } from '../callbacks.js'
import type { AuditSink } from '../audit-log.js'
import type { Clock, Randomness } from '../system.js'
import type { Log } from '../log.js'
import type { Mailer, MailTemplates } from '../mail.js'
import type { Metrics } from '../metrics.js'
import { PASSWORD_OBJECTIONS, type PasswordBlocklist, type PasswordHasher } from '../passwords.js'
import { answers, synchronous, read, TRUE_OR_FALSE, UNCHECKED, words, write, type CallsOf } from './call.js'
import * as is from './shapes.js'

type PartCalls = {
  readonly clock: CallsOf<{ readonly '': Clock }>
  readonly randomness: CallsOf<Randomness>
  readonly hasher: CallsOf<PasswordHasher>
  readonly passwordBlocklist: CallsOf<PasswordBlocklist>
  readonly mailer: CallsOf<Mailer>
  readonly mailTemplates: CallsOf<MailTemplates>
  readonly auditSinks: CallsOf<AuditSink>
  readonly admitAccount: CallsOf<{ readonly '': AdmitAccount }>
  readonly previousAccounts: CallsOf<PreviousAccounts>
  readonly log: CallsOf<Log>
  readonly metrics: CallsOf<Metrics>
}

const UUID_FORM = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const RANDOM = answers(
  'the requested number of random bytes, as base64url without padding',
  (value, member, [bytes]) => {
    const isValid =
      typeof value === 'string' &&
      value.length === Math.ceil((Number(bytes) * 4) / 3) &&
      /^[\w-]+$/.test(value)
    return is.flawUnless(isValid, member, 'is not base64url of the requested length')
  },
)

const VERIFIED = answers(
  'true or false, and always false if the password or the hash is missing',
  (answer, member, [password, hash]) =>
    is.truth(answer, member) ??
    is.flawUnless(!answer || (password !== undefined && hash !== undefined), member, 'is true'),
)

const RECOGNISED = answers(
  'the kind of the text: hash (with the hash), too-costly (with the limit), or unknown',
  (answer) => {
    const { kind, hash, limit } = answer as Readonly<Record<string, unknown>>
    if (kind === 'hash') return is.filled(hash, 'hash')
    if (kind === 'too-costly') return is.filled(limit, 'limit')
    return is.flawUnless(kind === 'unknown', 'kind', 'is neither hash, too-costly nor unknown')
  },
)

const isObjection = is.oneOf(...PASSWORD_OBJECTIONS)
const OBJECTION = answers(
  `${PASSWORD_OBJECTIONS.join(' or ')}, or undefined to accept the password`,
  (answer, member, args) => (answer === undefined ? undefined : isObjection(answer, member, args)),
)

const isPreviousKind = is.kindOf('account', 'wrong', 'unknown')
const PREVIOUS_ANSWER = answers(
  'account (with its roles and second factor, if there are any), wrong or unknown',
  (answer, member, args) => {
    const { roles = [], totp } = answer as { roles?: readonly unknown[]; totp?: ImportedSecret }
    const isSecret = totp === undefined || factorSecret(totp).ok
    return (
      isPreviousKind(answer, member, args) ??
      is.array(roles, 'roles') ??
      is.flawUnless(
        roles.every((role) => typeof role === 'string'),
        'roles',
        'has a role that is not a string',
      ) ??
      is.flawUnless(isSecret, 'totp', 'has no valid secret')
    )
  },
)

const DELIVERY = answers(
  'the outcome of the delivery: sent, refused, deferred or unreachable',
  is.kindOf('sent', 'refused', 'deferred', 'unreachable'),
)

const MAIL = answers('an email: subject, text and html', {
  subject: is.text,
  text: is.text,
  html: is.text,
})

const UUID = answers('a UUID', (value, member) =>
  is.flawUnless(typeof value === 'string' && UUID_FORM.test(value), member, 'is not a UUID'),
)

/**
 * The calls of every part that an embedder can replace, except the store. A part that is itself a function has one call, whose name is
 * empty.
 */
export const PART_CALLS: PartCalls = {
  clock: { '': synchronous(answers('a number', is.number)) },
  auditSinks: { append: write(UNCHECKED, 'record', 'isRequired') },
  randomness: { base64url: synchronous(RANDOM, 'bytes'), uuid: synchronous(UUID) },
  hasher: {
    hash: read(answers('a hash, which is a string', is.filled), 'password'),
    verify: read(VERIFIED, 'password', 'hash', 'sent'),
    isOutdated: synchronous(TRUE_OR_FALSE, 'hash', 'password'),
    recognise: synchronous(RECOGNISED, 'text'),
  },
  passwordBlocklist: { refuses: read(OBJECTION, 'password', 'context') },
  mailer: { send: write(DELIVERY, 'mail'), close: write(UNCHECKED) },
  mailTemplates: { render: synchronous(MAIL, 'kind', 'values') },
  previousAccounts: { verify: read(PREVIOUS_ANSWER, 'email', 'password', 'signal') },
  admitAccount: { '': read(words('allow', 'deny', 'challenge'), 'admission') },
  log: {
    debug: synchronous(UNCHECKED, 'event', 'fields'),
    info: synchronous(UNCHECKED, 'event', 'fields'),
    warn: synchronous(UNCHECKED, 'event', 'fields'),
    error: synchronous(UNCHECKED, 'event', 'fields'),
    enabled: synchronous(UNCHECKED, 'level'),
  },

  metrics: {
    requestAnswered: synchronous(UNCHECKED, 'request'),
    connectionClosed: synchronous(UNCHECKED, 'ending'),
    loginTried: synchronous(UNCHECKED, 'outcome'),
    refreshTried: synchronous(UNCHECKED, 'outcome'),
    sessionOpened: synchronous(UNCHECKED),
    sessionsEnded: synchronous(UNCHECKED, 'ending', 'count'),
    hashesWaiting: synchronous(UNCHECKED, 'count'),
    hashComputed: synchronous(UNCHECKED, 'times'),
    hashRefused: synchronous(UNCHECKED),
    storeCalled: synchronous(UNCHECKED, 'port', 'outcome', 'duration'),
  },
}
