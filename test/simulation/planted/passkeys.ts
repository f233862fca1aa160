import type { ProvePasskey } from '../../../src/application/identity/passkeys/prove-passkey.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { AttemptLimiter } from '../../../src/ports/attempt-limiter.js'
import type { SessionKeys } from '../../../src/ports/session-keys.js'
import { inStore, inTheme, inUseCases, withParts, type PlantedBugs } from './changes.js'

const ofAnyOwner = ({ provePasskey }: { readonly provePasskey: ProvePasskey }) => ({
  provePasskey: async ({ owner: _, ...presented }: Parameters<ProvePasskey>[0]) =>
    await provePasskey(presented),
})

const LAST_WAY: PlantedBugs = inTheme('noPassword', {
  'the last way to log in can be removed': inStore('passkeys', ({ remove }) => ({
    async remove(...given) {
      const outcome = await remove(...given)
      return outcome === 'last-way' ? 'removed' : outcome
    },
  })),
})

const IN_CEREMONIES: PlantedBugs = inTheme('passkeys', {
  'the counter of a passkey may decrease': inStore('passkeys', ({ use }) => ({
    async use(id, one) {
      const outcome = await use(id, one)
      return outcome === 'rewound' ? 'used' : outcome
    },
  })),
  'a removed passkey is still accepted': inUseCases('passkeys', ({ find }) => {
    const known = new Map<string, Awaited<ReturnType<typeof find>>>()
    return {
      async find(id) {
        const found = (await find(id)) ?? known.get(id)
        known.set(id, found)
        return found
      },
      use: async () => await Promise.resolve('used'),
    }
  }),
  'a challenge is checked but not used up': withParts(
    'passkeyChallenges',
    ({ attempts }: { readonly attempts: AttemptLimiter }) => ({
      attempts: {
        take: async (...given: Parameters<AttemptLimiter['take']>) => {
          await attempts.take(...given)
          return { kind: 'taken' }
        },
      },
    }),
  ),
  'a challenge is valid in every ceremony': withParts(
    'passkeyChallenges',
    ({ sessionKeys }: { readonly sessionKeys: SessionKeys }) => ({
      sessionKeys: {
        ...sessionKeys,
        successor: (kid: string, source: string, ...rest: [never, number]) =>
          sessionKeys.successor(kid, source.replace(/.*\//, '') as never, ...rest),
      },
    }),
  ),
  'a passkey of another account confirms a login': withParts('confirmLogin', ofAnyOwner),
  'a passkey of another account replaces the code of a login': withParts('login', ofAnyOwner),
  'a disabled account logs in with a passkey': withParts(
    'provePasskey',
    ({ accounts }: { readonly accounts: Accounts }) => ({
      accounts: {
        find: async (id: never) => {
          const { disabledAt: _, ...found } = (await accounts.find(id)) ?? {}
          return 'id' in found ? found : undefined
        },
      },
    }),
  ),
})

export const PASSKEYS: PlantedBugs = { ...LAST_WAY, ...IN_CEREMONIES }
