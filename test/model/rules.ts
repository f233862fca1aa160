import type { TokenUse } from '../../src/adapters/keyring/index.js'
import type { Mode } from '../../src/application/use-cases.js'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How far a clock may be off where the end of a token is judged (3.4). */
export const LEEWAY = 5 * SECOND
/** The longest that an administrator acts as another account (3.5). */
export const IMPERSONATION = 60 * MINUTE
/** How long a reset token is good (3.5). */
export const RESET_TOKEN = 30 * MINUTE
/** How many reset tokens of an account are good at once (7.2). */
export const RESET_TOKENS = 3
/** How long an idempotency key is kept (2). */
export const IDEMPOTENCY = 24 * HOUR

/** What a service is configured with, as far as replies depend on it. Durations are in milliseconds. */
export type Rules = {
  readonly mode: Mode
  readonly tokens: TokenUse
  readonly accessToken: number
  readonly refreshToken: number
  readonly session: number
  /** PETS_SECURITY: whether one of the two credentials is enough, or both are needed (2). */
  readonly petSecurity: 'any' | 'all'
  /** 0 where every second use of a refresh token is a replay. */
  readonly grace: number
  /** LOGIN_LIMIT, where there is one. */
  readonly limit?: { readonly count: number; readonly window: number }
}

const TOKENS: readonly TokenUse[] = ['HS512', 'EdDSA', 'v4.public']
const MODES: readonly Mode[] = ['stateful', 'stateless', 'stateless-revocable']
const PET_SECURITIES = ['any', 'all', 'any'] as const
const GRACES = [10 * SECOND, 10 * SECOND, 0, 60 * SECOND]

/** The configuration of a round: every mode comes at every third seed. */
export function rulesOf(seed: number, mode = chosen(MODES, seed)): Rules {
  return {
    mode,
    tokens: chosen(TOKENS, Math.floor(seed / 3)),
    accessToken: mode === 'stateful' ? 15 * MINUTE : 5 * MINUTE,
    refreshToken: 7 * DAY,
    session: 30 * DAY,
    petSecurity: chosen(PET_SECURITIES, Math.floor(seed / 3)),
    grace: chosen(GRACES, Math.floor(seed / 9)),
    ...(Math.floor(seed / 3) % 2 === 1 && { limit: { count: 2, window: 15 * MINUTE } }),
  }
}

/** The configuration in a few words. */
export function rulesInBrief({ mode, tokens, petSecurity, grace, limit }: Rules): string {
  const limited = limit ? `LOGIN_LIMIT=${limit.count}/${limit.window / MINUTE}m` : 'no LOGIN_LIMIT'
  return `${mode}, ${tokens}, PETS_SECURITY=${petSecurity}, REFRESH_GRACE=${grace / SECOND}s, ${limited}`
}

function chosen<T>(all: readonly T[], index: number): T {
  return all[((index % all.length) + all.length) % all.length]!
}
