import type { MailQueue } from '../../ports/mail.js'
import { MAIL_JOB, QUEUED_MAIL } from './records.js'
import type { Statements } from './statements.js'

const FREE = 'due_at <= ? AND claimed_until <= ?'

/** Stores the mail queue. */
export function createMailQueue({ read, write, skipLocked }: Statements): MailQueue {
  const { list, read: jobOf } = MAIL_JOB
  const enqueue = write(
    `INSERT INTO {mail_jobs} (${QUEUED_MAIL.list})
     SELECT ${QUEUED_MAIL.parameters} WHERE (SELECT count(*) FROM {mail_jobs}) < ?`,
  )
  const FIRST_FREE = `SELECT id FROM {mail_jobs} WHERE ${FREE} ORDER BY id LIMIT 1`
  const firstFree = read(FIRST_FREE)
  const claim = write(
    `UPDATE {mail_jobs} SET claimed_until = ? WHERE id = (${FIRST_FREE} ${skipLocked}) RETURNING ${list}`,
  )
  const waiting = read(`SELECT ${list} FROM {mail_jobs} WHERE id > ? AND ${FREE} ORDER BY id LIMIT ?`)
  const discard = write('DELETE FROM {mail_jobs} WHERE id = ? AND claimed_until <= ?')
  const remove = write('DELETE FROM {mail_jobs} WHERE id = ? AND claimed_until = ?')
  const postpone = write(
    `UPDATE {mail_jobs} SET due_at = ?, claimed_until = 0, attempts = attempts + 1
     WHERE id = ? AND claimed_until = ?`,
  )
  const listTo = read(`SELECT ${list} FROM {mail_jobs} WHERE email = ? ORDER BY id`)
  const removeTo = write('DELETE FROM {mail_jobs} WHERE email = ?')

  return {
    enqueue: async (job, most) =>
      (await enqueue.run(...QUEUED_MAIL.values(job), most)) === 1 ? 'queued' : 'full',
    claim: async (at, until) => {
      // Workers poll more often than mail jobs arrive, so the call acquires no lock if there is no job.
      if (!(await firstFree.get(at, at))) return undefined
      const row = await claim.get(until, at, at)
      return row && jobOf(row)
    },
    waiting: async (after, at, limit) => (await waiting.all(after ?? '', at, at, limit)).map(jobOf),
    discard: async (ids, at) => {
      const removed = await Promise.all(ids.map((id) => discard.run(id, at)))
      return ids.filter((_, index) => removed[index] === 1)
    },
    listTo: async (email) => (await listTo.all(email)).map(jobOf),
    removeTo: (email) => removeTo.run(email),
    remove: async ({ id, until }) => {
      await remove.run(id, until)
    },
    postpone: async ({ id, until }, dueAt) => {
      await postpone.run(dueAt, id, until)
    },
  }
}
