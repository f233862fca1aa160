import { expect } from 'chai'
import type { Reply } from './client.js'
import { setCookies } from './browser.js'

export type ExpectedMessage = { readonly message: string; readonly field: string; readonly type: string }

/** The whole envelope for a client that is not logged in; each message gets the code. */
export function loggedOut(code: number, ...messages: readonly ExpectedMessage[]) {
  return {
    code,
    response: code === 200,
    view: {
      jwt: null,
      refreshToken: null,
      refreshed: false,
      loggedIn: false,
      loggedInAs: false,
      user: null,
      userAs: null,
      messages: messages.map((one) => ({ ...one, code })),
      roleList: {},
      groupList: {},
      typeList: {},
    },
  }
}

/** The whole envelope of get-identity. */
export function loggedIn(user: { id: number; email: string }, roleList: object = {}) {
  const { view } = loggedOut(200)
  return { code: 200, response: true, view: { ...view, loggedIn: true, user, roleList } }
}

/** The same outside the identity routes. */
export function notSaved(code: number, ...messages: readonly ExpectedMessage[]) {
  return {
    code,
    response: false,
    view: { saved: false, messages: messages.map((one) => ({ ...one, code })) },
  }
}

const invalidToken = { message: 'Invalid authentication token.', field: '', type: 'InvalidToken' }
const unavailable = {
  message: 'The service is unavailable, try again shortly.',
  field: '',
  type: 'Unavailable',
}

export const INVALID_TOKEN = loggedOut(401, invalidToken)
export const UNAVAILABLE = loggedOut(503, unavailable)
export const PROJECT_INVALID_TOKEN = notSaved(401, invalidToken)

/** The same 401 for all errors of tokens and sessions: exact body, no cookie changed. */
export function expectInvalidToken(reply: Reply, what = ''): void {
  expect(reply.status, what).to.equal(401)
  expect(reply.json, what).to.deep.equal(INVALID_TOKEN)
  expect(setCookies(reply), what).to.deep.equal([])
}

/** Everything that could distinguish two replies for a client, except the request ID and date. */
export function comparable({ status, rawHeaders, text }: Reply) {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!['x-request-id', 'date'].includes(name.toLowerCase())) headers.push(`${name}: ${value}`)
  }
  return { status, headers, text }
}
