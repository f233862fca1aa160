import type { MailJob } from '../../../../src/domain/mail.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('mailQueue')
const LIST =
  'listTo shows all that waits for an address, whatever it waits for, in order, and takes none of it'
const REMOVE =
  'removeTo removes all that waits for an address, claimed or not, and nothing else, and says how much'
const RACE = 'of 16 who remove what waits for one address at once each mail is counted once'

export const brokenMailQueueAddresses: readonly Breakage[] = [
  broken('listTo shows nothing', [LIST, REMOVE], () => ({ listTo: async () => [] })),
  broken('listTo shows what is free', [LIST], (inner) => ({
    listTo: async (email) => (await inner.waiting(undefined, 0, 1_000)).filter((job) => job.email === email),
  })),
  broken('listTo shows the newest first', [LIST], (inner) => ({
    listTo: async (email) => (await inner.listTo(email)).toReversed(),
  })),
  broken('listTo hands out what it keeps', [LIST], (inner) => {
    let kept: readonly MailJob[] | undefined
    let asked = 0
    return {
      async listTo(email) {
        asked += 1
        if (asked === 2) kept = await inner.listTo(email)
        return kept ?? (await inner.listTo(email))
      },
    }
  }),
  broken('removeTo only says so', [REMOVE, RACE], (inner) => ({
    removeTo: async (email) => (await inner.listTo(email)).length,
  })),
  broken('removeTo says nothing', [REMOVE, RACE], (inner) => ({
    async removeTo(email) {
      await inner.removeTo(email)
      return 0
    },
  })),
  broken('removeTo leaves what a worker has', [REMOVE], (inner) => ({
    async removeTo(email) {
      const free = await inner.listTo(email)
      return (
        await inner.discard(
          free.map(({ id }) => id),
          0,
        )
      ).length
    },
  })),
  broken('removeTo removes what waits for anybody', [REMOVE], (inner) => ({
    async removeTo(email) {
      const own = await inner.removeTo(email)
      await inner.discard(
        (await inner.waiting(undefined, Infinity, 1_000)).map(({ id }) => id),
        Infinity,
      )
      return own
    },
  })),
  broken('removeTo looks, then removes', [RACE], (inner) => ({
    async removeTo(email) {
      const found = await inner.listTo(email)
      await everybodyElse()
      await inner.discard(
        found.map(({ id }) => id),
        Infinity,
      )
      return found.length
    },
  })),
]
