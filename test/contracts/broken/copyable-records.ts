import { aSession } from '../../../src/contracts/samples.js'
import type { RecordKind, RecordOf, CopyableRecords } from '../../../src/ports/copyable-records.js'
import { type Bug, everybodyElse } from './bug.js'

/** Bugs in a store's copyable records, with the laws that must detect each bug. */
export const bugsOfRecords: readonly Bug<CopyableRecords>[] = [
  bug(
    'a kind is left out of the pages',
    /pages start after|can be removed, the|records of every/,
    (sound) => ({
      page: async (kind, after, limit) => (kind === 'project' ? [] : await sound.page(kind, after, limit)),
    }),
  ),
  bug('the pages contain ended sessions', /records contain/, (sound) => ({
    page: async (kind, after, limit) => {
      const found = await sound.page(kind, after, limit)
      const ended: RecordOf[RecordKind] = aSession({ id: 1, epoch: 1 } as never, 'ended')
      return kind === 'session' && !after ? [ended as (typeof found)[number], ...found] : found
    },
  })),
  bug('roles of accounts are left out', /every search|copied records/, (sound) =>
    putting(sound, 'account', (account) => ({ ...account, roles: [] })),
  ),
  bug('second factors of accounts are left out', /a copied second/, (sound) =>
    putting(sound, 'account', ({ factor: _, ...account }) => account),
  ),
  bug('passkeys of accounts are left out', /a copied passkey|records of every/, (sound) =>
    putting(sound, 'account', ({ passkeys: _, ...account }) => account),
  ),
  bug('shared emails of accounts are left out', /the same canonical|the last remaining/, (sound) =>
    putting(sound, 'account', ({ sharedEmail: _, ...account }) => account),
  ),
  bug(
    'the actors of sessions are left out',
    /a copied reset|a session whose|session of a|records of every/,
    (sound) => putting(sound, 'session', ({ actor: _, ...session }) => session),
  ),
  bug('idempotency keys are left out', /a removed pet|removing a pet/, leavingOut('idempotencyKey')),
  bug('revocations are left out', /a copied login|a copied revocation/, leavingOut('revocation')),
  bug('waiting emails are left out', /a copied email/, leavingOut('mailJob')),
  bug('the audit log is left out', /a copied audit/, leavingOut('auditRecord')),
  bug('counters are left out', /ids continue|a counter never/, leavingOut('counter')),
  bug('a contradiction is not reported', /put reports a/, (sound) => ({
    put: async (kind, records) => {
      await sound.put(kind, records)
      return 'put'
    },
  })),
  bug('claim works after the store is closed', /every call after close/, () => ({
    claim: async () => 'begun',
  })),
  bug('the change token never changes', /the change token/, () => ({ changeToken: async () => '' })),
  bug('a store has no stable identity', /a store has/, (sound) => ({
    claim: (source) => sound.claim(`source ${source}`),
  })),
  bug('claim reads the mark and writes it in two steps', /an empty store/, (sound) => {
    let source: string | undefined
    return {
      async claim(asking) {
        const before = source
        await everybodyElse()
        source ??= asking
        if (before === undefined) return 'begun'
        return before === asking ? 'resumed' : await sound.claim(asking)
      },
    }
  }),
  bug('claim does not check whether the store is empty', /a store that contains data/, (sound) => ({
    claim: async (source) => {
      const answer = await sound.claim(source)
      return answer === 'occupied' ? 'begun' : answer
    },
  })),
]

function bug(
  name: string,
  breaks: RegExp,
  alter: (sound: CopyableRecords) => Partial<CopyableRecords>,
): Bug<CopyableRecords> {
  return { name, breaks, plant: (sound) => ({ ...sound, ...alter(sound) }) }
}

/** Puts the records of one kind after changing them with `change`. */
function putting<Changed extends RecordKind>(
  sound: CopyableRecords,
  changed: Changed,
  change: (record: RecordOf[Changed]) => RecordOf[Changed],
): Partial<CopyableRecords> {
  return {
    async put(kind, records) {
      const given: RecordKind = kind
      if (given !== changed) return await sound.put(kind, records)
      const before = records as readonly unknown[] as readonly RecordOf[Changed][]
      return await sound.put(changed, before.map(change))
    },
  }
}

/** Drops the records of one kind, but reports that they were stored. */
function leavingOut(dropped: RecordKind): (sound: CopyableRecords) => Partial<CopyableRecords> {
  return (sound) => ({
    put: async (kind, records) => (kind === dropped ? 'put' : await sound.put(kind, records)),
  })
}
