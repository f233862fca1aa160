import type { Container } from 'inversify'
import { createAuthorize } from '../application/access/authorize.js'
import { createAuthenticate } from '../application/identity/authenticate.js'
import { createCheckAccessToken } from '../application/identity/check-access-token.js'
import { createGetIdentity } from '../application/identity/get-identity.js'
import { createRefuseLapsedSession } from '../application/identity/impersonation/refuse-lapsed.js'
import { createIssue } from '../application/identity/issue.js'
import { createLogin, type LoginParts } from '../application/identity/login.js'
import { createLogout } from '../application/identity/logout.js'
import { createNextGeneration, createOpenSession } from '../application/identity/open-session.js'
import { createRefresh } from '../application/identity/refresh.js'
import { createStartSession } from '../application/identity/start-login.js'
import { createStatelessAuthenticate } from '../application/identity/stateless/authenticate.js'
import { createIssuePair, createStartStateless } from '../application/identity/stateless/issue-pair.js'
import { createStatelessLogout } from '../application/identity/stateless/logout.js'
import { createRefuseLapsedLogin } from '../application/identity/stateless/refuse-lapsed.js'
import { createStatelessRefresh } from '../application/identity/stateless/refresh.js'
import type { Lifetimes } from '../domain/identity/session.js'
import { meterLogin, meterStatelessRefresh } from '../application/metering/meter-login.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { Metrics } from '../ports/metrics.js'
import type { Randomness } from '../ports/randomness.js'
import type { Revocations } from '../ports/revocations.js'
import type { TokenSigner } from '../ports/token-signer.js'
import { throttleOf, type ThrottleParts } from './throttling.js'
import { applied, provide, TOKENS } from './tokens.js'

/** What proves an identity: session cookie and token together, or the token alone. */
export type Mode =
  | { readonly kind: 'stateful' }
  /** Without `revocations` a token is good until it expires. */
  | { readonly kind: 'stateless'; readonly revocations?: Revocations }

type IdentityChoices = {
  readonly mode: Mode
  readonly loginLimit?: AttemptLimit
  readonly metrics?: Metrics
}

export function bindIdentity(container: Container, { mode, loginLimit, metrics }: IdentityChoices): void {
  const { clock, tokens, authorize, checkAccessToken } = TOKENS
  container.bind(authorize).toResolvedValue(createAuthorize, [TOKENS.permissions]).inSingletonScope()
  provide(container, checkAccessToken, createCheckAccessToken, { tokens, clock })
  const { authenticate, getIdentity } = TOKENS
  provide(container, getIdentity, createGetIdentity, { authenticate, authorize })
  bindLogin(container, loginLimit, metrics)
  if (mode.kind === 'stateful') bindStateful(container)
  else bindStateless(container, mode.revocations, metrics)
}

function bindLogin(
  container: Container,
  limit: AttemptLimit | undefined,
  metrics: Metrics | undefined,
): void {
  const { authorize, checkAccessToken, accounts, hasher, startLogin, attempts, digest, clock } = TOKENS
  provide(
    container,
    TOKENS.login,
    (parts: ThrottledLoginParts) => {
      const login = createLogin({ ...parts, throttle: throttleOf(parts, limit) })
      return metrics ? meterLogin(login, metrics) : login
    },
    {
      checkAccessToken,
      authorize,
      accounts,
      hasher,
      startLogin,
      attempts,
      digest,
      audit: TOKENS.audit,
      clock,
    },
  )
}

type ThrottledLoginParts = Omit<LoginParts, 'throttle'> & ThrottleParts

type Signing = { tokens: TokenSigner; lifetimes: Lifetimes; randomness: Randomness }

function bindStateful(container: Container): void {
  const { clock, sessions, sessionKeys, tokens, authorize, checkAccessToken, lifetimes, randomness } = TOKENS
  const { issue, nextGeneration, openSession } = TOKENS
  const { audit, permissions, refuseLapsed } = TOKENS
  provide(container, refuseLapsed, createRefuseLapsedSession, { permissions, sessions, audit })
  const active = { checkAccessToken, sessions, sessionKeys, audit, clock }
  provide(container, TOKENS.authenticate, createAuthenticate, { ...active, refuseLapsed })
  provide(container, issue, createIssue, { tokens, lifetimes })
  provide(
    container,
    nextGeneration,
    (parts: Signing) => createNextGeneration({ ...parts, currentKid: parts.tokens.currentKid }),
    { tokens, lifetimes, randomness },
  )
  const opening = { sessions, sessionKeys, nextGeneration, lifetimes, randomness, clock }
  provide(container, openSession, createOpenSession, opening)
  const starting = { sessions, sessionKeys, openSession, issue, audit, clock }
  provide(container, TOKENS.startLogin, createStartSession, starting)
  provide(container, TOKENS.refresh, createRefresh, {
    ...active,
    authorize,
    tokens,
    nextGeneration,
    issue,
    refuseLapsed,
    lifetimes,
    attempts: TOKENS.attempts,
  })
  provide(container, TOKENS.logout, createLogout, { ...active, authorize })
}

function bindStateless(
  container: Container,
  revocations: Revocations | undefined,
  metrics: Metrics | undefined,
): void {
  const { clock, tokens, authorize, checkAccessToken, lifetimes, randomness, accounts, issuePair } = TOKENS
  provide(container, issuePair, createIssuePair, { tokens, lifetimes, randomness })
  provide(container, TOKENS.startLogin, createStartStateless, { issuePair, lifetimes, randomness, clock })
  const { audit, permissions, refuseLapsedLogin: refuseLapsed } = TOKENS
  provide(container, refuseLapsed, applied(createRefuseLapsedLogin, { revocations }), {
    permissions,
    accounts,
    audit,
  })
  provide(container, TOKENS.authenticate, applied(createStatelessAuthenticate, { revocations }), {
    checkAccessToken,
    refuseLapsed,
    clock,
  })
  const createRefreshOf = applied(createStatelessRefresh, { revocations })
  const createMetered = (parts: Parameters<typeof createRefreshOf>[0]) => {
    const refresh = createRefreshOf(parts)
    return metrics ? meterStatelessRefresh(refresh, metrics) : refresh
  }
  provide(container, TOKENS.refresh, createMetered, {
    checkAccessToken,
    authorize,
    tokens,
    accounts,
    issuePair,
    refuseLapsed,
    clock,
  })
  provide(container, TOKENS.logout, applied(createStatelessLogout, { revocations }), {
    checkAccessToken,
    authorize,
    audit,
    clock,
  })
}
