import type { MailJob, MailJobId } from '../../../../src/domain/mail.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('mailQueue')
const WAITING = 'waiting shows what is due and not claimed, in order, in pages, and takes none of it'
const AGAIN =
  'waiting shows what is free again, as often as it is asked, and what is changed in it changes nothing'
const DISCARD = 'discard removes those that it names and that are not claimed, and gives their ids'
const RACE = "of 16 discards and claims at once each job is one caller's"

export const brokenMailQueueDiscards: readonly Breakage[] = [
  broken('waiting takes what it shows', [WAITING, AGAIN], (inner) => ({
    async waiting(after, at, limit) {
      const shown = await inner.waiting(after, at, limit)
      for (const _ of shown) await inner.claim(at, at + 1)
      return shown
    },
  })),
  broken('waiting begins with the job that it is to follow', [WAITING], (inner) => ({
    waiting: (after, at, limit) => inner.waiting(after && (after.slice(0, -1) as MailJobId), at, limit),
  })),
  broken('waiting always begins at the first job', [WAITING], (inner) => ({
    waiting: (_, at, limit) => inner.waiting(undefined, at, limit),
  })),
  broken('waiting shows all', [WAITING], (inner) => ({
    waiting: (after, at) => inner.waiting(after, at, 1_000),
  })),
  broken('waiting does not look at the time', [WAITING], (inner) => ({
    waiting: (after, _, limit) => inner.waiting(after, Infinity, limit),
  })),
  broken('waiting hands out what it keeps', [AGAIN], (inner) => {
    const kept = new Map<number, readonly MailJob[]>()
    return {
      async waiting(after, at, limit) {
        const shown = await inner.waiting(after, at, limit)
        if (!kept.has(at)) kept.set(at, shown)
        return (after === undefined && kept.get(at)) || shown
      },
    }
  }),
  broken('discard only says so', [DISCARD, RACE], () => ({ discard: async (ids) => ids })),
  broken('discard says nothing', [DISCARD, RACE], (inner) => ({
    discard: async (ids, at) => (await inner.discard(ids, at)).slice(ids.length),
  })),
  broken('discard takes a mail out of the hands of its worker', [DISCARD], (inner) => ({
    discard: (ids) => inner.discard(ids, Infinity),
  })),
  broken('discard looks, then removes', [DISCARD, RACE], (inner) => ({
    async discard(ids, at) {
      const free = (await inner.waiting(undefined, at, 1_000)).map(({ id }) => id)
      const found = ids.filter((id) => free.includes(id))
      await everybodyElse()
      await inner.discard(found, Infinity)
      return found
    },
  })),
]
