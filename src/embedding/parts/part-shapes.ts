import type { AuditSink } from '../../ports/audit-log.js'
import type { MailText } from '../../ports/mailer.js'
import { PASSWORD_OBJECTIONS } from '../../ports/password-blocklist.js'
import type { KennelParts } from '../options.js'
import {
  answers,
  atOnce,
  filled,
  kindOf,
  must,
  number,
  oneOf,
  optional,
  text,
  truth,
  type Answer,
  type PortShape,
} from '../../composition-root/own-store/shape.js'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

type PartShapes = { readonly [Name in keyof Required<KennelParts>]: PortShape<Required<KennelParts>[Name]> }

/** Every other part of the caller's own; the one function of a port that is a function has no name. */
export const PART_SHAPES: Omit<PartShapes, 'clock' | 'auditSinks'> & {
  readonly clock: { readonly port: string; readonly functions: { readonly '': Answer<true> } }
  /** Of each of them. */
  readonly auditSinks: PortShape<AuditSink>
} = {
  clock: { port: 'Clock', functions: { '': atOnce('a number', number) } },
  auditSinks: { port: 'AuditSink', functions: { append: 'unseen' } },
  randomness: {
    port: 'Randomness',
    functions: {
      base64url: atOnce(
        'as many random bytes as it is asked for, base64url without padding',
        (value, member, [bytes]) =>
          must(
            typeof value === 'string' &&
              value.length === Math.ceil((Number(bytes) * 4) / 3) &&
              /^[\w-]+$/.test(value),
            member,
            'is not base64url of that length',
          ),
      ),
      uuid: atOnce('a UUID', (value, member) =>
        must(typeof value === 'string' && UUID.test(value), member, 'is not a UUID'),
      ),
    },
  },
  hasher: {
    port: 'PasswordHasher',
    functions: {
      hash: answers('a hash, which is a string', filled),
      verify: answers(
        'true or false, and false where there is no password or no hash',
        (answer, member, [password, hash]) =>
          truth(answer, member) ??
          must(!answer || (password !== undefined && hash !== undefined), member, 'is true'),
      ),
      isOutdated: atOnce('true or false', truth),
      recognise: atOnce(
        'what the text is: a hash, with the hash, too-costly, with the limit, or unknown',
        (answer) => {
          const { kind, hash, limit } = answer as Readonly<Record<string, unknown>>
          if (kind === 'hash') return filled(hash, 'hash')
          if (kind === 'too-costly') return filled(limit, 'limit')
          return must(kind === 'unknown', 'kind', 'is not hash, too-costly or unknown')
        },
      ),
    },
  },
  passwordBlocklist: {
    port: 'PasswordBlocklist',
    functions: {
      refuses: answers(
        `${PASSWORD_OBJECTIONS.join(' or ')}, or nothing where the password is not refused`,
        optional(oneOf(...PASSWORD_OBJECTIONS)),
      ),
    },
  },
  mailer: {
    port: 'Mailer',
    functions: {
      send: answers(
        'what became of the mail: sent, refused, deferred or unreachable',
        kindOf('sent', 'refused', 'deferred', 'unreachable'),
      ),
      close: 'unseen',
    },
  },
  mailTemplates: {
    port: 'MailTemplates',
    functions: {
      render: atOnce('a mail: subject, text and html', (answer) => {
        const mail = answer as MailText
        return text(mail.subject, 'subject') ?? text(mail.text, 'text') ?? text(mail.html, 'html')
      }),
    },
  },
  log: {
    port: 'Log',
    functions: { debug: 'unseen', info: 'unseen', warn: 'unseen', error: 'unseen', enabled: 'unseen' },
  },
  // Told of the numbers at every request.
  metrics: {
    port: 'Metrics',
    functions: {
      requestAnswered: 'unseen',
      connectionClosed: 'unseen',
      loginTried: 'unseen',
      refreshTried: 'unseen',
      sessionOpened: 'unseen',
      sessionsEnded: 'unseen',
      hashesWaiting: 'unseen',
      hashComputed: 'unseen',
      hashRefused: 'unseen',
      storeCalled: 'unseen',
    },
  },
}
