import type { AuditSink } from '../../ports/audit-log.js'
import type { Log } from '../../ports/log.js'
import type { Mailer, MailTemplates } from '../../ports/mailer.js'
import type { Metrics } from '../../ports/metrics.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { Randomness } from '../../ports/randomness.js'
import { watched, watchedFunction, type Law, type Watch } from './law.js'
import type { KennelParts } from '../options.js'

const isText = (answer: unknown) => typeof answer === 'string' && answer !== ''
const DELIVERIES: readonly unknown[] = ['sent', 'refused', 'deferred', 'unreachable']

/** What a part of the caller's own has to be able to do, and what is seen of its laws. */
export const CLOCK: Law = { law: 'a number', holds: Number.isFinite }

export const RANDOMNESS: Watch<Randomness> = {
  port: 'Randomness',
  laws: {
    base64url: {
      law: 'as many random bytes as it is asked for, base64url without padding',
      holds: (answer, [bytes]) =>
        isText(answer) &&
        (answer as string).length === Math.ceil((Number(bytes) * 4) / 3) &&
        /^[\w-]+$/.test(answer as string),
      atOnce: true,
    },
    uuid: {
      law: 'a UUID',
      holds: (answer) =>
        isText(answer) && /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(answer as string),
      atOnce: true,
    },
  },
}

export const HASHER: Watch<PasswordHasher> = {
  port: 'PasswordHasher',
  laws: {
    hash: { law: 'a hash, which is text', holds: isText },
    verify: {
      law: 'true or false, and false where there is no password or no hash',
      holds: (answer, [password, hash]) =>
        answer === false || (answer === true && password !== undefined && hash !== undefined),
    },
    isOutdated: { law: 'true or false', holds: (answer) => typeof answer === 'boolean', atOnce: true },
    recognise: {
      law: 'what the text is: a hash, with the hash, too-costly, with the limit, or unknown',
      holds: (answer) => {
        const { kind, hash, limit } = answer as Readonly<Record<string, unknown>>
        return kind === 'unknown' || (kind === 'hash' ? isText(hash) : kind === 'too-costly' && isText(limit))
      },
      atOnce: true,
    },
  },
}

export const MAILER: Watch<Mailer> = {
  port: 'Mailer',
  laws: {
    send: {
      law: 'what became of the mail: sent, refused, deferred or unreachable',
      holds: (answer) => DELIVERIES.includes((answer as { kind: unknown }).kind),
    },
    close: 'unseen',
  },
}

export const MAIL_TEMPLATES: Watch<MailTemplates> = {
  port: 'MailTemplates',
  laws: {
    render: {
      law: 'a mail: subject, text and html',
      holds: (answer) => {
        const { subject, text, html } = answer as Readonly<Record<string, unknown>>
        return [subject, text, html].every((one) => typeof one === 'string')
      },
      atOnce: true,
    },
  },
}

export const AUDIT_SINK: Watch<AuditSink> = { port: 'AuditSink', laws: { append: 'unseen' } }

export const LOG: Watch<Log> = {
  port: 'Log',
  laws: { debug: 'unseen', info: 'unseen', warn: 'unseen', error: 'unseen', enabled: 'unseen' },
}

/** Told of the numbers at every request, so it is asked for its functions and not watched. */
export const METRICS: Watch<Metrics> = {
  port: 'Metrics',
  laws: {
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
}

/** The caller's own parts, each of which is told where it breaks a law that can be seen. */
export function watchedParts(parts: KennelParts, log: Log): KennelParts {
  const { clock, randomness, hasher, mailer, mailTemplates } = parts
  return {
    ...parts,
    ...(clock && { clock: watchedFunction(clock, CLOCK, { port: 'Clock', log }) }),
    ...(randomness && { randomness: watched(randomness, RANDOMNESS, log) }),
    ...(hasher && { hasher: watched(hasher, HASHER, log) }),
    ...(mailer && { mailer: watched(mailer, MAILER, log) }),
    ...(mailTemplates && { mailTemplates: watched(mailTemplates, MAIL_TEMPLATES, log) }),
  }
}
