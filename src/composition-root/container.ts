import 'reflect-metadata'
import { Container } from 'inversify'
import type { CopySource, Credentials, MailParts, StorePorts } from '../application/infrastructure.js'
import { missingFor, type MadeBy, type Row, type Table } from '../application/table.js'
import {
  MAIL_TABLE,
  OPERATION_TABLE,
  USE_CASE_TABLES,
  type Mode,
  type Offered,
  type Operations,
  type UseCases,
} from '../application/wiring.js'
import { SYSTEM_TABLE, type Given, type SystemParts } from './infrastructure.js'

/** The use cases of a service; without `mails` it can send none. */
export type Service<Cases = UseCases> = {
  readonly useCases: Cases & SystemParts
  readonly mails?: MadeBy<typeof MAIL_TABLE> & Pick<MailParts, 'mailer'>
}

type Mail = Omit<MailParts, 'audit'>

/** As if every port were given: a use case whose port is missing is left out or refused, see `compose`. */
type Complete<Incomplete> = Incomplete & StorePorts & CopySource

/**
 * The use cases of a command, each made when the command first reads it. `refuse` throws if a use case cannot be made
 * because the store lacks these ports.
 */
export function composeOperations(
  given: Given & Partial<CopySource> & Partial<SystemParts>,
  refuse: (missing: readonly string[]) => never,
): Operations & SystemParts {
  return compose(given as Complete<typeof given>, SYSTEM_TABLE, OPERATION_TABLE, refuse)
}

/** The use cases of a service, all made before the first request. */
export function composeService(
  given: Given & StorePorts & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Mail,
): Service
export function composeService(
  given: Given & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Mail,
): Service<Offered<UseCases>>
export function composeService(
  given: Given & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Mail,
): Service<Offered<UseCases>> {
  const useCases = { ...compose(given as Complete<typeof given>, SYSTEM_TABLE, USE_CASE_TABLES[mode]) }
  return { useCases, ...mailsOf(given, useCases, mail) }
}

/** The use cases of a process that answers no request: it imports accounts, purges, and sends mails. */
export function composeUpkeep(given: Given & Partial<CopySource>, mail?: Mail): Service<Offered<Operations>> {
  const useCases = compose(given as Complete<typeof given>, SYSTEM_TABLE, OPERATION_TABLE)
  return { useCases, ...mailsOf(given, useCases, mail) }
}

/** Mails share the audit trail of the use cases. */
function mailsOf(
  given: Given,
  { audit }: Pick<MailParts, 'audit'>,
  mail: Mail | undefined,
): Pick<Service, 'mails'> {
  if (!mail || !given.mailQueue) return {}
  const complete = given as Complete<typeof given>
  const mails = compose({ ...complete, audit, ...mail }, SYSTEM_TABLE, MAIL_TABLE)
  return { mails: { ...mails, mailer: mail.mailer } }
}

/**
 * Binds the given parts and the rows of two tables, and makes each part once, when it is first read. A given part
 * replaces the row of its name. The graph is synchronous: connections are open already. A missing part and a part of
 * another type do not compile. A use case that needs a port which the store lacks is left out, or `refuse` is called when
 * it is read.
 */
export function compose<Given extends object, Own, Makes>(
  given: Given & Partial<NoInfer<Own>>,
  own: Table<NoInfer<Given>, Own>,
  table: Table<NoInfer<Given & Own>, Makes>,
  refuse?: (missing: readonly string[]) => never,
): Own & Makes {
  const rows = { ...own.rows, ...table.rows }
  const isGiven = (name: string) => Object.hasOwn(given, name)
  const container = new Container()
  for (const [name, part] of Object.entries(given)) container.bind(name).toConstantValue(part)
  const made = {}
  for (const [name, row] of Object.entries(rows)) {
    if (!isGiven(name)) bindRow(container, name, row)
    const missing = missingFor(name, rows, isGiven)
    if (missing.length > 0 && !refuse) continue
    const get = () => {
      if (missing.length > 0) refuse?.(missing)
      return container.get(name)
    }
    Object.defineProperty(made, name, { get, enumerable: true })
  }
  return made as Own & Makes
}

/** A factory gets `undefined` for a port that it can do without and that the store lacks. */
function bindRow(container: Container, name: string, { factory, parts, renamed = {} }: Row): void {
  const names = [...parts, ...Object.keys(renamed)]
  const sources = [...parts, ...Object.values(renamed)]
  const needed = sources.map((serviceIdentifier) => ({ serviceIdentifier, optional: true }))
  const build = (...values: readonly unknown[]) =>
    factory(Object.fromEntries(names.map((part, index) => [part, values[index]])) as never)
  container
    .bind(name)
    .toResolvedValue(build, needed as never)
    .inSingletonScope()
}
