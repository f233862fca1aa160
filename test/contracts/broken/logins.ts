import type { PasskeyId } from '../../../src/domain/identity/passkey.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import { also, type Bug, bugOfPorts, bugsOf, early, first, given, gives, only } from './bug.js'

const bug = bugsOf('revocations')
const factorBug = bugsOf('secondFactors')

export const bugsOfRevocations: readonly Bug[] = [
  bug('every login is revoked', /a login of an enabled/, () => ({ isRevoked: only(true) })),
  bug('revoke does not wait for its write', /revocations: revoke|extended during/, () => ({
    revoke: early('revoked'),
  })),
  bug('the login of an unknown account is valid', /remove revokes|a login of an unknown/, ({ accounts }) => ({
    isRevoked: gives(
      async (answer, { accountId }) => answer && (await accounts.find(accountId)) !== undefined,
    ),
  })),
  bug('the first result for a login is cached', /every earlier login|exactly until it expires/, () => {
    const answers = new Map<SessionId, boolean>()
    return {
      isRevoked: gives((answer, { sessionId }) => {
        answers.set(sessionId, answers.get(sessionId) ?? answer)
        return answers.get(sessionId) ?? answer
      }),
    }
  }),
  bug(
    'purge removes active revocations',
    /every refresh|purge does not change|second revoke|purge removes only rev/,
    () => ({
      purge: given((at, limit) => [at + 1, limit]),
    }),
  ),
  bug(
    'rotate ignores the grace window',
    /the first rotate|the previous pair|does not extend how|a stored login/,
    () => ({
      rotate: given((request) => [{ ...request, grace: 0 }]),
    }),
  ),
  bug(
    'a revoked login is replayed',
    /older pair|a revoked login|that login|once and detect|a replay at any time/,
    () => ({
      rotate: gives((rotation) => (rotation.kind === 'revoked' ? { kind: 'replayed' } : rotation)),
    }),
  ),
  bug('a login that was refreshed cannot be revoked', /a refresh that races/, () => {
    const refreshed = new Set<SessionId>()
    return {
      rotate: first(({ sessionId }) => refreshed.add(sessionId)),
      isRevoked: gives((answer, { sessionId }) => answer && !refreshed.has(sessionId)),
    }
  }),
  bug('a revocation lasts as long as the token pairs', /until the revocation expires/, () => {
    const ends = new Map<SessionId, number>()
    return {
      rotate: first(({ sessionId, until }) => ends.set(sessionId, until)),
      revoke: given((id, until) => [id, Math.max(until, ends.get(id) ?? 0)]),
    }
  }),
]

export const bugsOfSecondFactors: readonly Bug[] = [
  factorBug('begin reports success even if it changes nothing', /not change it|neither found/, () => ({
    begin: gives(() => 'begun'),
  })),
  factorBug('reseal reports success and changes nothing', /reseal overwrites/, () => ({
    reseal: only('resealed'),
  })),
  factorBug('every time step is accepted', /is spent|begin sets up/, () => ({
    takeStep: gives(() => 'taken'),
  })),
  factorBug(
    'every recovery code is accepted',
    /code is accepted|accepts no recovery|: a code for one|set of recovery|codes, and a second call/,
    () => ({
      takeRecovery: gives(() => 'taken'),
    }),
  ),
  factorBug('a renewal does not use up its code', /codes are not|renewing recovery/, ({ secondFactors }) => ({
    renewRecovery:
      (call) =>
      async (id, { recovery }) => {
        const { lastStep: last, activeSince: since } = (await secondFactors.find(id)) ?? {}
        const proof = { kind: 'step', step: ((last ?? 0) + 1) as never, since: since ?? 0 } as const
        return last === undefined ? 'spent' : await call(id, { proof, recovery })
      },
  })),
  factorBug('a factor ends all sessions', /a second begin|read of an|a factor ends/, ({ sessions }) => ({
    activate: also((_, id) => sessions.endAllOf(id)),
  })),
  bugOfPorts('a new password removes the factor', /account keeps/, ({ secondFactors }) => ({
    accounts: { setPassword: also((_, id) => secondFactors.remove(id)) },
  })),
  bugOfPorts(
    'a session forgets its second factor',
    /confirmed with a second factor|a session stores/,
    () => ({
      sessions: { open: given(({ factor: _, ...session }) => [session]) },
    }),
  ),
]

const passkeyBug = bugsOf('passkeys')

export const bugsOfPasskeys: readonly Bug[] = [
  passkeyBug('the newest passkey comes first', /find and listOf/, () => ({
    listOf: gives((found) => found.toReversed()),
  })),
  passkeyBug('IDs are not case-sensitive', /IDs are case-sensitive/, () => ({
    add: given((passkey, epoch) => [{ ...passkey, id: passkey.id.toLowerCase() as PasskeyId }, epoch]),
  })),
  passkeyBug(
    'add does not report a change',
    /the first reason|: .* makes add refuse|after an epoch change/,
    () => ({
      add: gives((answer) => (answer === 'changed' ? 'added' : answer)),
    }),
  ),
  passkeyBug('a removal ends all sessions', /no call changes the epoch/, ({ sessions }) => ({
    remove: also((_, id) => sessions.endAllOf(id)),
  })),
  passkeyBug('a use is not stored', /using a passkey|use refuses|same counter|the highest counter/, () => ({
    use: only('used'),
  })),
  passkeyBug('an authenticator without a counter is refused', /using a passkey|no signature counter/, () => ({
    use: gives((answer, _, { counter }) => (counter === 0 ? 'rewound' : answer)),
  })),
  passkeyBug(
    'every account can rename and remove every passkey',
    /passkeys: (?:rename changes|remove deletes)/,
    ({ passkeys }) => {
      const ownerOf = async (id: PasskeyId) => (await passkeys.find(id))?.accountId
      return {
        rename: given(async (accountId, id, name) => [(await ownerOf(id)) ?? accountId, id, name]),
        remove: given(async (accountId, id) => [(await ownerOf(id)) ?? accountId, id]),
      }
    },
  ),
  passkeyBug('the last way to log in is removed', /the last passkey|last two passkeys/, () => ({
    remove: gives((answer) => (answer === 'last-way' ? 'removed' : answer)),
  })),
]
