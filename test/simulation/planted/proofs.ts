import type { Session } from '../../../src/domain/identity/session.js'
import type { AttemptOutcome } from '../../../src/ports/attempt-limiter.js'
import { inStore, inTheme, inUseCases, type Change, type PlantedBugs } from './changes.js'

const takenTogether: Change<'attempts'> = ({ take }) => {
  const underWay = new Map<string, Promise<AttemptOutcome>>()
  return {
    async take(counts, at) {
      const names = counts.map(({ name }) => name).join()
      const taking = underWay.get(names) ?? take(counts, at).finally(() => underWay.delete(names))
      underWay.set(names, taking)
      return await taking
    },
  }
}

const ATTEMPTS: PlantedBugs = {
  'concurrent attempts count once': inUseCases('attempts', takenTogether),
  'a right password counts as an attempt': inUseCases('attempts', () => ({
    refund: async () => await Promise.resolve(),
  })),
  'counts of attempts outlast their window': inStore('attempts', ({ take }) => ({
    async take(counts, at) {
      const longer = counts.map(({ name, limit: { count, window } }) => ({
        ...{ name, limit: { count, window: 4 * window } },
      }))
      return await take(longer, at)
    },
  })),
}

/** A login with a second factor stores the factor that the account has when the session is opened. */
const withFactorNow: Change<'sessions'> = ({ open, openWithLimit }, { secondFactors }) => {
  const changed = async (session: Session) => {
    const since = (await secondFactors.find(session.accountId))?.activeSince
    return session.factor === undefined || since === undefined ? session : { ...session, factor: since }
  }
  return {
    open: async (session) => await open(await changed(session)),
    openWithLimit: async (session, most) => await openWithLimit(await changed(session), most),
  }
}

const STEPS: PlantedBugs = {
  'a code of an authenticator counts twice': inStore('secondFactors', ({ takeStep, find }) => ({
    async takeStep(id, taken) {
      if ((await takeStep(id, taken)) === 'taken') return 'taken'
      return (await find(id))?.lastStep === taken.step ? 'taken' : 'spent'
    },
  })),
  'a time step is compared and stored in two calls': inUseCases('secondFactors', ({ find, takeStep }) => ({
    async takeStep(id, taken) {
      const { lastStep = 0, activeSince } = (await find(id)) ?? {}
      if (activeSince !== taken.since || lastStep >= taken.step) return 'spent'
      await takeStep(id, taken)
      return 'taken'
    },
  })),
}

const RECOVERY: PlantedBugs = {
  'earlier recovery codes outlast their renewal': inStore(
    'secondFactors',
    ({ takeStep, takeRecovery, find }) => ({
      async renewRecovery(id, { proof }) {
        const taking = proof.kind === 'step' ? takeStep(id, proof) : takeRecovery(id, proof.digest)
        return (await taking) === 'taken' && (await find(id)) ? 'renewed' : 'spent'
      },
    }),
  ),
  'a renewal of recovery codes uses up no code': inStore('secondFactors', ({ find, renewRecovery }) => ({
    async renewRecovery(id, { proof, recovery }) {
      const { activeSince: since, lastStep = 0 } = (await find(id)) ?? {}
      const isNext = proof.kind === 'step' && since !== undefined && proof.step <= lastStep
      return await renewRecovery(id, {
        proof: isNext ? { kind: 'step', step: (lastStep + 1) as never, since } : proof,
        recovery,
      })
    },
  })),
  'any recovery code is accepted while one is left': inUseCases(
    'secondFactors',
    ({ find, takeRecovery }) => ({
      async takeRecovery(id, digest) {
        const left = (await find(id))?.recoveryLeft ?? 0
        await takeRecovery(id, digest)
        return left > 0 ? 'taken' : 'unknown'
      },
    }),
  ),
}

const REPLACED_FACTORS: PlantedBugs = {
  'a code of a removed factor counts for the next factor': inStore('secondFactors', ({ find, takeStep }) => ({
    takeStep: async (id, { step }) => await takeStep(id, { step, since: (await find(id))?.activeSince ?? 0 }),
  })),
  'a login gets the current factor instead of the proved factor': inStore('sessions', withFactorNow),
}

export const PROOFS: PlantedBugs = {
  ...ATTEMPTS,
  ...STEPS,
  ...RECOVERY,
  'another set-up replaces a confirmed factor': inStore('secondFactors', ({ begin, remove }) => ({
    async begin(id, pending) {
      if ((await begin(id, pending)) === 'active') await remove(id)
      return await begin(id, pending)
    },
  })),
  ...inTheme('anotherFactor', REPLACED_FACTORS),
}
