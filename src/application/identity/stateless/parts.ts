import { refuse } from '../../../domain/refusal.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { Rows } from '../../table.js'
import type { Authenticate } from '../authenticate.js'
import { createBeginStateless } from '../begin-login.js'
import { createRenewStateless } from '../renew-login.js'
import { refusePages } from '../identify-page.js'
import { createReplaceStateless } from '../impersonation/replace-login.js'
import { refuseImpersonatedToken } from '../password-reset/refuse-impersonated.js'
import type { Presented } from '../presented.js'
import { createStartStateless } from '../start-login.js'
import { createStatelessAuthenticate } from './authenticate.js'
import { createIssuePair } from './issue-pair.js'
import { statelessLogout } from './logout.js'
import { createRefuseLapsedLogin } from './refuse-lapsed.js'
import { statelessRefresh } from './refresh.js'
import { createIssueNextPair, createRotatePair } from './renew-pair.js'

/**
 * Returns the table entry for an operation that stateless mode does not support. The operation refuses a logged-in caller with `forbidden`.
 */
function refusedOperation(message: string, detail: string) {
  return {
    factory:
      ({ authenticate }: { readonly authenticate: Authenticate }) =>
      async ({ presented }: { readonly presented: Presented }): Promise<never> => {
        await authenticate(presented)
        throw refuse('forbidden', 'Forbidden', message, detail)
      },
    parts: ['authenticate'],
  } as const
}

const NO_SESSIONS = refusedOperation('This service stores no sessions.', 'stateless mode')

/** The parts and operations for stateless mode, in which a token alone proves a login. */
export const STATELESS = {
  refresh: statelessRefresh,
  logout: statelessLogout,
  listOwnSessions: NO_SESSIONS,
  endOwnSessions: NO_SESSIONS,
  identifyPage: { factory: () => refusePages, parts: [] },
  issuePair: {
    factory: createIssuePair,
    parts: ['tokens', 'lifetimes', 'randomness', 'factorRoles', 'showsProof', 'log'],
  },
  beginLogin: {
    factory: createBeginStateless,
    parts: ['issuePair', 'lifetimes', 'randomness', 'clock', 'secondFactors'],
    optional: ['secondFactors'],
  },
  startLogin: { factory: createStartStateless, parts: ['beginLogin'] },
  refuseLapsedLogin: {
    factory: createRefuseLapsedLogin,
    parts: ['permissions', 'accounts', 'audit', 'factorRoles', 'secondFactors'],
    optional: ['secondFactors'],
    renamed: { revocations: 'tokenRevocations' },
  },
  authenticate: {
    factory: createStatelessAuthenticate,
    parts: ['checkAccessToken', 'clock'],
    renamed: { refuseLapsed: 'refuseLapsedLogin', revocations: 'tokenRevocations' },
  },
  refuseImpersonated: { factory: () => refuseImpersonatedToken, parts: [] },
  renewLogin: { factory: createRenewStateless, parts: ['replaceLogin'] },
  replaceLogin: {
    factory: createReplaceStateless,
    parts: ['beginLogin'],
    renamed: { revocations: 'tokenRevocations' },
  },
} as const satisfies Rows

/** Parts for stateless mode with revocation. */
export const REVOCABLE = {
  tokenRevocations: {
    factory: ({ revocations }: { revocations: Revocations }) => revocations,
    parts: ['revocations'],
  },
  renewPair: {
    factory: createRotatePair,
    parts: [
      ...(['revocations', 'tokens', 'lifetimes', 'randomness', 'notices', 'audit'] as const),
      ...(['factorRoles', 'showsProof', 'log'] as const),
    ],
  },
} as const satisfies Rows

/** Parts for stateless mode without revocation. */
export const IRREVOCABLE = {
  tokenRevocations: { factory: () => undefined, parts: [] },
  renewPair: { factory: createIssueNextPair, parts: ['issuePair'] },
} as const satisfies Rows

const CANNOT_ACT = refusedOperation(
  'Acting as another account is not possible here.',
  'stateless mode without STATELESS_REVOCATION=store',
)

/** Impersonation is refused, because without revocations the previous credentials would stay valid. */
export const NO_IMPERSONATION = { loginAs: CANNOT_ACT, logoutAs: CANNOT_ACT } as const satisfies Rows
