import type * as z from 'zod'
import { REQUIRED, wordsOf } from '../domain/messages.js'
import { Refusal, type Message, type MessageType } from '../domain/refusal.js'
import type { HttpUseCases } from '../http/use-cases.js'
import type { ImportUser } from '../application/accounts/import-users.js'
import type { Argument, InputSchemas } from './inputs/argument.js'
import { CATALOGUE_INPUTS } from './inputs/catalogue.js'
import { IDENTITY_INPUTS, REQUEST_INPUTS } from './inputs/identity.js'
import type { Identification } from './identify.js'
import { IMPORT_INPUTS, OPERATOR_INPUTS } from './inputs/operation.js'
import { assertAuthorized, assertVerified, proofIn, type Proofs } from './inputs/proofs.js'
import { readable, RULE } from './inputs/values.js'
import { permissionOf, type OperatorUseCases } from '../application/use-cases.js'

/** Every method that looks at what it is asked. */
export type Methods = HttpUseCases &
  OperatorUseCases &
  Identification & {
    readonly sendMails: () => Promise<number>
    readonly purgeExpired: () => Promise<number>
  }

/** The methods, and the function that `importUsers` answers. */
export type Inputs = Methods & { importUser: ImportUser }

/** A method that is not here does not compile, nor one whose ask has a member that is not here. */
const INPUTS: InputSchemas<Inputs> = {
  ...REQUEST_INPUTS,
  ...IDENTITY_INPUTS,
  ...CATALOGUE_INPUTS,
  ...OPERATOR_INPUTS,
  ...IMPORT_INPUTS,
  sendMails: [],
  purgeExpired: [],
}

/** The names of the methods. */
export const METHODS = (Object.keys(INPUTS) as (keyof Inputs)[]).filter((name) => name !== 'importUser')

/**
 * What a caller without types has handed over, as copies of plain values that the use case can rely
 * on. Refuses with `malformed` what is of another type or cannot be read, and with `invalid` what
 * breaks a rule of the domain; each field is named, all at once. A use case of the HTTP interface takes a proof in the
 * place of the caller: it is handed on as it is, where it is genuine and of what this use case needs; so is an access
 * token that was checked.
 */
export function readInput(method: keyof Inputs, args: readonly unknown[], proofs?: Proofs): unknown[] {
  // Operators ask by caller alone: a hash needs a second permission, which one proof does not tell of.
  const permission = Object.hasOwn(CATALOGUE_INPUTS, method) ? permissionOf(method) : undefined
  const proven = permission && readable(() => proofIn(args[0]))
  if (!proven) {
    const values = readArguments(method === 'authorize' && proofs ? proofs.authorize : INPUTS[method], args)
    if (!Object.hasOwn(REQUEST_INPUTS, method)) assertVerified(values[0], proofs)
    return values
  }
  const { authorized, ...input } = assertAuthorized(permission, proven, proofs)
  const [read] = readArguments(INPUTS[method], [{ ...input, caller: authorized.caller }])
  const { caller: _, ...rest } = read as { readonly caller: unknown }
  return [{ ...rest, authorized }]
}

function readArguments(expected: readonly Argument<unknown>[], args: readonly unknown[]): unknown[] {
  const values: unknown[] = []
  const issues: Issue[] = []
  for (const [index, { field, schema }] of expected.entries()) {
    const outcome = readOne(schema, args[index])
    if (outcome.success) values.push(outcome.data)
    else issues.push(...outcome.error.issues.map((issue) => ({ field, issue })))
  }
  if (issues.length === 0) return values
  throw new Refusal(
    issues.every(({ issue }) => ruleOf(issue)) ? 'invalid' : 'malformed',
    issues.map(messageOf),
  )
}

type Issue = { readonly field: string; readonly issue: z.core.$ZodIssue }

function readOne(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> {
  return readable(() => schema.safeParse(value, { error: wordsOf }))
}

function messageOf({ field, issue }: Issue): Message {
  const path = [...(field === '' ? [] : [field]), ...issue.path.map(String)].join('.')
  const { message } = issue
  const type = ruleOf(issue) ?? (message === REQUIRED ? 'Required' : 'Format')
  return { field: path, type, message }
}

function ruleOf(issue: z.core.$ZodIssue): MessageType | undefined {
  return issue.code === 'custom' ? (issue.params?.[RULE] as MessageType | undefined) : undefined
}
