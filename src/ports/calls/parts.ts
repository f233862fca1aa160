import type { AuditSink } from '../audit-log.js'
import type { Clock } from '../clock.js'
import type { Log } from '../log.js'
import type { Mailer, MailTemplates, MailText } from '../mailer.js'
import type { Metrics } from '../metrics.js'
import { PASSWORD_OBJECTIONS, type PasswordBlocklist } from '../password-blocklist.js'
import type { PasswordHasher } from '../password-hasher.js'
import type { Randomness } from '../randomness.js'
import { answers, atOnce, read, TRUE_OR_FALSE, UNSEEN, write, type CallsOf } from './call.js'
import * as is from './shapes.js'

type PartCalls = {
  readonly clock: CallsOf<{ readonly '': Clock }>
  readonly randomness: CallsOf<Randomness>
  readonly hasher: CallsOf<PasswordHasher>
  readonly passwordBlocklist: CallsOf<PasswordBlocklist>
  readonly mailer: CallsOf<Mailer>
  readonly mailTemplates: CallsOf<MailTemplates>
  readonly auditSinks: CallsOf<AuditSink>
  readonly log: CallsOf<Log>
  readonly metrics: CallsOf<Metrics>
}

const UUID_FORM = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const RANDOM = answers(
  'as many random bytes as it is asked for, base64url without padding',
  (value, member, [bytes]) => {
    const isRight =
      typeof value === 'string' &&
      value.length === Math.ceil((Number(bytes) * 4) / 3) &&
      /^[\w-]+$/.test(value)
    return is.must(isRight, member, 'is not base64url of that length')
  },
)

const VERIFIED = answers(
  'true or false, and false without a password or a hash',
  (answer, member, [password, hash]) =>
    is.truth(answer, member) ??
    is.must(!answer || (password !== undefined && hash !== undefined), member, 'is true'),
)

const RECOGNISED = answers(
  'the kind of the text: hash, with the hash, too-costly, with the limit, or unknown',
  (answer) => {
    const { kind, hash, limit } = answer as Readonly<Record<string, unknown>>
    if (kind === 'hash') return is.filled(hash, 'hash')
    if (kind === 'too-costly') return is.filled(limit, 'limit')
    return is.must(kind === 'unknown', 'kind', 'is not hash, too-costly or unknown')
  },
)

const isObjection = is.oneOf(...PASSWORD_OBJECTIONS)
const OBJECTION = answers(
  `${PASSWORD_OBJECTIONS.join(' or ')}, or nothing to accept the password`,
  (answer, member, args) => (answer === undefined ? undefined : isObjection(answer, member, args)),
)

const DELIVERY = answers(
  'the result of the mail: sent, refused, deferred or unreachable',
  is.kindOf('sent', 'refused', 'deferred', 'unreachable'),
)

const MAIL = answers('a mail: subject, text and html', (answer) => {
  const mail = answer as MailText
  return is.text(mail.subject, 'subject') ?? is.text(mail.text, 'text') ?? is.text(mail.html, 'html')
})

const UUID = answers('a UUID', (value, member) =>
  is.must(typeof value === 'string' && UUID_FORM.test(value), member, 'is not a UUID'),
)

/**
 * Every call of every other part that an embedder can provide; if a part is a function, the name of its call is empty.
 */
export const PART_CALLS: PartCalls = {
  clock: { '': atOnce(answers('a number', is.number)) },
  auditSinks: { append: write(UNSEEN, 'record') },
  randomness: { base64url: atOnce(RANDOM, 'bytes'), uuid: atOnce(UUID) },
  hasher: {
    hash: read(answers('a hash, which is a string', is.filled), 'password'),
    verify: read(VERIFIED, 'password', 'hash'),
    isOutdated: atOnce(TRUE_OR_FALSE, 'hash', 'password'),
    recognise: atOnce(RECOGNISED, 'text'),
  },
  passwordBlocklist: { refuses: read(OBJECTION, 'password', 'context') },
  mailer: { send: write(DELIVERY, 'mail'), close: write(UNSEEN) },
  mailTemplates: { render: atOnce(MAIL, 'kind', 'values') },
  log: {
    debug: atOnce(UNSEEN, 'event', 'fields'),
    info: atOnce(UNSEEN, 'event', 'fields'),
    warn: atOnce(UNSEEN, 'event', 'fields'),
    error: atOnce(UNSEEN, 'event', 'fields'),
    enabled: atOnce(UNSEEN, 'level'),
  },
  // Called with numbers at every request.
  metrics: {
    requestAnswered: atOnce(UNSEEN, 'request'),
    connectionClosed: atOnce(UNSEEN, 'ending'),
    loginTried: atOnce(UNSEEN, 'outcome'),
    refreshTried: atOnce(UNSEEN, 'outcome'),
    sessionOpened: atOnce(UNSEEN),
    sessionsEnded: atOnce(UNSEEN, 'ending', 'count'),
    hashesWaiting: atOnce(UNSEEN, 'count'),
    hashComputed: atOnce(UNSEEN, 'times'),
    hashRefused: atOnce(UNSEEN),
    storeCalled: atOnce(UNSEEN, 'port', 'outcome', 'duration'),
  },
}
