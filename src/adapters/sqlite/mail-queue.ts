import type { MailJob } from '../../domain/mail.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { Database } from './database.js'
import { mapWith, mapping } from './rows.js'

const MEMBERS = ['id', 'kind', 'email', 'askedAt', 'address', 'requestId', 'about', 'attempts'] as const
const FREE = 'due_at <= ? AND claimed_until <= ?'

export const MAIL_JOB = mapping<MailJob>(...MEMBERS)

/**
 * Queued and copied mail jobs are due immediately and not claimed, because the worker that claimed a copied job belongs to the other store.
 */
export const QUEUED_MAIL = mapWith(
  mapping<MailJob & { readonly dueAt: number; readonly claimedUntil: number }>(
    ...MEMBERS,
    'dueAt',
    'claimedUntil',
  ),
  (queued): MailJob => queued,
  (job) => ({ ...job, dueAt: 0, claimedUntil: 0 }),
)

/** Stores the mail queue. */
export function createMailQueue({ prepare, read, write }: Database): MailQueue {
  const { list, read: jobOf } = MAIL_JOB
  const enqueue = prepare(
    `INSERT INTO mail_jobs (${QUEUED_MAIL.list})
     SELECT ${QUEUED_MAIL.parameters} WHERE (SELECT count(*) FROM mail_jobs) < ?`,
  )
  const FIRST_FREE = `SELECT id FROM mail_jobs WHERE ${FREE} ORDER BY id LIMIT 1`
  const firstFree = prepare(FIRST_FREE)
  const claim = prepare(`UPDATE mail_jobs SET claimed_until = ? WHERE id = (${FIRST_FREE}) RETURNING ${list}`)
  const waiting = prepare(`SELECT ${list} FROM mail_jobs WHERE id > ? AND ${FREE} ORDER BY id LIMIT ?`)
  const discard = prepare('DELETE FROM mail_jobs WHERE id = ? AND claimed_until <= ?')
  const remove = prepare('DELETE FROM mail_jobs WHERE id = ? AND claimed_until = ?')
  const postpone = prepare(
    `UPDATE mail_jobs SET due_at = ?, claimed_until = 0, attempts = attempts + 1
     WHERE id = ? AND claimed_until = ?`,
  )
  const listTo = prepare(`SELECT ${list} FROM mail_jobs WHERE email = ? ORDER BY id`)
  const removeTo = prepare('DELETE FROM mail_jobs WHERE email = ?')

  return {
    enqueue: (job, most) =>
      write(() => (enqueue.run(...QUEUED_MAIL.values(job), most).changes === 1 ? 'queued' : 'full')),
    claim: async (at, until) => {
      // Workers poll more often than mail jobs arrive, so if there is no job, the call takes no lock.
      if (!(await read(() => firstFree.get(at, at)))) return undefined
      const row = await write(() => claim.get(until, at, at))
      return row && jobOf(row)
    },
    waiting: (after, at, limit) => read(() => waiting.all(after ?? '', at, at, limit).map(jobOf)),
    discard: (ids, at) => write(() => ids.filter((id) => discard.run(id, at).changes === 1)),
    listTo: (email) => read(() => listTo.all(email).map(jobOf)),
    removeTo: (email) => write(() => removeTo.run(email).changes),
    remove: ({ id, until }) => write(() => void remove.run(id, until)),
    postpone: ({ id, until }, dueAt) => write(() => void postpone.run(dueAt, id, until)),
  }
}
