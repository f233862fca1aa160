import type { FactorConfirmed } from '../../src/application/identity/second-factor/confirm-second-factor.js'
import { attempt, emailOf, isActing, issuedSeen, keep, passwordOf, withLogin } from './clients.js'
import type { Action, Numbers, Scene } from './clients.js'
import { codeOf, keepCodes, oneTimeOf } from './codes.js'
import { ownerOf } from './made-up.js'
import { getIdentity, refresh } from './sessions.js'

/** The calls with which every operation on the own login begins. */
const OWN = ['sessions.find#1', 'sessions.find#1', 'sessions.find#1']

export const changePassword = withLogin('changePassword', (scene, client, [a, b]) => {
  const [password, newPassword] = [passwordOf(scene, client.account, a), `changed${b % 3}`]
  return {
    input: { password, newPassword },
    text: `changes the password from ${password} to ${newPassword}`,
    hints: [...OWN, 'sessions.find#1', 'accounts.find#1', 'accounts.changePassword', 'sessions.open*'],
    call: ({ changePassword: run }, presented) => run({ password, newPassword, presented }),
    answerOf: issuedSeen,
    then: (issued: never) => {
      scene.passwords[client.account]?.push(newPassword)
      keep(scene, client)(issued)
    },
  }
})

export const deleteAccount = withLogin('deleteAccount', (scene, { account }, [a]) => {
  const password = passwordOf(scene, account, a)
  return {
    input: { password },
    text: `deletes the account with ${password}`,
    hints: [...OWN, 'accounts.find#1', 'accounts.find#2', 'accounts.remove'],
    call: ({ deleteAccount: run }, presented) => run({ password, presented }),
  }
})

export const consumeReset: Action = (scene, { account }, [a, b]) => {
  const token = scene.resets.at(-1 - (a % 4)) ?? scene.resets[0] ?? '0.0'
  const password = `reset${b % 3}`
  return attempt('consumeReset', {
    input: { account, token: ownerOf(token), password },
    text: `resets the password of account ${account} to ${password} with token ${token}`,
    hints: ['accounts.*ResetToken'],
    call: ({ consumeResetToken: run }) =>
      run({ email: emailOf(account), resetToken: token, password, presented: {} }),
    then: () => void scene.passwords[account]?.push(password),
  })
}

type Listed = { readonly sessions: readonly { readonly id: string }[] }

export const listSessions = withLogin('listSessions', () => ({
  text: 'lists its sessions',
  hints: [...OWN, 'sessions.pageOf'],
  call: ({ listOwnSessions: run }, presented) => run({ limit: 100, presented } as never),
  answerOf: ({ sessions }: Listed) => String(sessions.map(({ id }) => ownerOf(id)).sort()),
}))

export const endOtherSessions = withLogin('endOtherSessions', () => ({
  text: 'ends its other sessions',
  hints: [...OWN, 'sessions.endOthers'],
  call: ({ endOwnSessions: run }, presented) => run({ others: true, presented }),
  answerOf: ({ ended }: { readonly ended: number }) => ended,
}))

export const setUpFactor = withLogin('setUpFactor', (scene, { account }, [a]) => {
  const password = passwordOf(scene, account, a)
  return {
    input: { password },
    text: `sets up a second factor with ${password}`,
    hints: [...OWN, 'accounts.find#1', 'secondFactors.begin'],
    call: ({ setUpSecondFactor: run }, presented) => run({ password, presented }),
    answerOf: ({ secret }: { readonly secret: string }) => ownerOf(secret),
    then: ({ secret }: { readonly secret: string }) => void scene.secrets.push(secret),
  }
})

const confirmNewest = withLogin('confirmFactor', (scene, client, [, , c]) => {
  const secret = scene.secrets.at(-1) ?? ''
  const { text, meaning: code } = oneTimeOf(scene, c)
  return {
    input: { code },
    text: `confirms the second factor with code ${text}`,
    hints: [
      ...OWN,
      ...['accounts.find#1', 'secondFactors.find', 'secondFactors.activate', 'accounts.find#2'],
      ...['sessions.end', 'sessions.open*'],
    ],
    call: ({ confirmSecondFactor: run }, presented) => run({ code: text, presented }),
    answerOf: ({ issued }: FactorConfirmed) => issuedSeen(issued),
    then: ({ issued, recoveryCodes }: FactorConfirmed) => {
      keep(scene, client)(issued)
      keepCodes(scene, recoveryCodes)
      scene.confirmed.push(secret)
    },
  }
})

export const confirmFactor: Action = (scene, client, numbers) =>
  (scene.secrets.length === 0 ? setUpFactor : confirmNewest)(scene, client, numbers)

/** Sets up a factor, or confirms the last set-up. */
export const enrol: Action = (scene, client, numbers) =>
  (scene.confirmed.at(-1) === scene.secrets.at(-1) ? setUpFactor : confirmFactor)(scene, client, numbers)

/** The password and a code of the second factor: as the model sees them, as a text, and as they are sent. */
function proofOf(scene: Scene, account: number, [a, , c]: Numbers) {
  const password = passwordOf(scene, account, a)
  const { text: code, meaning } = codeOf(scene, c)
  return { input: { password, code: meaning }, shown: `code ${code}, ${password}`, sent: { password, code } }
}

export const renewRecovery = withLogin('renewRecovery', (scene, { account }, numbers) => {
  const { input, shown, sent } = proofOf(scene, account, numbers)
  return {
    input,
    text: `makes new recovery codes with ${shown}`,
    hints: [...OWN, 'accounts.find#1', 'secondFactors.find#1', 'secondFactors.renewRecovery'],
    call: ({ renewRecoveryCodes: run }, presented) => run({ ...sent, presented }),
    then: (codes: readonly string[]) => keepCodes(scene, codes),
  }
})

export const removeFactor = withLogin('removeFactor', (scene, { account }, numbers) => {
  const { input, shown, sent } = proofOf(scene, account, numbers)
  return {
    input,
    text: `removes the second factor with ${shown}`,
    hints: [
      ...OWN,
      ...['accounts.find#1', 'secondFactors.find#1', 'secondFactors.take*', 'secondFactors.remove'],
      ...['accounts.find#2', 'accounts.find#2'],
    ],
    call: ({ removeSecondFactor: run }, presented) => run({ ...sent, presented }),
  }
})

export const loginAs = withLogin('loginAs', (scene, client, [, b]) => {
  const target = [2, 2, 2, 1, 2, 2, 2, 3][b % 8] as number
  return {
    input: { target },
    text: `acts as account ${target}`,
    hints: [...OWN, 'accounts.find', 'sessions.end', 'sessions.end', 'sessions.open*'],
    call: ({ loginAs: run }, presented) => run({ userId: target, presented }),
    answerOf: issuedSeen,
    then: keep(scene, client),
  }
})

const logoutAs = withLogin('logoutAs', (scene, client) => ({
  text: 'stops acting as another account',
  hints: [...OWN.slice(1), 'accounts.find', 'sessions.end', 'sessions.end', 'sessions.open*'],
  call: ({ logoutAs: run }, presented) => run({ presented }),
  answerOf: issuedSeen,
  then: keep(scene, client),
}))

/** Acts as another account, and does something there. */
export const act: Action = (scene, client, numbers) => {
  const actions = isActing(client) ? [getIdentity, refresh, getIdentity, logoutAs] : [loginAs]
  return (actions[numbers[2] % actions.length] as Action)(scene, client, numbers)
}
