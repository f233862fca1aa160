import type { CopySource, Credentials, MailParts, StorePorts } from '../application/shared-parts.js'
import type { PartsCreatedBy } from '../application/table.js'
import {
  MAIL_TABLE,
  OPERATION_TABLE,
  USE_CASE_TABLES,
  type Mode,
  type Offered,
  type Operations,
  type SealSource,
  type UseCases,
} from '../application/wiring.js'
import type { PasskeyVerifier } from '../ports/passkeys.js'
import { compose } from './container.js'
import { SYSTEM_TABLE, type GivenParts, type SystemParts } from './infrastructure.js'

/** The use cases of a service; without `mails` the service sends no emails. */
export type Service<Cases = UseCases> = {
  readonly useCases: Cases & SystemParts
  readonly mails?: PartsCreatedBy<typeof MAIL_TABLE> & Pick<MailParts, 'mailer'>
}

/** The parts for sending emails, without the audit trail, which is created later. */
export type Mail = Omit<MailParts, 'audit'>

/** For the compiler, all ports are present; this is safe because `compose` omits the use cases whose port is missing. */
type Complete<Incomplete> = Incomplete &
  StorePorts &
  CopySource & { readonly passkeyVerifier: PasskeyVerifier }

/** Creates the use cases of a command; if the store lacks a port of a use case, accessing the use case calls `refuse`. */
export function composeOperations(
  parts: GivenParts & SealSource & Partial<CopySource> & Partial<SystemParts>,
  refuse: (missing: readonly string[]) => never,
): Operations & SystemParts {
  return compose(parts as Complete<typeof parts>, SYSTEM_TABLE, OPERATION_TABLE, refuse)
}

/** Creates all use cases of a service before the first request. */
export function composeService(
  parts: GivenParts & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Mail,
): Service<Offered<UseCases>> {
  const useCases = { ...compose(parts as Complete<typeof parts>, SYSTEM_TABLE, USE_CASE_TABLES[mode]) }
  return { useCases, ...mailsOf(parts, useCases, mail) }
}

/** Creates the use cases of a process that handles no requests: it imports accounts, purges expired data and sends emails. */
export function composeUpkeep(
  parts: GivenParts & SealSource & Partial<CopySource>,
  mail?: Mail,
): Service<Offered<Operations>> {
  const useCases = compose(parts as Complete<typeof parts>, SYSTEM_TABLE, OPERATION_TABLE)
  return { useCases, ...mailsOf(parts, useCases, mail) }
}

/** Sending emails uses the same audit trail as the use cases. */
function mailsOf(
  parts: GivenParts,
  { audit }: Pick<MailParts, 'audit'>,
  mail?: Mail,
): Pick<Service, 'mails'> {
  if (!mail || !parts.mailQueue) return {}
  const complete = parts as Complete<typeof parts>
  const mails = compose({ ...complete, audit, ...mail }, SYSTEM_TABLE, MAIL_TABLE)
  return { mails: { ...mails, mailer: mail.mailer } }
}
