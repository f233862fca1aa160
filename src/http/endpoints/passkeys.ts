import { loginFailed } from '../../application/identity/login.js'
import type { PasskeyView } from '../../application/identity/passkeys/own-passkeys.js'
import { handleOf } from '../../application/identity/passkeys/prove-passkey.js'
import { MUST_BE } from '../../domain/messages.js'
import { CHALLENGE_LIFETIME } from '../../domain/identity/passkey.js'
import { withIsoTimes } from '../../domain/instant.js'
import * as example from '../description/examples.js'
import { loginCookie, type Headers } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { identityReply, type Reply } from '../description/replies.js'
import { OPEN } from '../description/security.js'
import type { JsonObject } from '../../domain/identity/json-object.js'
import { base64url } from '../encoding.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import type { HttpReply } from '../message.js'
import { success } from '../reply/envelope.js'
import { browserSecretIn, keptSecret, keptSecretHeader } from '../request/credentials.js'
import type { HttpSettings } from '../parts.js'
import { calling, forEveryone, issuedReply, members } from '../stages.js'
import * as z from 'zod'
import { credentialSchema as credential, envelope, rememberSchema as remember } from '../schemas/identity.js'
import { optionalText } from '../schemas/validate.js'

const id = optionalText({ description: 'The ID of one of your own passkeys.' })
const name = optionalText({
  description: 'The name by which you recognize the passkey.',
  examples: ['My phone'],
})

/** Bodies of the passkey routes; the use cases check the members. */
const passkeyLoginBodySchema = z
  .object({ credential, remember })
  .meta({ id: 'PasskeyLoginRequest', required: ['credential'] })
const addPasskeyBodySchema = z
  .object({ credential, name })
  .meta({ id: 'AddPasskeyRequest', required: ['credential'] })
const renamePasskeyBodySchema = z
  .object({ id, name })
  .meta({ id: 'RenamePasskeyRequest', required: ['id', 'name'] })
const removePasskeyBodySchema = z.object({ id }).meta({ id: 'RemovePasskeyRequest', required: ['id'] })

const passkeySchema = z
  .strictObject({
    id: z.string().describe('The credential ID, in base64url.'),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    synced: z.boolean().describe('Whether the passkey can be copied to other devices.'),
    backedUp: z.boolean().describe('Whether the passkey was backed up at its last use.'),
    transports: z.array(z.string()),
  })
  .meta({ id: 'Passkey' })

const passkeyEnvelopeSchema = envelope('PasskeyEnvelope', { passkey: passkeySchema })

const passkeysEnvelopeSchema = envelope('PasskeysEnvelope', {
  passkeys: z.array(passkeySchema),
  rpId: z.string().describe('The domain that the passkeys are valid for.'),
  userId: z.string().describe('Identifies your account to authenticators.'),
})

const passkeyOptionsEnvelopeSchema = envelope('PasskeyOptionsEnvelope', {
  options: z.looseObject({
    challenge: z.string(),
    timeout: z.number().optional().describe('How long the challenge is valid, in milliseconds.'),
  }),
})

const removedEnvelopeSchema = envelope('RemovedEnvelope', {})

const PASSKEYS = '/api/auth/passkeys'
const LOGIN = '/api/auth/login/passkey'
const isOffered = ({ passkeyDomain }: HttpSettings) => passkeyDomain !== undefined
const RECENT = 'Needs a login whose credentials were checked within the last ten minutes.'
const shared = { method: 'POST', isOffered } as const

/** The routes for logging in with a passkey and for managing the passkeys of the caller's own account. */
export const passkeys: readonly Endpoint[] = [
  {
    ...{ ...shared, path: `${LOGIN}/begin` },
    describe: (settings) => ({
      summary: 'Start a login with a passkey',
      description: 'Also starts a password login in which a passkey replaces the code.',
      security: OPEN,
      replies: {
        200: optionsReply(
          example.PASSKEY_REQUEST,
          keptSecretHeader('passkey', 'Binds the challenge to this browser.', settings),
        ),
      },
      refusals: { 403: refused.OTHER_ORIGIN },
    }),
    ...calling(
      'beginPasskeyLogin',
      ({ request }, settings) => ({ browserSecret: browserSecretIn('passkey', request, settings) }),
      ({ options, browserSecret }, { settings }) => ({
        ...optionsIn(options),
        headers: keptSecret('passkey', { browserSecret, lifetime: CHALLENGE_LIFETIME }, settings),
      }),
    ),
    stages: forEveryone,
  },
  {
    ...{ ...shared, path: LOGIN },
    body: bodyOf(passkeyLoginBodySchema, { credential: example.ASSERTION }),
    describe: (settings) => ({
      summary: 'Log in with a passkey',
      description:
        'Has the same effect as a login with the password. Every rejected passkey gets the same reply.',
      security: OPEN,
      replies: { 200: identityReply('Logged in', example.LOGGED_IN, loginCookie(settings)) },
      refusals: {
        400: refused.messageOf('Format', MUST_BE.object, 'credential'),
        401: loginFailed('passkey').messages,
        403: refused.OTHER_ORIGIN,
        ...refused.tooManyAttempts(settings),
      },
    }),
    ...calling(
      'loginWithPasskey',
      ({ request, json: { credential, remember } = {} }, settings) => ({
        ...{ credential, browserSecret: browserSecretIn('passkey', request, settings) },
        ...(settings.rememberLogin && { remember }),
      }),
      issuedReply,
    ),
    stages: forEveryone,
  },
  {
    ...{ method: 'GET', path: PASSKEYS, isOffered },
    describe: () => ({
      summary: 'List your own passkeys',
      replies: {
        200: {
          description: 'The passkeys, oldest first',
          schema: passkeysEnvelopeSchema,
          example: example.PASSKEYS,
        },
      },
    }),
    ...calling('listPasskeys', undefined, (list, { exchange: { identity }, settings }) => ({
      status: 200,
      body: success({
        passkeys: list.map(presentPasskey),
        rpId: settings.passkeyDomain?.rpId,
        userId: identity && base64url(handleOf({ id: identity.accountId })),
      }),
    })),
  },
  {
    ...{ ...shared, path: `${PASSKEYS}/begin` },
    describe: () => ({
      summary: 'Start creating a passkey',
      description: RECENT,
      replies: { 200: optionsReply(example.PASSKEY_CREATION) },
    }),
    ...calling('beginPasskey', undefined, optionsIn),
  },
  {
    ...{ ...shared, path: PASSKEYS },
    body: bodyOf(addPasskeyBodySchema, { credential: example.ATTESTATION, ...example.PASSKEY_NAME }),
    describe: () => ({
      summary: 'Add a passkey',
      description: RECENT,
      replies: { 200: passkeyReply('Added') },
      refusals: {
        400: refused.NOT_VALID_FIELD('credential'),
        409: refused.messageOf('Conflict', 'An account already has this passkey.'),
      },
    }),
    ...calling('addPasskey', members('credential', 'name'), passkeyIn),
  },
  {
    ...{ ...shared, path: `${PASSKEYS}/rename` },
    body: bodyOf(renamePasskeyBodySchema, { id: example.PASSKEY.id, ...example.PASSKEY_NAME }),
    describe: () => ({
      summary: 'Rename a passkey',
      replies: { 200: passkeyReply('Renamed') },
      refusals: { 400: refused.MISSING('name'), 404: refused.NO_PASSKEY },
    }),
    ...calling('renamePasskey', members('id', 'name'), passkeyIn),
  },
  {
    ...{ ...shared, path: `${PASSKEYS}/remove` },
    body: bodyOf(removePasskeyBodySchema, { id: example.PASSKEY.id }),
    describe: () => ({
      summary: 'Remove a passkey',
      description: `${RECENT} The last passkey of an account without a password cannot be removed.`,
      replies: {
        200: { description: 'Removed', schema: removedEnvelopeSchema, example: success({}) },
      },
      refusals: { 400: refused.NO_TEXT('id'), 404: refused.NO_PASSKEY, 409: refused.LAST_PASSKEY },
    }),
    ...calling('removePasskey', members('id'), () => ({ status: 200, body: success({}) })),
  },
  {
    ...{ ...shared, path: '/api/auth/confirm/passkey/begin' },
    describe: () => ({
      summary: 'Start confirming your login with a passkey',
      description: 'Afterwards, send the response of the authenticator to `/api/auth/confirm`.',
      replies: { 200: optionsReply(example.PASSKEY_REQUEST) },
      refusals: { 404: refused.NO_PASSKEY },
    }),
    ...calling('beginPasskeyConfirmation', undefined, optionsIn),
  },
]

function optionsReply(shown: object, headers: Headers = {}): Reply {
  const description = 'The options for the authenticator'
  return {
    ...{ description, headers, schema: passkeyOptionsEnvelopeSchema },
    example: success({ options: shown }),
  }
}

function optionsIn(options: JsonObject): HttpReply {
  return { status: 200, body: success({ options }) }
}

function passkeyReply(description: string): Reply {
  return {
    ...{ description, schema: passkeyEnvelopeSchema },
    example: success({ passkey: example.PASSKEY }),
  }
}

function passkeyIn(passkey: PasskeyView): HttpReply {
  return { status: 200, body: success({ passkey: presentPasskey(passkey) }) }
}

function presentPasskey(passkey: PasskeyView) {
  return withIsoTimes({ lastUsedAt: null, ...passkey })
}
