import type { Metrics } from '../../../ports/metrics.js'
import type { Revocations } from '../../../ports/revocations.js'
import { meterStatelessRefresh } from '../../metering/meter-login.js'
import type { Rows } from '../../table.js'
import { createBeginStateless } from '../begin-login.js'
import type { CheckAccessToken } from '../check-access-token.js'
import { refusePages } from '../identify-page.js'
import { createReplaceStateless } from '../impersonation/replace-login.js'
import { createRefusedEnding, createRefusedListing } from '../own-sessions.js'
import { refuseImpersonatedToken } from '../password-reset/refuse-impersonated.js'
import { presented } from '../presented.js'
import { createStartStateless } from '../start-login.js'
import { createStatelessAuthenticate } from './authenticate.js'
import { createIssuePair } from './issue-pair.js'
import { createStatelessLogout } from './logout.js'
import { createRefuseLapsedLogin } from './refuse-lapsed.js'
import { createIssueNextPair, createRotatePair } from './renew-pair.js'
import { createStatelessRefresh, type StatelessRefreshParts } from './refresh.js'

type Checked = { checkAccessToken: CheckAccessToken }
type Metered = { metrics?: Metrics | undefined }

/** Where a token alone does. */
export const STATELESS = {
  identifyPage: { factory: () => refusePages, parts: [] },
  issuePair: { factory: createIssuePair, parts: ['tokens', 'lifetimes', 'randomness', 'factorRoles'] },
  beginLogin: {
    factory: createBeginStateless,
    parts: ['issuePair', 'lifetimes', 'randomness', 'clock', 'secondFactors'],
    optional: ['secondFactors'],
  },
  startLogin: { factory: createStartStateless, parts: ['beginLogin'] },
  /** `ListOwnSessions`, which refuses: nothing is stored. */
  listOwnSessions: {
    factory: presented(createRefusedListing),
    parts: ['checkAccessToken', 'authenticate'],
  },
  /** `EndOwnSessions`, which refuses. */
  endOwnSessions: { factory: presented(createRefusedEnding), parts: ['checkAccessToken', 'authenticate'] },
  refuseLapsedLogin: {
    factory: createRefuseLapsedLogin,
    parts: ['permissions', 'accounts', 'audit', 'factorRoles', 'secondFactors'],
    optional: ['secondFactors'],
    renamed: { revocations: 'tokenRevocations' },
  },
  /** `Authenticate`, for credentials as they came. */
  authenticate: {
    factory: presented(createStatelessAuthenticate),
    parts: ['checkAccessToken', 'clock'],
    renamed: { refuseLapsed: 'refuseLapsedLogin', revocations: 'tokenRevocations' },
  },
  /** `Refresh`, for credentials as they came. */
  refresh: {
    factory: ({ metrics, ...parts }: StatelessRefreshParts & Checked & Metered) =>
      meterStatelessRefresh(presented(createStatelessRefresh)(parts), metrics),
    parts: [
      'checkAccessToken',
      'authorize',
      'tokens',
      'accounts',
      'renewPair',
      'clock',
      'metrics',
      'factorRoles',
      'secondFactors',
    ],
    optional: ['secondFactors'],
    renamed: { refuseLapsed: 'refuseLapsedLogin', revocations: 'tokenRevocations' },
  },
  /** `Logout`, for credentials as they came. */
  logout: {
    factory: presented(createStatelessLogout),
    parts: ['checkAccessToken', 'authorize', 'audit', 'clock'],
    renamed: { revocations: 'tokenRevocations' },
  },
  refuseImpersonated: { factory: () => refuseImpersonatedToken, parts: [] },
  replaceLogin: {
    factory: createReplaceStateless,
    parts: ['beginLogin'],
    renamed: { revocations: 'tokenRevocations' },
  },
} as const satisfies Rows

/** Where tokens can be taken back before they expire. */
export const REVOCABLE = {
  tokenRevocations: {
    factory: ({ revocations }: { revocations: Revocations }) => revocations,
    parts: ['revocations'],
  },
  renewPair: {
    factory: createRotatePair,
    parts: ['revocations', 'tokens', 'lifetimes', 'randomness', 'notices', 'audit', 'factorRoles'],
  },
} as const satisfies Rows

/** Where tokens are good until they expire. */
export const IRREVOCABLE = {
  tokenRevocations: { factory: () => undefined, parts: [] },
  renewPair: { factory: createIssueNextPair, parts: ['issuePair'] },
} as const satisfies Rows
