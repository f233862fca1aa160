import { OPERATOR } from '../../src/domain/access/caller.js'
import { attempt, emailOf, isActing, type Action, type Attempt } from './clients.js'
import { ownerOf } from './made-up.js'

/** Mostly the account of the owner. */
const accountOf = (number: number) => [1, 1, 2, 3, 3][number % 5] as number

export const setPassword: Action = (scene, _, [a, b]) => {
  const account = accountOf(a)
  const password = `secret${b % 3}`
  ;(scene.passwords[account] as string[]).push(password)
  return attempt('setPassword', {
    input: { account, password },
    text: `operator sets the password of account ${account} to ${password}`,
    hints: ['accounts.setPassword'],
    call: ({ setPassword: run }) => run({ caller: OPERATOR, email: emailOf(account), password }),
  })
}

const disabling = (account: number, disabled: boolean) =>
  attempt('setDisabled', {
    input: { account, disabled },
    text: `operator ${disabled ? 'disables' : 'enables'} account ${account}`,
    hints: ['accounts.setDisabled'],
    call: ({ disableUser, enableUser }) =>
      (disabled ? disableUser : enableUser)({ caller: OPERATOR, email: emailOf(account) }),
  })

export const setDisabled: Action = (_, __, [a, b]) => disabling(accountOf(a), b % 4 === 0)

export const revokeSessions: Action = (_, __, [a]) => {
  const account = accountOf(a)
  return attempt('revokeSessions', {
    input: { account },
    text: `operator ends all sessions of account ${account}`,
    hints: ['sessions.endAllOf'],
    call: ({ revokeSessions: run }) => run({ caller: OPERATOR, email: emailOf(account) }),
  })
}

export const ROLES = ['admin', 'editor']

const roleChange = (account: number, role: string, remove: boolean) =>
  attempt('setRole', {
    input: { account, role, remove },
    text: `operator ${remove ? 'takes' : 'gives'} account ${account} the role ${role}`,
    hints: [remove ? 'roles.unassign' : 'roles.assign'],
    call: ({ assignRole: run }) => run({ caller: OPERATOR, email: emailOf(account), role, remove }),
  })

export const setRole: Action = (_, __, [a, b, c]) =>
  roleChange(accountOf(a), ROLES[b % 2] as string, c % 2 === 0)

/** While an administrator acts as account 2, lets that end; otherwise makes it possible again. */
export const interfere: Action = ({ clients }, _, [a]) => {
  const isActed = clients.some(isActing)
  const changes = [
    () => roleChange(2, 'admin', !isActed),
    () => roleChange(3, 'admin', isActed),
    () => disabling(3, isActed),
    () => disabling(2, isActed),
  ]
  return (changes[a % changes.length] as () => Attempt)()
}

export const removeUserFactor: Action = () =>
  attempt('removeUserFactor', {
    input: { account: 1 },
    text: 'operator removes the second factor of account 1',
    hints: ['secondFactors.remove'],
    call: ({ removeUserFactor: run }) => run({ caller: OPERATOR, email: emailOf(1) }),
  })

/** Removes the first factor at some time. */
export const removeFirstFactor: Action = (scene, client, numbers) => {
  const isFirst = scene.secrets.length === 1
  return isFirst && numbers[0] % 2 === 0 ? removeUserFactor(scene, client, numbers) : disabling(2, false)
}

/** A process that sends the mail of a request. */
export const issueReset: Action = ({ resets }, _, [a]) => {
  const account = accountOf(a)
  return attempt('issueReset', {
    input: { account },
    text: `a reset mail for account ${account}`,
    hints: ['accounts.issueResetToken'],
    call: ({ makeMail, timeOrderedIds }) => {
      const job = { id: timeOrderedIds(0), kind: 'reset-password', email: emailOf(account), askedAt: 0 }
      return makeMail({ ...job, attempts: 0 } as never)
    },
    answerOf: (mail: Mail) => ownerOf(tokenOf(mail)),
    then: (mail: Mail) => {
      if (mail) resets.push(tokenOf(mail))
    },
  })
}

type Mail = { readonly text: string } | undefined

const tokenOf = (mail: Mail) =>
  (mail && new URLSearchParams(new URL(mail.text).hash.slice(1)).get('resetToken')) ?? ''

export const createApiKey: Action = ({ apiKeys }) =>
  attempt('createApiKey', {
    input: {},
    text: 'operator makes an API key',
    hints: ['apiKeys.insert'],
    call: ({ createApiKey: run }) => run({ caller: OPERATOR, name: 'key', roles: [] }),
    answerOf: ({ key }: { readonly key: string }) => ownerOf(key),
    then: (made: { readonly id: number; readonly key: string }) => void apiKeys.push(made),
  })

export const revokeApiKey: Action = (scene, client, [a, b, c]) => {
  const made = scene.apiKeys[a % Math.max(1, scene.apiKeys.length)]
  if (!made) return createApiKey(scene, client, [a, b, c])
  return attempt('revokeApiKey', {
    input: { key: ownerOf(made.key) },
    text: `operator revokes API key ${made.key}`,
    hints: ['apiKeys.revoke'],
    call: ({ revokeApiKey: run }) => run({ caller: OPERATOR, id: String(made.id) }),
  })
}
