import { loginFailed } from '../../application/identity/login.js'
import { PROOF_LIFETIMES, type PresentedPurpose } from '../../domain/identity/proof.js'
import { IDENTITY, LOGGED_IN, LOGGED_OUT, LOGIN } from '../description/examples.js'
import { issuedCookie, type Headers } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN } from '../description/security.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import type { Exchange, HttpReply } from '../message.js'
import { identityView, loggedOutView, succeeded } from '../reply/envelope.js'
import { browserSecretIn, keptSecret, keptSecretHeader } from '../request/credentials.js'
import type { HttpAction, HttpSettings } from '../parts.js'
import { calling, forEveryone, issuedReply, members } from '../stages.js'
import * as z from 'zod'
import { codeSchema, currentPassword, newPasswordSchema } from '../schemas/identity.js'
import { optionalText } from '../schemas/validate.js'

const email = optionalText({ minLength: 1, examples: ['ada@example.com'] })
const token = optionalText({ description: 'The token from the link in the email.' })
const proof = {
  token,
  code: optionalText({
    description: 'The code from the email, instead of the token.',
    examples: ['7K3M9QXT'],
  }),
}

/** Request bodies of the routes for email proofs. Unknown members are ignored. */
const emailBodySchema = z.object({ email }).meta({ id: 'EmailRequest', required: ['email'] })
const signUpBodySchema = z
  .object({
    email,
    challenge: optionalText({ description: 'The answer to a bot challenge, if the service demands one.' }),
  })
  .meta({ id: 'SignUpRequest', required: ['email'] })
const confirmSignUpBodySchema = z
  .object({ ...proof, password: newPasswordSchema.optional() })
  .meta({ id: 'ConfirmSignUpRequest', required: ['password'] })
const changeEmailBodySchema = z
  .object({ email, password: currentPassword })
  .meta({ id: 'ChangeEmailRequest', required: ['email', 'password'] })
const proofBodySchema = z.object(proof).meta({ id: 'ProofRequest' })
const tokenBodySchema = z.object({ token }).meta({ id: 'TokenRequest', required: ['token'] })
const confirmLoginBodySchema = z
  .object({ ...proof, secondFactor: codeSchema })
  .meta({ id: 'ConfirmLoginRequest' })

/** Reads the members of a proof from the body, and the browser's secret from its cookie. */
function proofIn({ request, json: { token, code } = {} }: Exchange, settings: HttpSettings) {
  return { token, code, browserSecret: browserSecretIn('proof', request, settings) }
}

/** Returns a function that reads the members `names` from the body, and the browser's secret from its cookie. */
function requestIn<Name extends string>(...names: readonly Name[]) {
  const read = members(...names)
  return (exchange: Exchange, settings: HttpSettings) => ({
    ...read(exchange),
    browserSecret: browserSecretIn('proof', exchange.request, settings),
  })
}

const loggedOut = (): HttpReply => ({ status: 200, body: succeeded(200, loggedOutView()) })

type Route = Required<Pick<Endpoint, 'body'>> & {
  readonly summary: string
  readonly description: string
  readonly reply: (settings: HttpSettings) => ReturnType<typeof identityReply>
  readonly refusals: refused.Refusals
}

const offeredFor = (action: HttpAction) => ({
  isOffered: ({ grantedTo }: HttpSettings) => grantedTo[action] !== 'nobody',
})

/** These routes need no login, so they reject requests from pages of other origins. */
function openRoute(
  action: HttpAction,
  path: string,
  { body, summary, description, reply, refusals }: Route,
  work: ReturnType<typeof calling>,
): Endpoint {
  return {
    ...{ method: 'POST', path: `/api/auth/${path}`, body, ...offeredFor(action), ...work },
    describe: (settings) => ({
      ...{ summary, description, security: OPEN, replies: { 200: reply(settings) } },
      refusals: {
        400: refused.NOT_VALID_FIELD('token'),
        403: refused.OTHER_ORIGIN,
        ...refused.tooManyAttempts(settings),
        ...refusals,
      },
    }),
    stages: forEveryone,
  }
}

const mailed =
  (example = LOGGED_OUT) =>
  (settings: HttpSettings) =>
    identityReply(
      'The email is queued, if there is an email to send',
      example,
      keptSecretHeader('proof', 'Binds the code in the email to this browser.', settings),
    )
const TOKEN = { token: 'Ru4ZyEXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL' }

/** A route that sends an email to any address that the caller enters. */
function requestRoute(
  name: 'sign-up' | 'login-by-mail',
  route: Pick<Route, 'body' | 'summary'>,
  work: ReturnType<typeof calling>,
): Endpoint {
  const description = 'The reply does not depend on whether an account exists.'
  const refusals = { 400: refused.MISSING('email') }
  return openRoute(`auth:${name}`, name, { ...route, description, reply: mailed(), refusals }, work)
}

/** The routes for email proofs; each route exists only if its action is permitted. */
export const proofs: readonly Endpoint[] = [
  requestRoute(
    'sign-up',
    {
      body: bodyOf(signUpBodySchema, { email: LOGIN.email }),
      summary: 'Request an email for a new account',
    },
    calling('requestSignUp', requestIn('email', 'challenge'), requested('sign-up')),
  ),
  openRoute(
    'auth:sign-up',
    'sign-up/confirm',
    {
      body: bodyOf(confirmSignUpBodySchema, { ...TOKEN, password: LOGIN.password }),
      summary: 'Create the account with the token or the code from the email',
      description:
        'Logs in. If an operator has to approve the account, the user is not logged in. The code works only in the browser that requested the email.',
      reply: (settings) => identityReply('Made', LOGGED_IN, optional(issuedCookie(settings))),
      refusals: { 404: refused.NO_ROLE, 409: refused.EMAIL_TAKEN },
    },
    calling(
      'confirmSignUp',
      (exchange, settings) => ({ ...proofIn(exchange, settings), password: exchange.json?.['password'] }),
      (issued, context) => (issued ? issuedReply(issued, context) : loggedOut()),
    ),
  ),
  {
    method: 'POST',
    path: '/api/auth/change-email',
    ...offeredFor('auth:change-email'),
    body: bodyOf(changeEmailBodySchema, LOGIN),
    describe: (settings) => ({
      summary: 'Request an email to the new address of your own account',
      description: 'Needs the password. The account keeps its email until the new address is confirmed.',
      replies: { 200: mailed(IDENTITY)(settings) },
      refusals: refused.ownPassword(settings),
    }),
    ...calling('requestEmailChange', requestIn('email', 'password'), requested('change-email')),
  },
  openRoute(
    'auth:change-email',
    'change-email/confirm',
    {
      body: bodyOf(proofBodySchema, TOKEN),
      summary: 'Change the email of an account, with the token or the code from the email',
      description:
        'Ends all sessions of the account. The previous address gets a link that undoes the change.',
      reply: () => identityReply('Changed', LOGGED_OUT),
      refusals: { 409: refused.EMAIL_TAKEN },
    },
    calling('confirmEmailChange', proofIn, loggedOut),
  ),
  openRoute(
    'auth:change-email',
    'change-email/undo',
    {
      body: bodyOf(tokenBodySchema, TOKEN),
      summary: 'Undo a change of email, with the token from the email to the previous address',
      description: 'Ends all sessions of the account.',
      reply: () => identityReply('Undone', LOGGED_OUT),
      refusals: { 409: refused.EMAIL_TAKEN },
    },
    calling('undoEmailChange', members('token'), loggedOut),
  ),
  requestRoute(
    'login-by-mail',
    {
      body: bodyOf(emailBodySchema, { email: LOGIN.email }),
      summary: 'Request an email for logging in',
    },
    calling('requestLoginMail', requestIn('email'), requested('login')),
  ),
  openRoute(
    'auth:login-by-mail',
    'login-by-mail/confirm',
    {
      body: bodyOf(confirmLoginBodySchema, TOKEN),
      summary: 'Log in with the code or the token from the email',
      description:
        'Works only in the browser that requested the email; in another browser, a request with the token gets 400 with the message `other-browser`. If the account has a second factor, a request without `secondFactor` gets 401 with the message `second-factor-required`.',
      reply: (settings) => identityReply('Logged in', LOGGED_IN, issuedCookie(settings)),
      refusals: { 401: loginFailed('secondFactor').messages, 429: refused.TOO_MANY_ATTEMPTS },
    },
    calling(
      'confirmLoginMail',
      (exchange, settings) => ({
        ...proofIn(exchange, settings),
        secondFactor: exchange.json?.['secondFactor'],
      }),
      issuedReply,
    ),
  ),
]

/** Requesting an email does not end the login, so the reply still contains the caller's identity. */
function requested(purpose: PresentedPurpose) {
  const lifetime = PROOF_LIFETIMES[purpose]
  return (
    { browserSecret }: { readonly browserSecret: string },
    { exchange: { identity }, settings }: { readonly exchange: Exchange; readonly settings: HttpSettings },
  ): HttpReply => ({
    status: 200,
    body: succeeded(200, identity ? identityView(identity) : loggedOutView()),
    headers: keptSecret('proof', { browserSecret, lifetime }, settings),
  })
}

function optional(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, { ...header, required: false }]),
  )
}
