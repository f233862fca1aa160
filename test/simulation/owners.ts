import type { FactorConfirmed } from '../../src/application/identity/second-factor/confirm-second-factor.js'
import type { Issued } from '../../src/application/identity/issue.js'
import { tokenOf } from './calls.js'
import { about, actionsOf, attempt, held, isActing, keep, passwordOf } from './clients.js'
import type { Action, Client, Numbers, Scene, Sender } from './clients.js'
import { codeOf, keepCodes, oneTimeOf } from './codes.js'
import { ownerOf } from './made-up.js'

export const login: Action = (scene, client, [a, b, c]) => {
  const { account, network } = client
  const password = passwordOf(scene, client, a)
  const key = b % 2 === 0 ? client.jar.key : undefined
  const code = scene.secrets.length > 0 && c % 8 > 0 ? codeOf(scene, c) : undefined
  const presented = { sessionKey: key, client: { address: network } }
  return attempt('login', about(account), {
    input: { password, key, network, code: code?.meaning },
    sent: { password, presented, code: code?.text },
    then: keep(scene, client),
  })
}

/** The client proves the login that it holds. */
const holder =
  (requestOf: (presented: object) => object) =>
  (...given: Parameters<Action>): Sender => {
    const { key, access } = held(...given)
    const sent = requestOf({ sessionKey: key, accessToken: access })
    return { seen: { key, access: tokenOf(access) }, sent: () => sent }
  }

const withLogin = actionsOf(holder((presented) => ({ presented })))
const withNothingElse = actionsOf(holder((presented) => presented))

export const getIdentity = withNothingElse('getIdentity')
export const logout = withNothingElse('logout')

export const refresh: Action = (scene, client, numbers) => {
  const { key, refresh: refreshToken } = held(scene, client, numbers)
  const seen = { key, access: undefined, refresh: tokenOf(refreshToken) }
  const sent = () => ({ refreshToken, presented: { sessionKey: key } })
  return attempt('refresh', { seen, sent }, { then: keep(scene, client) })
}

export const listSessions = withLogin('listSessions', () => ({ sent: { limit: 100 } }))
export const endOtherSessions = withLogin('endOtherSessions', () => ({ sent: { others: true } }))

export const changePassword = withLogin('changePassword', (scene, client, [a, b]) => {
  const [password, newPassword] = [passwordOf(scene, client, a), `changed${b % 3}`]
  return {
    input: { password, newPassword },
    then: (issued: Issued) => {
      scene.passwords[client.account]?.push(newPassword)
      keep(scene, client)(issued)
    },
  }
})

export const deleteAccount = withLogin('deleteAccount', (scene, client, [a]) => ({
  input: { password: passwordOf(scene, client, a) },
}))

export const consumeReset: Action = ({ resets, passwords }, { account }, [a, b]) => {
  const resetToken = resets.at(-1 - (a % 4)) ?? resets[0] ?? '0.0'
  const password = `reset${b % 3}`
  return attempt('consumeReset', about(account), {
    input: { token: ownerOf(resetToken), password },
    sent: { resetToken, password, presented: {} },
    then: () => void passwords[account]?.push(password),
  })
}

export const setUpFactor = withLogin('setUpFactor', (scene, client, [a]) => ({
  input: { password: passwordOf(scene, client, a) },
  then: ({ secret }: { readonly secret: string }) => void scene.secrets.push(secret),
}))

const confirmNewest = withLogin('confirmFactor', (scene, client, [, , c]) => {
  const secret = scene.secrets.at(-1) ?? ''
  const { text, meaning } = oneTimeOf(scene, c)
  return {
    input: { code: meaning },
    sent: { code: text },
    then: ({ issued, recoveryCodes }: FactorConfirmed) => {
      keep(scene, client)(issued)
      keepCodes(scene, recoveryCodes)
      scene.confirmed.push(secret)
    },
  }
})

export const confirmFactor: Action = (scene, ...given) =>
  (scene.secrets.length === 0 ? setUpFactor : confirmNewest)(scene, ...given)

/** Sets up a factor, or confirms the last set-up. */
export const enrol: Action = (scene, ...given) =>
  (scene.confirmed.at(-1) === scene.secrets.at(-1) ? setUpFactor : confirmNewest)(scene, ...given)

/** The password and a code of the second factor. */
function proofOf(scene: Scene, client: Client, [a, , c]: Numbers) {
  const password = passwordOf(scene, client, a)
  const { text, meaning } = codeOf(scene, c)
  return { input: { password, code: meaning }, sent: { password, code: text } }
}

export const removeFactor = withLogin('removeFactor', proofOf)

export const renewRecovery = withLogin('renewRecovery', (scene, ...given) => ({
  ...proofOf(scene, ...given),
  then: (codes: readonly string[]) => keepCodes(scene, codes),
}))

export const loginAs = withLogin('loginAs', (scene, client, [, b]) => {
  const target = [2, 2, 2, 1, 2, 2, 2, 3][b % 8] as number
  return { input: { target }, sent: { userId: target }, then: keep(scene, client) }
})

const logoutAs = withLogin('logoutAs', (scene, client) => ({ then: keep(scene, client) }))

/** Acts as another account, and does something there. */
export const act: Action = (scene, client, numbers) => {
  const actions = isActing(client) ? [getIdentity, refresh, getIdentity, logoutAs] : [loginAs]
  return (actions[numbers[2] % actions.length] as Action)(scene, client, numbers)
}
