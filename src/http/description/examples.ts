import { loggedOutView, succeeded, type IdentityView } from '../reply/envelope.js'

const ADA = { id: 1, email: 'ada@example.com' }
const GRACE = { id: 2, email: 'grace@example.com' }
const EDITOR = {
  uuid: '0b0e6c0a-2f7d-4c55-8f0e-7a51c1f2d3e4',
  key: 'project-editor',
  label: 'Project editors',
}

const loggedIn: IdentityView = {
  ...loggedOutView(),
  loggedIn: true,
  user: ADA,
  roleList: { [EDITOR.key]: EDITOR },
}
/** They have the form of real ones, and open nothing. */
const pair = {
  jwt: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiIxIn0.VGhpcyBpcyBubyBzaWduYXR1cmU',
  refreshToken: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiIxIn0.Tm9yIGlzIHRoaXMgYSBzaWduYXR1cmU',
}

/** Bodies of the identity routes, as they are. */
export const LOGGED_OUT = succeeded(200, loggedOutView())
export const IDENTITY = succeeded(200, loggedIn)
export const LOGGED_IN = succeeded(200, { ...loggedIn, ...pair })
export const REFRESHED = succeeded(200, { ...loggedIn, ...pair, refreshed: true })
export const ACTING = succeeded(200, {
  ...loggedOutView(),
  ...pair,
  loggedIn: true,
  loggedInAs: true,
  user: GRACE,
  userAs: ADA,
})

/** Bodies of requests, of the same people. */
export const LOGIN = { email: ADA.email, password: 'a long password' }
export const REFRESH = { refreshToken: pair.refreshToken }
export const RESET = { email: ADA.email }
export const CHANGE_PASSWORD = { password: LOGIN.password, newPassword: 'another long password' }
export const LOGIN_AS = { userId: GRACE.id }
