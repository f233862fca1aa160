import type { Issued } from '../../src/application/identity/issue.js'
import type { FactorConfirmed } from '../../src/application/identity/second-factor/confirm-second-factor.js'
import type { Identity } from '../../src/domain/access/caller.js'
import type { Pet } from '../../src/domain/catalogue/pet.js'
import type { RuleName } from '../model/rules.js'
import type { Issued as SeenIssued, Seen, Token } from '../model/sessions.js'
import type { Cases } from './instance.js'
import { ownerOf } from './made-up.js'

/** The calls with which every operation on the own login begins. */
const OWN = 'sessions.find#1 sessions.find#1 sessions.find#1'
const ANOTHER_LOGIN = 'accounts.find sessions.end sessions.end sessions.open*'

/** The calls of ports with which the steps of a rule probably take effect. */
export const HINTS = {
  login:
    'attempts.take#1 attempts.take#1 accounts.findByEmail attempts.refund#1 ' +
    'secondFactors.* sessions.find sessions.end sessions.open*',
  getIdentity: 'sessions.find sessions.end sessions.end',
  refresh: 'sessions.findById sessions.end sessions.rotate',
  logout: 'sessions.find sessions.end',
  listSessions: `${OWN} sessions.pageOf`,
  endOtherSessions: `${OWN} sessions.endOthers`,
  changePassword: `${OWN} sessions.find#1 accounts.find#1 accounts.changePassword sessions.open*`,
  deleteAccount: `${OWN} accounts.find#1 accounts.find#2 accounts.remove`,
  consumeReset: 'accounts.*ResetToken',
  setUpFactor: `${OWN} accounts.find#1 secondFactors.begin`,
  confirmFactor:
    `${OWN} accounts.find#1 secondFactors.find secondFactors.activate ` +
    'accounts.find#2 sessions.end sessions.open*',
  renewRecovery: `${OWN} accounts.find#1 secondFactors.find#1 secondFactors.renewRecovery`,
  removeFactor:
    `${OWN} accounts.find#1 secondFactors.find#1 secondFactors.take* ` +
    'secondFactors.remove accounts.find#2 accounts.find#2',
  loginAs: `${OWN} ${ANOTHER_LOGIN}`,
  logoutAs: `sessions.find#1 sessions.find#1 ${ANOTHER_LOGIN}`,
  setPassword: 'accounts.setPassword',
  setDisabled: 'accounts.setDisabled',
  setRole: 'roles.*assign',
  revokeSessions: 'sessions.endAllOf',
  removeUserFactor: 'secondFactors.remove',
  issueReset: 'accounts.issueResetToken',
  createApiKey: 'apiKeys.insert',
  revokeApiKey: 'apiKeys.revoke',
  createPet: 'pets.insert',
  readPet: 'pets.find',
  patchPet: 'pets.patch',
  removePet: 'pets.remove',
} satisfies Partial<Record<RuleName, string>>

/** A rule that clients play. */
export type Played = keyof typeof HINTS

/** The use cases that have not the name of their rule. */
export const USE_CASES: Readonly<Partial<Record<Played, keyof Cases>>> = {
  ...{
    listSessions: 'listOwnSessions',
    endOtherSessions: 'endOwnSessions',
    consumeReset: 'consumeResetToken',
  },
  ...{ setUpFactor: 'setUpSecondFactor', confirmFactor: 'confirmSecondFactor' },
  ...{ removeFactor: 'removeSecondFactor', renewRecovery: 'renewRecoveryCodes' },
  ...{ setRole: 'assignRole', issueReset: 'makeMail' },
}

type Claims = Readonly<Record<'sid' | 'jti' | 'sub', string> & Record<'iat' | 'exp', number>>

export function tokenOf(text: string | undefined): Token | undefined {
  if (text === undefined) return undefined
  const [, , { sid, jti, sub, iat, exp }] = JSON.parse(text) as [string, string, Claims]
  return { session: ownerOf(sid), pair: ownerOf(jti), account: Number(sub), issued: iat, expires: exp }
}

function seen({ accountId: account, sessionId, roles, actor }: Identity): Seen {
  const keys = roles.map(({ key }) => String(key)).sort()
  return { account, session: ownerOf(sessionId ?? ''), roles: keys.join(), actor: actor?.accountId ?? 0 }
}

function issuedSeen({ identity, sessionKey, accessToken, refreshToken, endsAt }: Issued): SeenIssued {
  const [access, refresh] = [tokenOf(accessToken) as Token, tokenOf(refreshToken) as Token]
  return { ...seen(identity), key: String(sessionKey), access, refresh, endsAt }
}

const petSeen = ({ name, revision, traits }: Pet) => ({
  ...{ name, revision },
  age: traits?.kind === 'cat' ? traits.age : undefined,
})

export type Mail = { readonly text: string } | undefined

/** The token in the link of a mail; empty without a mail. */
export const resetTokenOf = (mail: Mail) => mail?.text.split('resetToken=')[1] ?? ''

type Listed = { readonly sessions: readonly { readonly id: string }[] }

/** The part of a result that the model answers. */
export const ANSWERS: Readonly<Partial<Record<Played, (result: never) => unknown>>> = {
  ...{ login: issuedSeen, refresh: issuedSeen, changePassword: issuedSeen },
  ...{ loginAs: issuedSeen, logoutAs: issuedSeen },
  confirmFactor: ({ issued }: FactorConfirmed) => issuedSeen(issued),
  getIdentity: seen,
  listSessions: ({ sessions }: Listed) => String(sessions.map(({ id }) => ownerOf(id)).sort()),
  endOtherSessions: ({ ended }: { readonly ended: number }) => ended,
  setUpFactor: ({ secret }: { readonly secret: string }) => ownerOf(secret),
  issueReset: (mail: Mail) => ownerOf(resetTokenOf(mail)),
  createApiKey: ({ key }: { readonly key: string }) => ownerOf(key),
  createPet: (id: number) => id,
  ...{ readPet: petSeen, patchPet: petSeen },
}
