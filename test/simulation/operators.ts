import { OPERATOR } from '../../src/domain/access/caller.js'
import { attempt, type Attempt } from './attempt.js'
import { about, emailOf, isActing, type Action, type Turn } from './clients.js'
import { ownerOf } from './made-up.js'

/** Chooses an account, usually the owner's account. */
const accountOf = (number: number) => [1, 1, 2, 3, 3][number % 5] as number

/** The operator names the account by its ID, because its email may change. */
const operator = (account: number) => about(account, { caller: OPERATOR, email: String(account) })
export const OPERATOR_ALONE = { seen: {}, sent: () => ({ caller: OPERATOR }) }

export const setPassword: Action = ({ passwords, a, b }) => {
  const [account, password] = [accountOf(a), `secret${b % 3}`]
  passwords[account]?.push(password)
  return attempt('setPassword', operator(account), { input: { password } })
}

export const setEmail: Action = ({ emails, a, b }) => {
  const [account, email] = [accountOf(a), [4, 5, 6, 7, 2][b % 5] as number]
  return attempt('setEmail', operator(account), {
    input: { email },
    sent: { newEmail: emailOf(email) },
    answerOf: () => void emails[account]?.push(email),
  })
}

const disabling = (account: number, disabled: boolean) => {
  const useCase = disabled ? 'disableUser' : 'enableUser'
  return attempt('setDisabled', operator(account), { input: { disabled }, sent: {}, useCase })
}

export const setDisabled: Action = ({ a, b }) => disabling(accountOf(a), b % 4 === 0)

/** Chooses an account, usually the first account that signed up. */
export const approveUser: Action = ({ a }) => attempt('approveUser', operator(a % 4 === 3 ? 1 : 4))

/** Enables or disables an account that may wait for approval. */
export const setNewDisabled: Action = ({ b }) => disabling(4, b % 3 > 0)

export const revokeSessions: Action = ({ a }) => attempt('revokeSessions', operator(accountOf(a)))

export const ROLES = ['admin', 'editor']

const roleChange = (account: number, role: string, remove: boolean) =>
  attempt('setRole', operator(account), { input: { role, remove } })

export const setRole: Action = ({ a, b, c }) => roleChange(accountOf(a), ROLES[b % 2] as string, c % 2 === 0)

/** Ends an impersonation of account 2, or makes impersonation possible again if there is none. */
export const interfere: Action = ({ clients, a }) => {
  const isActed = clients.some(isActing)
  const promotion = roleChange(2, 'admin', !isActed)
  const changes = [promotion, roleChange(3, 'admin', isActed), disabling(3, isActed), disabling(2, isActed)]
  return changes[a % changes.length] as Attempt
}

export const removeUserFactor = () => attempt('removeUserFactor', operator(1))

/** If only one second factor was ever set up, removes it in half of the cases. */
export const removeFirstFactor: Action = ({ secrets, a }) =>
  secrets.length === 1 && a % 2 === 0 ? removeUserFactor() : disabling(2, false)

/** Runs a process that sends the requested email. The email ends with the token; without an account, no email is sent. */
export const issueReset: Action = ({ resets, emails, time, a }) =>
  attempt('issueReset', about(emails[accountOf(a)]?.at(-1) ?? 0), {
    sent: { id: String(time()), kind: 'reset-password', askedAt: 0, attempts: 0 },
    answerOf: (mail: { readonly text: string } | undefined) => {
      const token = mail?.text.split('resetToken=')[1]
      if (token !== undefined) resets.push(token)
      return ownerOf(token ?? '')
    },
  })

export const createApiKey = ({ apiKeys }: Turn) =>
  attempt('createApiKey', OPERATOR_ALONE, {
    sent: { name: 'key', roles: [] },
    answerOf: (made: { readonly id: number; readonly key: string }) => {
      apiKeys.push(made)
      return ownerOf(made.key)
    },
  })

export const revokeApiKey: Action = (turn) => {
  const made = turn.apiKeys[turn.a % turn.apiKeys.length]
  if (!made) return createApiKey(turn)
  const [input, sent] = [{ key: ownerOf(made.key) }, { id: String(made.id) }]
  return attempt('revokeApiKey', OPERATOR_ALONE, { input, sent })
}
