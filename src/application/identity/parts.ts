import type { Rows } from '../table.js'
import { createAssertFresh } from './assert-fresh.js'
import { createAuthenticate } from './authenticate.js'
import { createBeginSession } from './begin-login.js'
import { createCheckAccessToken } from './check-access-token.js'
import { createIdentifyPage } from './identify-page.js'
import { createRefuseLapsedSession } from './impersonation/refuse-lapsed.js'
import { createReplaceSession } from './impersonation/replace-login.js'
import { createIssue } from './issue.js'
import { createNextGeneration, createOpenSession } from './open-session.js'
import { createShowsProof } from './identity-of.js'
import { createMoveAccount } from './move-account.js'
import { createPasskeyChallenges } from './passkeys/challenges.js'
import { createProvePasskey } from './passkeys/prove-passkey.js'
import { createLimitMailRequests } from './proofs/limit-mail-requests.js'
import { createRefuseImpersonatedSession } from './password-reset/refuse-impersonated.js'
import { createPresentProof } from './proofs/present-proof.js'
import { createRequestProof } from './proofs/request-proof.js'
import { createProveFactor, PROOF_PARTS } from './second-factor/prove-factor.js'
import { createStartSession } from './start-login.js'
import { createRenewSession } from './renew-login.js'
import { createTellNewClient } from './tell-new-client.js'
import { createCodeThrottle } from './throttle.js'
import type { GivenParts } from './part-types.js'

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
