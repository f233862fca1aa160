import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const EPOCH = 'remove with an epoch takes the account only while it has that one, else nothing of it'
const RACE = 'of 16 removes of one account at once exactly one removes it'
const ENDS = 'resetTokenEnds tells when each reset token that is kept ends, as they were issued'

export const brokenRemovals: readonly Breakage[] = [
  broken('remove does not look at the epoch', [EPOCH], (inner) => ({ remove: (id) => inner.remove(id) })),
  broken('remove ends the sessions before it looks at the epoch', [EPOCH], (inner, { sessions }) => ({
    async remove(id, epoch) {
      await sessions.endAllOf(id)
      return await inner.remove(id, epoch)
    },
  })),
  broken('remove takes an older epoch too', [EPOCH], (inner) => ({
    async remove(id, epoch) {
      const account = await inner.find(id)
      return account && (epoch ?? 0) <= account.epoch ? await inner.remove(id) : 'unknown'
    },
  })),
  broken('remove looks, then removes', [RACE], (inner) => ({
    async remove(id, epoch) {
      const account = await inner.find(id)
      if (!account || (epoch ?? account.epoch) !== account.epoch) return 'unknown'
      await everybodyElse()
      await inner.remove(id)
      return 'removed'
    },
  })),
  broken('resetTokenEnds tells nothing', [ENDS], () => ({ resetTokenEnds: async () => [] })),
  broken('resetTokenEnds tells of the last one', [ENDS], (inner) => ({
    resetTokenEnds: async (id) => (await inner.resetTokenEnds(id)).slice(-1),
  })),
  broken('resetTokenEnds tells the soonest first', [ENDS], (inner) => ({
    resetTokenEnds: async (id) => (await inner.resetTokenEnds(id)).toSorted((one, other) => one - other),
  })),
]
