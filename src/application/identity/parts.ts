import { refuse } from '../../domain/refusal.js'
import type { Revocations } from '../../ports/sessions.js'
import type { Rows } from '../table.js'
import { createAuthenticate, createStatelessAuthenticate, type Authenticate } from './authenticate.js'
import {
  createBeginSession,
  createStartSession,
  createTellNewClient,
  createBeginStateless,
  createStartStateless,
  createReplaceSession,
  createReplaceStateless,
} from './begin-login.js'
import { createIdentifyPage, refusePages } from './get-identity.js'
import { createShowsProof } from './identity-of.js'
import type { GivenParts } from './identity-operation.js'
import {
  createRefuseLapsedSession,
  createRefuseImpersonatedSession,
  refuseImpersonatedToken,
  createRefuseLapsedLogin,
} from './impersonation/guards.js'
import { createIssue, createIssuePair } from './issue.js'
import { statelessLogout } from './logout.js'
import { createMoveAccount } from './move-account.js'
import { createNextGeneration, createOpenSession } from './open-session.js'
import { createAssertFresh } from './own-account.js'
import { createPasskeyChallenges } from './passkeys/challenges.js'
import { createProvePasskey } from './passkeys/prove-passkey.js'
import { createCheckAccessToken, type Presented } from './presented.js'
import { createPresentProof } from './proofs/present-proof.js'
import { createLimitMailRequests, createRequestProof } from './proofs/request-proof.js'
import { statelessRefresh } from './refresh.js'
import {
  createRenewSession,
  createRenewStateless,
  createIssueNextPair,
  createRotatePair,
} from './renew-login.js'
import { createProveFactor, PROOF_PARTS } from './second-factor/prove-factor.js'
import { createCodeThrottle } from './throttle.js'

/** The parts that identity operations share in every mode. */
export const IDENTITY_PARTS = {
  checkAccessToken: { factory: createCheckAccessToken, parts: ['tokens', 'clock'] },
  codeThrottle: { factory: createCodeThrottle, parts: ['attempts', 'digest', 'clock'] },
  showsProof: {
    factory: createShowsProof,
    parts: ['permissions', 'passkeyVerifier'],
    optional: ['passkeyVerifier'],
  },
  assertFresh: {
    factory: createAssertFresh,
    parts: ['passkeyVerifier', 'clock'],
    optional: ['passkeyVerifier'],
  },
  passkeyChallenges: {
    factory: createPasskeyChallenges,
    parts: ['tokens', 'sessionKeys', 'attempts', 'randomness', 'clock'],
  },
  provePasskey: {
    factory: createProvePasskey,
    parts: [
      ...(['passkeys', 'passkeyVerifier', 'passkeyChallenges', 'accounts', 'codeThrottle'] as const),
      ...(['throttle', 'notices', 'audit', 'clock', 'log'] as const),
    ],
  },
  moveAccount: {
    factory: createMoveAccount,
    parts: [
      ...(['previousAccounts', 'accounts', 'secondFactors', 'loadSecretSeal', 'hasher'] as const),
      ...(['audit', 'clock', 'log'] as const),
    ],
    optional: ['secondFactors'],
  },
  proveFactor: { factory: createProveFactor, parts: PROOF_PARTS },
  limitMailRequests: {
    factory: createLimitMailRequests,
    parts: ['networkLimit', 'attempts', 'digest', 'clock'],
  },
  requestProof: {
    factory: createRequestProof,
    parts: ['proofs', 'proofSecrets', 'limitMailRequests', 'queueMail', 'timeOrderedIds', 'clock'],
  },
  presentProof: {
    factory: createPresentProof,
    parts: ['proofs', 'proofSecrets', 'hasher', 'throttle', 'audit', 'clock'],
  },
} as const satisfies Rows

/** The parts for logins with sessions, in which both a cookie and a token are required. */
export const SESSION_PARTS = {
  refuseLapsed: {
    factory: createRefuseLapsedSession,
    parts: ['permissions', 'sessions', 'audit', 'factorRoles'],
  },
  authenticate: {
    factory: createAuthenticate,
    parts: [
      ...(['checkAccessToken', 'sessions', 'sessionKeys', 'refuseLapsed', 'audit'] as const),
      ...(['clock', 'factorRoles', 'showsProof'] as const),
    ],
  },
  identifyPage: {
    factory: createIdentifyPage,
    parts: ['sessions', 'sessionKeys', 'refuseLapsed', 'authorize', 'clock', 'factorRoles', 'showsProof'],
  },
  issue: { factory: createIssue, parts: ['tokens', 'lifetimes', 'factorRoles', 'rememberLogin'] },
  nextGeneration: {
    factory: (parts: GivenParts<['tokens', 'lifetimes', 'randomness']>) =>
      createNextGeneration({ ...parts, currentKid: parts.tokens.currentKid }),
    parts: ['tokens', 'lifetimes', 'randomness'],
  },
  openSession: {
    factory: createOpenSession,
    parts: [
      ...(['sessions', 'sessionKeys', 'nextGeneration', 'lifetimes', 'randomness'] as const),
      ...(['clock', 'nameClient', 'sessionLimit', 'rememberLogin', 'log'] as const),
    ],
  },
  beginLogin: { factory: createBeginSession, parts: ['openSession', 'issue'] },
  tellNewClient: { factory: createTellNewClient, parts: ['sessions', 'notices'] },
  startLogin: {
    factory: createStartSession,
    parts: ['sessions', 'sessionKeys', 'openSession', 'issue', 'tellNewClient', 'audit', 'clock'],
  },
  renewLogin: {
    factory: createRenewSession,
    parts: ['tokens', 'sessions', 'sessionKeys', 'nextGeneration', 'lifetimes', 'issue'],
  },
  replaceLogin: { factory: createReplaceSession, parts: ['sessions', 'beginLogin'] },
  refuseImpersonated: {
    factory: createRefuseImpersonatedSession,
    parts: ['sessions', 'sessionKeys', 'refuseLapsed', 'clock'],
  },
} as const satisfies Rows

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
