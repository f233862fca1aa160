import type { FactorConfirmed } from '../../src/application/identity/second-factor/confirm-second-factor.js'
import {
  attempt,
  credentialsOf,
  emailOf,
  held,
  issuedSeen,
  keep,
  nameOf,
  passwordOf,
  presentedOf,
  type Action,
} from './clients.js'
import { codeOf, keepCodes, oneTimeOf } from './codes.js'
import { ownerOf } from './made-up.js'

/** The calls with which every operation on the own login begins. */
const OWN = ['sessions.find#1', 'sessions.find#1', 'sessions.find#1']

export const changePassword: Action = (scene, client, [a, b, c]) => {
  const mine = held(scene, client, [a, b, c])
  const password = passwordOf(scene, client.account, a)
  const newPassword = `changed${b % 3}`
  return attempt(
    'changePassword',
    { ...credentialsOf(mine), password, newPassword },
    {
      text: `changes the password from ${password} to ${newPassword} with ${nameOf(mine)}`,
      hints: [...OWN, 'sessions.find#1', 'accounts.find#1', 'accounts.changePassword', 'sessions.open*'],
      call: ({ changePassword: run }) => run({ password, newPassword, presented: presentedOf(mine) }),
      answerOf: issuedSeen,
      then: (issued: never) => {
        scene.passwords[client.account]?.push(newPassword)
        keep(scene, client)(issued)
      },
    },
  )
}

export const deleteAccount: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  const password = passwordOf(scene, client.account, numbers[0])
  return attempt(
    'deleteAccount',
    { ...credentialsOf(mine), password },
    {
      text: `deletes the account with ${password}, ${nameOf(mine)}`,
      hints: [...OWN, 'accounts.find#1', 'accounts.find#2', 'accounts.remove'],
      call: ({ deleteAccount: run }) => run({ password, presented: presentedOf(mine) }),
    },
  )
}

export const consumeReset: Action = (scene, client, [a, b]) => {
  const { account } = client
  const token = scene.resets.at(-1 - (a % 4)) ?? scene.resets[0] ?? '0.0'
  const password = `reset${b % 3}`
  return attempt(
    'consumeReset',
    { account, token: ownerOf(token), password },
    {
      text: `resets the password of account ${account} to ${password} with token ${token}`,
      hints: ['accounts.*ResetToken'],
      call: ({ consumeResetToken: run }) =>
        run({ email: emailOf(account), resetToken: token, password, presented: {} }),
      then: () => void scene.passwords[account]?.push(password),
    },
  )
}

export const listSessions: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  return attempt('listSessions', credentialsOf(mine), {
    text: `lists its sessions with ${nameOf(mine)}`,
    hints: [...OWN, 'sessions.pageOf'],
    call: ({ listOwnSessions: run }) => run({ limit: 100, presented: presentedOf(mine) } as never),
    answerOf: ({ sessions }: { readonly sessions: readonly { readonly id: string }[] }) =>
      sessions
        .map(({ id }) => ownerOf(id))
        .sort()
        .join(),
  })
}

export const endOtherSessions: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  return attempt('endOtherSessions', credentialsOf(mine), {
    text: `ends its other sessions with ${nameOf(mine)}`,
    hints: [...OWN, 'sessions.endOthers'],
    call: ({ endOwnSessions: run }) => run({ others: true, presented: presentedOf(mine) }),
    answerOf: ({ ended }: { readonly ended: number }) => ended,
  })
}

export const setUpFactor: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  const password = passwordOf(scene, client.account, numbers[0])
  return attempt(
    'setUpFactor',
    { ...credentialsOf(mine), password },
    {
      text: `sets up a second factor with ${password}, ${nameOf(mine)}`,
      hints: [...OWN, 'accounts.find#1', 'secondFactors.begin'],
      call: ({ setUpSecondFactor: run }) => run({ password, presented: presentedOf(mine) }),
      answerOf: ({ secret }: { readonly secret: string }) => ownerOf(secret),
      then: ({ secret }: { readonly secret: string }) => void scene.secrets.push(secret),
    },
  )
}

export const confirmFactor: Action = (scene, client, numbers) => {
  if (scene.secrets.length === 0) return setUpFactor(scene, client, numbers)
  const mine = held(scene, client, numbers)
  const { text, meaning: code } = oneTimeOf(scene, numbers[2])
  return attempt(
    'confirmFactor',
    { ...credentialsOf(mine), code },
    {
      text: `confirms the second factor with code ${text}, ${nameOf(mine)}`,
      hints: [
        ...OWN,
        ...['accounts.find#1', 'secondFactors.find', 'secondFactors.activate', 'accounts.find#2'],
        ...['sessions.end', 'sessions.open*'],
      ],
      call: ({ confirmSecondFactor: run }) => run({ code: text, presented: presentedOf(mine) }),
      answerOf: ({ issued }: FactorConfirmed) => issuedSeen(issued),
      then: ({ issued, recoveryCodes }: FactorConfirmed) => {
        keep(scene, client)(issued)
        keepCodes(scene, recoveryCodes)
      },
    },
  )
}

/** Sets up a factor, or confirms the last set-up with its first code. */
export const enrol: Action = (scene, client, numbers) =>
  scene.lastStep.has(scene.secrets.at(-1) ?? '')
    ? setUpFactor(scene, client, numbers)
    : confirmFactor(scene, client, numbers)

export const renewRecovery: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  const password = passwordOf(scene, client.account, numbers[0])
  const { text, meaning: code } = codeOf(scene, numbers[2])
  return attempt(
    'renewRecovery',
    { ...credentialsOf(mine), password, code },
    {
      text: `makes new recovery codes with code ${text}, ${password}, ${nameOf(mine)}`,
      hints: [...OWN, 'accounts.find#1', 'secondFactors.find#1', 'secondFactors.renewRecovery'],
      call: ({ renewRecoveryCodes: run }) => run({ password, code: text, presented: presentedOf(mine) }),
      then: (codes: readonly string[]) => keepCodes(scene, codes),
    },
  )
}

export const removeFactor: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  const password = passwordOf(scene, client.account, numbers[0])
  const { text, meaning: code } = codeOf(scene, numbers[2])
  return attempt(
    'removeFactor',
    { ...credentialsOf(mine), password, code },
    {
      text: `removes the second factor with code ${text}, ${password}, ${nameOf(mine)}`,
      hints: [
        ...OWN,
        ...['accounts.find#1', 'secondFactors.find#1', 'secondFactors.take*', 'secondFactors.remove'],
        ...['accounts.find#2', 'accounts.find#2'],
      ],
      call: ({ removeSecondFactor: run }) => run({ password, code: text, presented: presentedOf(mine) }),
    },
  )
}

export const loginAs: Action = (scene, client, [a, b, c]) => {
  const mine = held(scene, client, [a, b, c])
  const target = [1, 1, 2, 3][b % 4] as number
  return attempt(
    'loginAs',
    { ...credentialsOf(mine), target },
    {
      text: `acts as account ${target} with ${nameOf(mine)}`,
      hints: [...OWN, 'accounts.find', 'sessions.end', 'sessions.end', 'sessions.open*'],
      call: ({ loginAs: run }) => run({ userId: target, presented: presentedOf(mine) }),
      answerOf: issuedSeen,
      then: keep(scene, client),
    },
  )
}

export const logoutAs: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  return attempt('logoutAs', credentialsOf(mine), {
    text: `stops acting as another account with ${nameOf(mine)}`,
    hints: [...OWN.slice(1), 'accounts.find', 'sessions.end', 'sessions.end', 'sessions.open*'],
    call: ({ logoutAs: run }) => run({ presented: presentedOf(mine) }),
    answerOf: issuedSeen,
    then: keep(scene, client),
  })
}
