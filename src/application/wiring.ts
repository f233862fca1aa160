import type { OptionalPort } from '../ports/store.js'
import { createAuthenticateApiKey } from './access/authenticate-api-key.js'
import { createPermissionsOf } from './access/authorize.js'
import type { LoadSecretSeal } from './accounts/import-factor.js'
import { createAuthenticatePetClient } from './catalogue/authenticate-pet-client.js'
import { copyStore } from './copy-store.js'
import { IDENTITY } from './identity/operations.js'
import {
  IDENTITY_PARTS,
  SESSION_PARTS,
  IRREVOCABLE,
  NO_IMPERSONATION,
  REVOCABLE,
  STATELESS,
} from './identity/parts.js'
import { createMakeMail } from './mail/make-mail.js'
import { createSendMails } from './mail/send-mails.js'
import { createSiftMails } from './mail/sift-mails.js'
import { ADMINISTRATION, PETS, PROJECTS } from './operations.js'
import { createPurgeExpired, purgeStore } from './purge-expired.js'
import {
  SHARED,
  type CopySource,
  type Credentials,
  type Infrastructure,
  type MailParts,
} from './shared-parts.js'
import {
  checkedTable,
  type CreatedParts,
  type PartsCreatedBy,
  type Rows,
  type Table,
  type DependentsOf,
} from './table.js'

/** Parts for the pet use cases and the purge, in addition to the shared parts. */
const STORE = {
  permissionsOf: { factory: createPermissionsOf, parts: ['permissions'] },
  authenticateApiKey: {
    factory: createAuthenticateApiKey,
    parts: ['apiKeys', 'clock'],
    renamed: { secrets: 'apiKeySecrets' },
  },
  authenticatePetClient: {
    factory: createAuthenticatePetClient,
    parts: ['accounts', 'authenticateApiKey', 'verifications', 'throttle', 'audit', 'clock', 'factorRoles'],
    renamed: { verify: 'verifyBasic', security: 'petSecurity' },
  },
  purgeExpired: {
    factory: createPurgeExpired,
    parts: ['sessions', 'revocations', 'proofs', 'attempts', 'pets', 'auditLog', 'auditRetention', 'clock'],
    optional: ['revocations', 'proofs', 'pets', 'auditLog'],
  },
} as const satisfies Rows

const MAIL = {
  makeMail: {
    factory: createMakeMail,
    parts: [
      ...(['accounts', 'proofs', 'proofSecrets', 'hasher', 'templates', 'resetTokenTtl'] as const),
      ...(['resetUrl', 'confirmUrl', 'audit', 'clock'] as const),
    ],
    optional: ['proofs'],
  },
  siftMails: { factory: createSiftMails, parts: ['mailQueue', 'accounts', 'audit', 'clock'] },
  sendMails: {
    factory: createSendMails,
    parts: ['mailQueue', 'makeMail', 'siftMails', 'mailer', 'clock', 'log'],
  },
} as const satisfies Rows

const WITHOUT_CREDENTIALS = { ...SHARED, ...STORE, ...PETS, ...PROJECTS, ...ADMINISTRATION, purgeStore }
/** A process with credentials has already derived the keys. */
const LOADED_SEAL = {
  loadSecretSeal: {
    factory:
      ({ secretSeal }: Pick<Credentials, 'secretSeal'>): LoadSecretSeal =>
      async () =>
        secretSeal,
    parts: ['secretSeal'],
  },
} as const satisfies Rows
const COMMON = { ...LOADED_SEAL, ...WITHOUT_CREDENTIALS, ...IDENTITY_PARTS, ...IDENTITY }
const SESSION_ROWS = { ...COMMON, ...SESSION_PARTS }
const TOKEN_ROWS = { ...COMMON, ...STATELESS, ...IRREVOCABLE, ...NO_IMPERSONATION }
const withCredentials = checkedTable<Infrastructure & Credentials>()
const SESSION_TABLE = withCredentials(SESSION_ROWS)
const REVOCABLE_TABLE = withCredentials({ ...COMMON, ...STATELESS, ...REVOCABLE })
const TOKEN_TABLE = withCredentials(TOKEN_ROWS)

/** For processes without credentials, which derive the keys for second factors only if they need them. */
export type SealSource = { readonly loadSecretSeal: LoadSecretSeal }

/** The table of operator commands, which need no credentials. */
export const OPERATION_TABLE = checkedTable<Infrastructure & CopySource & SealSource>()({
  ...WITHOUT_CREDENTIALS,
  copyStore,
})

/** The parts that send emails; used only if a mailer is configured. */
export const MAIL_TABLE = checkedTable<Infrastructure & MailParts>()(MAIL)

/** How identities are proved: by a session and a token, by a revocable token alone, or by an irrevocable token alone. */
export type Mode = 'stateful' | 'stateless-revocable' | 'stateless'

export type UseCases = Pick<
  PartsCreatedBy<typeof SESSION_TABLE>,
  keyof PartsCreatedBy<typeof SESSION_TABLE> & keyof PartsCreatedBy<typeof TOKEN_TABLE>
>

/**
 * The use cases that need a port in `Missing`, including those that send emails. A store without `revocations` supports all use cases,
 * because only stateless mode with revocation needs that port.
 */
export type AbsentWithout<Missing extends OptionalPort> = Missing extends OptionalPort
  ? | DependentsOf<typeof SESSION_ROWS, PartOf<Missing>>
    | DependentsOf<typeof TOKEN_ROWS, PartOf<Missing>>
    | DependentsOf<typeof MAIL, PartOf<Missing>>
  : never

/** The use cases that are absent if passkeys are off, whether or not the store has the port. */
export type PasskeyUseCase = AbsentWithout<'passkeys'> & keyof typeof IDENTITY

type PartOf<Port> = Port extends 'audit' ? 'auditLog' : Port

/** The use cases of a store that may lack ports; use cases that depend on these ports may be `undefined`. */
export type Offered<Cases> = Omit<Cases, AbsentWithout<OptionalPort>> &
  Partial<Pick<Cases, keyof Cases & AbsentWithout<OptionalPort>>>

export type Operations = PartsCreatedBy<typeof OPERATION_TABLE>

/**
 * The operations for operators.
 *
 * @interface
 */
export type OperatorUseCases = CreatedParts<typeof ADMINISTRATION>

export const USE_CASE_TABLES: Readonly<Record<Mode, Table<Infrastructure & Credentials, UseCases>>> = {
  stateful: SESSION_TABLE,
  'stateless-revocable': REVOCABLE_TABLE,
  stateless: TOKEN_TABLE,
}

/**
 * The table entries for programs that compose operations themselves. Such programs also open the infrastructure, including `revocations`.
 */
export const HAND_MADE = { ...SESSION_ROWS, ...MAIL, copyStore }
export const STATELESS_MADE = { ...STATELESS, ...REVOCABLE, ...NO_IMPERSONATION }
