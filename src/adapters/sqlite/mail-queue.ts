import type { Email } from '../../domain/identity/email.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob, MailJobId, MailKind } from '../../domain/mail.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { Database } from './database.js'

/** Of the job itself; when it is due and whose it is stand beside them. */
export const MAIL_COLUMNS = [
  'id',
  'kind',
  'email',
  'asked_at',
  'address',
  'request_id',
  'about',
  'attempts',
] as const

export type MailRow = readonly [
  id: MailJobId,
  kind: MailKind,
  email: Email,
  askedAt: Instant,
  address: string | null,
  requestId: string | null,
  about: string | null,
  attempts: number,
]

const COLUMNS = MAIL_COLUMNS.join(', ')

/** Counted and inserted in one statement, so nothing comes between. */
const ENQUEUE = `
  INSERT INTO mail_jobs (${COLUMNS}, due_at, claimed_until)
  SELECT ${MAIL_COLUMNS.map(() => '?').join(', ')}, 0, 0 WHERE (SELECT count(*) FROM mail_jobs) < ?`

/** Read in the order of ids until one is free; what is before it waits for its time or its worker. */
const FIRST_FREE = 'SELECT id FROM mail_jobs WHERE due_at <= ? AND claimed_until <= ? ORDER BY id LIMIT 1'

const WAITING = `
  SELECT ${COLUMNS} FROM mail_jobs WHERE id > ? AND due_at <= ? AND claimed_until <= ? ORDER BY id LIMIT ?`

const LIST_TO = `SELECT ${COLUMNS} FROM mail_jobs WHERE email = ? ORDER BY id`

const CLAIM = `UPDATE mail_jobs SET claimed_until = ? WHERE id = (${FIRST_FREE}) RETURNING ${COLUMNS}`

const POSTPONE = `
  UPDATE mail_jobs SET due_at = ?, claimed_until = 0, attempts = attempts + 1 WHERE id = ? AND claimed_until = ?`

/** Mails that have to leave, a row each. */
export function createMailQueue({ prepare, read, write }: Database): MailQueue {
  const enqueue = prepare(ENQUEUE)
  const firstFree = prepare(FIRST_FREE)
  const claim = prepare<MailRow>(CLAIM)
  const waiting = prepare<MailRow>(WAITING)
  const discard = prepare('DELETE FROM mail_jobs WHERE id = ? AND claimed_until <= ?')
  const remove = prepare('DELETE FROM mail_jobs WHERE id = ? AND claimed_until = ?')
  const postpone = prepare(POSTPONE)
  const listTo = prepare<MailRow>(LIST_TO)
  const removeTo = prepare('DELETE FROM mail_jobs WHERE email = ?')
  return {
    enqueue: (job, most) =>
      write(() => (enqueue.run(...mailValues(job), most).changes === 1 ? 'queued' : 'full')),
    claim: async (at, until) => {
      // Workers ask far more often than there is mail: to find none takes no lock.
      if (!(await read(() => firstFree.get(at, at)))) return undefined
      const row = await write(() => claim.get(until, at, at))
      return row && mailJobOf(row)
    },
    waiting: (after, at, limit) => read(() => waiting.all(after ?? '', at, at, limit).map(mailJobOf)),
    discard: (ids, at) => write(() => ids.filter((id) => discard.run(id, at).changes === 1)),
    listTo: (email) => read(() => listTo.all(email).map(mailJobOf)),
    removeTo: (email) => write(() => removeTo.run(email).changes),
    remove: ({ id, until }) =>
      write(() => {
        remove.run(id, until)
      }),
    postpone: ({ id, until }, dueAt) =>
      write(() => {
        postpone.run(dueAt, id, until)
      }),
  }
}

export function mailJobOf(row: MailRow): MailJob {
  const [id, kind, email, askedAt, address, requestId, about, attempts] = row
  return {
    id,
    kind,
    email,
    askedAt,
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
    ...(about !== null && { about }),
    attempts,
  }
}

/** In the order of `MAIL_COLUMNS`. */
export function mailValues(job: MailJob): readonly (string | number | null)[] {
  const { id, kind, email, askedAt, address, requestId, about, attempts } = job
  return [id, kind, email, askedAt, address ?? null, requestId ?? null, about ?? null, attempts]
}
