import type { ProvePasskey } from '../../../src/application/identity/passkeys/prove-passkey.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { AttemptLimiter } from '../../../src/ports/attempt-limiter.js'
import type { SessionKeys } from '../../../src/ports/session-keys.js'
import { inStore, inTheme, inUseCases, withParts, type PlantedBugs } from './changes.js'

export const PASSKEYS: PlantedBugs = inTheme('passkeys', {
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
  'a passkey of another account confirms a login': withParts(
    'confirmLogin',
    ({ provePasskey }: { readonly provePasskey: ProvePasskey }) => ({
      provePasskey: async ({ owner: _, ...presented }: Parameters<ProvePasskey>[0]) =>
        await provePasskey(presented),
    }),
  ),
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
