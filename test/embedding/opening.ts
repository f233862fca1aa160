import { OptionsError } from '../../src/embedding/options.js'
import { readOptions } from '../../src/embedding/read-options.js'
import {
  openKennel,
  OPERATOR,
  type Issued,
  type Kennel,
  type KennelOptions,
  type TypedPermissionRules,
} from '../../src/index.js'
import type { Mailer } from '../../src/ports/mail.js'
import { GOOD_PASSPHRASE } from '../configuration/reading.js'
import { PASSWORD } from './valid-inputs.js'

/** Valid options, with cheap hashing and without background work. */
export function goodOptions(changes: Partial<KennelOptions> = {}): KennelOptions {
  return {
    store: 'memory:',
    passphrase: GOOD_PASSPHRASE,
    publicUrl: 'https://pets.example',
    passwordScrypt: '10/8/1',
    background: false,
    ...changes,
  }
}

export const EMAIL = 'ada@pets.example'

/** An open Kennel with one account, which has logged in. */
export async function openWithLogin(
  options: Partial<KennelOptions> = {},
): Promise<{ readonly kennel: Kennel; readonly issued: Issued }> {
  const kennel = await openKennel(goodOptions(options))
  await kennel.createUser({ caller: OPERATOR, email: EMAIL, password: PASSWORD })
  return { kennel, issued: await kennel.login({ email: EMAIL, password: PASSWORD, presented: {} }) }
}

export const DELIVERS: Mailer = { send: async () => ({ kind: 'sent' }), close: async () => undefined }

/** The operator may do everything; impersonation needs a role. */
export const GENEROUS = {
  roles: {
    everyone: {
      components: {
        auth: [
          'login',
          'get-identity',
          'refresh',
          'logout',
          'second-factor',
          'passkey',
          'reset-password',
          'sign-up',
          'login-by-mail',
        ],
        user: ['*'],
        pets: ['*'],
        project: ['*'],
        'user-task': ['*'],
        role: ['*'],
        session: ['*'],
        apikey: ['*'],
        audit: ['*'],
      },
    },
    user: { components: { auth: ['change-password', 'change-email', 'list-sessions', 'end-sessions'] } },
    admin: { components: { auth: ['login-as', 'logout-as'] } },
    cli: { inherit: ['everyone'] },
  },
} satisfies TypedPermissionRules

/** Returns the errors in these options; an empty list if the options are accepted. */
export function errorsOf(options: unknown): readonly string[] {
  try {
    readOptions(options as KennelOptions)
    return []
  } catch (error) {
    if (error instanceof OptionsError) return error.errors
    throw error
  }
}

const GOOD = { passphrase: GOOD_PASSPHRASE, publicUrl: 'https://pets.example', loginLimit: '10/15m' }

/** Returns valid production options with these changes; copies getters as getters. */
export function changedOptions(changes: object): object {
  return Object.defineProperties({ ...GOOD }, Object.getOwnPropertyDescriptors(changes))
}
