import { expect } from 'chai'
import type { Reply } from './client.js'
import { setCookies } from './browser.js'

export type ExpectedMessage = { readonly message: string; readonly field: string; readonly type: string }

/** The whole envelope for a client that is not logged in; `code` is also the code of each message. */
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

/** The whole error envelope of a route that saves something, such as a project. */
export function notSaved(code: number, ...messages: readonly ExpectedMessage[]) {
  return {
    code,
    response: false,
    view: { saved: false, messages: messages.map((one) => ({ ...one, code })) },
  }
}

const invalidToken = { message: 'Invalid authentication token.', field: '', type: 'InvalidToken' }
export const unavailable = {
  message: 'The service is unavailable, try again shortly.',
  field: '',
  type: 'Unavailable',
}

const INVALID_TOKEN = loggedOut(401, invalidToken)
export const UNAVAILABLE = loggedOut(503, unavailable)

/** Expects the 401 that every invalid token or session gets: exactly this body, and no `Set-Cookie` header. */
export function expectInvalidToken(reply: Reply, what = ''): void {
  expect(reply.status, what).to.equal(401)
  expect(reply.json, what).to.deep.equal(INVALID_TOKEN)
  expect(setCookies(reply), what).to.deep.equal([])
}
