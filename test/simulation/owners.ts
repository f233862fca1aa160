import type { FactorConfirmed } from '../../src/application/identity/second-factor/set-up-second-factor.js'
import type { Issued } from '../../src/application/identity/issue.js'
import type { Code } from '../model/limits.js'
import { DOORS } from '../model/factors-and-step-up.js'
import { attempt, type Sender } from './attempt.js'
import {
  about,
  emailOfOwner,
  held,
  isActing,
  keep,
  passwordOf,
  seen,
  tokenOf,
  type Action,
  type Turn,
} from './clients.js'
import { codeAt, makerOf, ownerOf, stepAt } from './made-up.js'

export const login: Action = (turn) => {
  const { client, secrets, b, c } = turn
  const { network, jar } = client
  const password = passwordOf(turn)
  const key = b % 2 === 0 ? jar.key : undefined
  const code = secrets.length > 0 && c % 8 > 0 ? codeOf(turn) : undefined
  const presented = { sessionKey: key, client: { address: network } }
  return attempt('login', about(emailOfOwner(turn)), {
    input: { password, key, network, code: code?.meaning },
    sent: { password, presented, code: code?.text },
    answerOf: keep(turn),
  })
}

/** Presents the client's login in one member of the request or, if `isAll`, as the whole request. */
export function ownLogin(turn: Turn, isAll = false): Sender {
  const { key, access } = held(turn)
  const presented = { sessionKey: key, accessToken: access, client: { address: turn.client.network } }
  return { seen: { key, access: tokenOf(access) }, sent: () => (isAll ? presented : { presented }) }
}

export const getIdentity: Action = (turn) => attempt('getIdentity', ownLogin(turn, true), { answerOf: seen })

export const logout: Action = (turn) => attempt('logout', ownLogin(turn, true))

export const refresh: Action = (turn) => {
  const { key, refresh: refreshToken } = held(turn)
  const seen = { key, access: undefined, refresh: tokenOf(refreshToken) }
  const sent = () => ({ refreshToken, presented: { sessionKey: key } })
  return attempt('refresh', { seen, sent }, { answerOf: keep(turn) })
}

type Listed = { readonly sessions: readonly { readonly id: string }[] }

export const listSessions: Action = (turn) =>
  attempt('listSessions', ownLogin(turn), {
    sent: { limit: 100 },
    answerOf: ({ sessions }: Listed) => String(sessions.map(({ id }) => ownerOf(id)).sort()),
  })

export const endOtherSessions: Action = (turn) =>
  attempt('endOtherSessions', ownLogin(turn), {
    sent: { others: true },
    answerOf: ({ ended }: { readonly ended: number }) => ended,
  })

/** Ends any session that was ever opened, possibly of another account. */
export const endSession: Action = (turn) => {
  const id = turn.issued[turn.b % turn.issued.length]?.session ?? '0.0'
  return attempt('endSession', ownLogin(turn), { input: { session: ownerOf(id) }, sent: { id } })
}

export const changePassword: Action = (turn) => {
  const [password, newPassword] = [passwordOf(turn), `changed${turn.b % 3}`]
  return attempt('changePassword', ownLogin(turn), {
    input: { password, newPassword },
    answerOf: (issued: Issued) => {
      turn.passwords[turn.client.account]?.push(newPassword)
      return keep(turn)(issued)
    },
  })
}

/** Usually presents a code if any account has a second factor. */
export const confirmLogin: Action = (turn) => {
  const code = turn.secrets.length > 0 && turn.b % 8 > 0 ? codeOf(turn) : undefined
  const password = passwordOf(turn)
  return attempt('confirmLogin', ownLogin(turn), {
    input: { password, code: code?.meaning, network: turn.client.network },
    sent: { password, code: code?.text },
    answerOf: keep(turn),
  })
}

/** Performs an action on the component `vault`, which may require a recent proof. */
export const enterVault: Action = (turn) => attempt('enterVault', ownLogin(turn), { input: doorOf(turn) })

export function doorOf({ b }: Turn) {
  const doors = Object.keys(DOORS)
  return { door: doors[b % doors.length] as string }
}

export const deleteAccount: Action = (turn) =>
  attempt('deleteAccount', ownLogin(turn), { input: { password: passwordOf(turn) } })

export const consumeReset: Action = (turn) => {
  const { resets, passwords, client, a, b } = turn
  const resetToken = resets.at(-1 - (a % 4)) ?? resets[0] ?? '0.0'
  const password = `reset${b % 3}`
  return attempt('consumeReset', about(emailOfOwner(turn)), {
    input: { token: ownerOf(resetToken), password },
    sent: { resetToken, password, presented: {} },
    answerOf: () => void passwords[client.account]?.push(password),
  })
}

export const setUpFactor: Action = (turn) =>
  attempt('setUpFactor', ownLogin(turn), {
    input: { password: passwordOf(turn) },
    answerOf: ({ secret }: { readonly secret: string }) => {
      turn.secrets.push(secret)
      return ownerOf(secret)
    },
  })

const confirmNewest: Action = (turn) => {
  const secret = turn.secrets.at(-1) ?? ''
  const { text, meaning } = oneTimeOf(turn)
  return attempt('confirmFactor', ownLogin(turn), {
    input: { code: meaning },
    sent: { code: text },
    answerOf: ({ issued, recoveryCodes }: FactorConfirmed) => {
      keepCodes(turn, recoveryCodes)
      turn.confirmed.push(secret)
      return keep(turn)(issued)
    },
  })
}

export const confirmFactor: Action = (turn) =>
  turn.secrets.length === 0 ? setUpFactor(turn) : confirmNewest(turn)

/** Sets up a factor, or confirms the most recent setup. */
export const enrol: Action = (turn) =>
  turn.confirmed.at(-1) === turn.secrets.at(-1) ? setUpFactor(turn) : confirmNewest(turn)

/** Returns a proof of both factors: the password and a second-factor code. */
function proofOf(turn: Turn) {
  const [password, { text, meaning }] = [passwordOf(turn), codeOf(turn)]
  return { input: { password, code: meaning }, sent: { password, code: text } }
}

export const removeFactor: Action = (turn) => attempt('removeFactor', ownLogin(turn), proofOf(turn))

export const renewRecovery: Action = (turn) =>
  attempt('renewRecovery', ownLogin(turn), {
    ...proofOf(turn),
    answerOf: (codes: readonly string[]) => keepCodes(turn, codes),
  })

/** Remembers the first two codes. */
function keepCodes({ recovery }: Turn, codes: readonly string[]): void {
  recovery.push(...codes.slice(0, 2).map((text, index) => ({ text, name: `${makerOf(text)} ${index + 1}` })))
}

/** A code that the owner types, usually the next unused code of the newest secret; `meaning` is the code in the model. */
export function codeOf(turn: Turn): { text: string; meaning: Code } {
  const { recovery, c } = turn
  const code = recovery[(c >> 2) % recovery.length]
  return c % 4 === 3 && code ? { text: code.text, meaning: { recovery: code.name } } : oneTimeOf(turn)
}

/** Returns the next code of a secret. The first code is the oldest valid code, so that the next two codes are valid at the same time. */
function oneTimeOf({ secrets, time, lastStep, c }: Turn) {
  const secret = secrets.at(c % 7 === 6 ? -2 : -1) ?? '0.0'
  const now = stepAt(time())
  const last = lastStep.get(secret) ?? now - 2
  const step = c % 5 === 4 ? now : Math.min(now + 1, Math.max(now - 1, last + 1))
  lastStep.set(secret, step)
  return { text: codeAt(secret, step), meaning: { secret: ownerOf(secret), step } }
}

export const loginAs: Action = (turn) => {
  const target = [2, 2, 2, 1, 2, 2, 2, 3][turn.b % 8] as number
  const [input, sent] = [{ target }, { userId: target }]
  return attempt('loginAs', ownLogin(turn), { input, sent, answerOf: keep(turn) })
}

const logoutAs: Action = (turn) => attempt('logoutAs', ownLogin(turn), { answerOf: keep(turn) })

/** Starts impersonating another account or, during an impersonation, acts as that account. */
export const act: Action = (turn) => {
  const actions = isActing(turn.client)
    ? [getIdentity, refresh, enterVault, logoutAs, confirmLogin]
    : [loginAs, loginAs, loginAs, enterVault]
  return (actions[turn.c % actions.length] as Action)(turn)
}
