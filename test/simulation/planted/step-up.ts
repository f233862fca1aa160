import { createAuthorize } from '../../../src/application/access/authorize.js'
import type { Authenticate } from '../../../src/application/identity/authenticate.js'
import type { BeginLogin, ReplaceLogin } from '../../../src/application/identity/begin-login.js'
import type { Identity } from '../../../src/domain/access/caller.js'
import type { Permissions } from '../../../src/domain/access/permissions.js'
import type { Clock } from '../../../src/ports/system.js'
import type { Bug } from '../instance.js'
import { inStore, inTheme, inUseCases, withParts, type Change, type PlantedBugs } from './changes.js'

const renewed: Change<'sessions'> = ({ rotate }) => ({
  rotate: async ({ confirmation = {}, ...request }) => {
    const { at } = request
    return await rotate({ ...request, confirmation: { proved: { at, factorAt: at }, ...confirmation } })
  },
})

const forgotten: Change<'sessions'> = ({ rotate, open }) => ({
  async rotate(request) {
    const rotation = await rotate(request)
    if (rotation.kind !== 'rotated' || request.confirmation) return rotation
    const { proved: _, ...session } = rotation.session
    await open(session)
    return { kind: 'rotated', session }
  },
})

/** Reopens a session that has ended, with the account's current epoch. */
const revived: Change<'sessions'> = ({ rotate, open }, { accounts }) => ({
  async rotate(request) {
    const { found, confirmation, next: current } = request
    const rotation = await rotate(request)
    const account = found && confirmation && (await accounts.find(found.accountId))
    if (rotation.kind !== 'unknown' || !account) return rotation
    const session = { ...found, ...confirmation, current, epoch: account.epoch }
    await open(session)
    return { kind: 'rotated', session }
  },
})

const REFRESHES: PlantedBugs = {
  'a refresh proves the identity again': inStore('sessions', renewed),
  'a refresh forgets a confirmation': inStore('sessions', forgotten),
  'a confirmation outlasts the end of all logins': inUseCases('sessions', revived),
}

/** A bug that changes the caller before a use case receives it. */
const seeing = (name: string, change: (caller: Identity) => Identity): Bug =>
  withParts(name, ({ authenticate }: { readonly authenticate: Authenticate }) => ({
    authenticate: async (...given: Parameters<Authenticate>) => change(await authenticate(...given)),
  }))

const withoutActor = ({ actor: _, ...caller }: Identity) => caller

/** A bug in a use case: the login that the use case creates counts as recent. */
const provingAgain = (name: string): Bug =>
  withParts(name, ({ replaceLogin }: { readonly replaceLogin: ReplaceLogin }) => ({
    replaceLogin: async (...[login, next]: Parameters<ReplaceLogin>) =>
      await replaceLogin(login, { ...next, proved: undefined }),
  }))

const PROOFS: PlantedBugs = {
  'a code that activates a second factor proves the password': provingAgain('confirmSecondFactor'),
  'a changed password proves the second factor': withParts(
    'changePassword',
    ({ beginLogin }: { readonly beginLogin: BeginLogin }) => ({
      beginLogin: async (...[account, login]: Parameters<BeginLogin>) =>
        await beginLogin(account, { ...login, proved: undefined }),
    }),
  ),
  'a code alone confirms a login': withParts('confirmLogin', ({ hasher }: { readonly hasher: object }) => ({
    hasher: { ...hasher, verify: async () => await Promise.resolve(true) },
  })),
  'a removed second factor still meets a condition': seeing('enterVault', (caller) => ({
    ...caller,
    ...(caller.proved?.factorAt !== undefined && { factorSince: caller.proved.factorAt }),
  })),
}

const GUESSES: PlantedBugs = {
  'wrong confirmations are not counted': withParts('confirmLogin', () => ({ throttle: undefined })),
}

const IMPERSONATIONS: PlantedBugs = {
  'the end of an impersonation proves the password': provingAgain('logoutAs'),
  'a confirmation is possible during an impersonation': seeing('confirmLogin', withoutActor),
  'an impersonation meets a condition': seeing('enterVault', withoutActor),
}

type AuthorizeParts = { readonly permissions: Permissions; readonly clock: Clock }

/** A bug that accepts a proof whose time is in the future. */
const inThePast: Bug = {
  rows: {
    authorize: {
      factory: ({ permissions, clock }: AuthorizeParts) => {
        const authorize = createAuthorize(permissions, clock)
        return (caller: Identity, ...action: [never, never]) => {
          const at = Math.min(caller.proved?.at ?? 0, clock())
          return authorize({ ...caller, proved: { ...caller.proved, at } }, ...action)
        }
      },
      parts: ['permissions', 'clock'],
    },
  },
}

const CONDITIONS: PlantedBugs = {
  'a clock that was set back extends a proof': inThePast,
  'an API key meets every condition': withParts('authorize', ({ permissions }: AuthorizeParts) => ({
    permissions: {
      ...permissions,
      decide: (...asked: Parameters<Permissions['decide']>) => {
        const decision = permissions.decide(...asked)
        return asked[0].kind === 'api-key' && 'conditions' in decision ? { conditions: [] } : decision
      },
    },
  })),
}

export const STEP_UP: PlantedBugs = {
  ...inTheme('stepUp', { ...REFRESHES, ...PROOFS }),
  ...inTheme('stepUpElsewhere', CONDITIONS),
  ...inTheme('impersonation', IMPERSONATIONS),
  ...inTheme('guesses', GUESSES),
}
