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
  seen,
  withLogin,
  tokenOf,
} from './clients.js'
import type { Action } from './clients.js'
import { codeOf } from './codes.js'

const LOGIN_STEPS = ['attempts.take#1', 'attempts.take#1', 'accounts.findByEmail', 'attempts.refund#1']

export const login: Action = (scene, client, [a, b, c]) => {
  const { account, network } = client
  const password = passwordOf(scene, account, a)
  const key = b % 2 === 0 ? client.jar.key : undefined
  const code = scene.secrets.length > 0 && c % 8 > 0 ? codeOf(scene, c) : undefined
  const input = { account, password, key, network, code: code?.meaning }
  return attempt('login', {
    input,
    text: `login of account ${account} with ${password}, cookie ${key ?? '-'}, code ${code?.text ?? '-'}`,
    hints: [...LOGIN_STEPS, 'secondFactors.*', 'sessions.find', 'sessions.end', 'sessions.open*'],
    call: ({ login: run }) => {
      const presented = { ...presentedOf({ key }), client: { address: network } }
      return run({ email: emailOf(account), password, presented, ...(code && { code: code.text }) })
    },
    answerOf: issuedSeen,
    then: keep(scene, client),
  })
}

export const getIdentity = withLogin('getIdentity', () => ({
  text: 'get identity',
  hints: ['sessions.find', 'sessions.end', 'sessions.end'],
  call: ({ getIdentity: run }, presented) => run(presented),
  answerOf: seen,
}))

export const refresh: Action = (scene, client, numbers) => {
  const { access, ...mine } = held(scene, client, numbers)
  return attempt('refresh', {
    input: { ...credentialsOf(mine), refresh: tokenOf(mine.refresh) },
    text: `refresh with ${nameOf(mine)}`,
    hints: ['sessions.findById', 'sessions.end', 'sessions.rotate'],
    call: ({ refresh: run }) => run({ refreshToken: mine.refresh, presented: presentedOf(mine) }),
    answerOf: issuedSeen,
    then: keep(scene, client),
  })
}

export const logout = withLogin('logout', () => ({
  text: 'logout',
  hints: ['sessions.find', 'sessions.end'],
  call: ({ logout: run }, presented) => run(presented),
}))
