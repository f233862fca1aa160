import { importedUser, type ImportUser } from '../application/accounts/import-users.js'
import {
  type Argument,
  choice,
  fields,
  flag,
  malformed,
  optional,
  type Parser,
  readArguments,
  text,
  that,
} from '../application/fields.js'
import { isAccessToken, type AccessToken, presentedInput } from '../application/identity/presented.js'
import { IDENTITY } from '../application/identity/operations.js'
import { caller as anyCaller, client } from '../application/inputs.js'
import { OPERATIONS } from '../application/operations.js'
import type { OperatorUseCases } from '../application/wiring.js'
import { NO_COMPONENTS } from '../domain/access/components.js'
import { MUST_BE } from '../domain/messages.js'
import type { HttpUseCases } from '../http/parts.js'
import { isCredentialSource, type Identification } from './identify.js'
import { authorizeInputs } from './custom-components.js'
import { createClosingGate } from './closing-gate.js'
import { wrapPort, type PortFunction } from '../application/wrap-port.js'

/** The methods whose input is checked. */
type Methods = HttpUseCases &
  OperatorUseCases &
  Identification & {
    readonly sendMails: () => Promise<number>
    readonly purgeExpired: () => Promise<number>
  }

/** The methods, and the function that `importUsers` returns. */
export type Inputs = Methods & { importUser: ImportUser }

/** Describes the input of a method: one object, or a list of named arguments. */
type Input = Parser<unknown> | readonly Argument[]

/** A request is passed on unchanged, because `identify` checks its content. */
const request: Argument = ['request', that(MUST_BE.request, isCredentialSource)]
const from: Argument = ['client', optional(client)]
const accepted: Argument = ['options', optional(fields({ apiKeys: optional(flag) }))]

const expired = fields({ expired: choice(['refused', 'accepted']) })

/** The input parsers of the methods that are not operations. The compiler reports an error if a method is missing. */
const OTHERS: Readonly<Record<Exclude<keyof Inputs, keyof Declared>, Input>> = {
  authorize: authorizeInputs(NO_COMPONENTS),
  checkAccessToken: [
    ['token', optional(text)],
    ['options', optional(expired)],
  ],
  authenticate: presentedInput,
  permissionsOf: [['caller', anyCaller]],
  authenticateApiKey: [['apiKey', text]],
  authenticatePetClient: fields({
    apiKey: optional(text),
    basic: optional(fields({ email: text, password: text })),
    client: optional(client),
  }),
  identify: [request, from, accepted],
  identifyPage: [request, from],
  importUser: importedUser,
  sendMails: [],
  purgeExpired: [],
}

type Declared = typeof OPERATIONS & typeof IDENTITY
const DECLARED: Readonly<
  Record<string, { readonly input: Parser<unknown>; readonly synchronous?: unknown }>
> = {
  ...OPERATIONS,
  ...IDENTITY,
}

const METHODS = [...Object.keys(DECLARED), ...Object.keys(OTHERS)].filter((name) => name !== 'importUser')

/** Returns whether a method returns its result directly instead of a promise. */
function answersSynchronously(method: string): boolean {
  return method === 'authorize' || method === 'permissionsOf' || DECLARED[method]?.synchronous === true
}

/** The checks that depend on the Kennel instance: the arguments of `authorize`, and whether this instance has verified an access token. */
type Checks = {
  readonly authorize: readonly Argument[]
  readonly isVerified: (token: AccessToken) => boolean
}

/**
 * Checks the arguments of a call, which may have any type, and returns copies of them as plain values. Refuses a value of the wrong type or
 * an unreadable value with `malformed`, and a value that violates a domain rule with `invalid`; the refusal lists every invalid field. An
 * access token that this Kennel instance has verified is passed on unchanged.
 */
export function readInput(method: keyof Inputs, args: readonly unknown[], checks?: Checks): unknown[] {
  const input = DECLARED[method]?.input ?? OTHERS[method as keyof typeof OTHERS]
  if (method === 'authorize' && checks) return readArguments(checks.authorize, args)
  if (typeof input !== 'function') return readArguments(input, args)
  const [read] = readArguments([['', input]], args)
  if (!(method in OPERATIONS)) assertVerified(read, checks)
  return [read]
}

/** Refuses an access token that another Kennel instance has verified. */
function assertVerified(input: unknown, checks: Checks | undefined): void {
  const presented = memberOf(input, 'presented') ?? input
  const accessToken = memberOf(presented, 'accessToken')
  if (isAccessToken(accessToken) && !checks?.isVerified(accessToken))
    throw malformed(
      presented === input ? 'accessToken' : 'presented.accessToken',
      'was checked by another Kennel instance',
    )
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

type ReadInput = (method: keyof Inputs, args: readonly unknown[]) => readonly unknown[]

export type Gate = ReturnType<typeof createGate>

/** Checks the input of every call from the host application, and refuses every call once the gate is closed. */
export function createGate(checks: Checks) {
  const closing = createClosingGate('This Kennel is closed.')
  const { assertOpen, pass } = closing

  function guarded(name: keyof Inputs, method: PortFunction, read: ReadInput): PortFunction {
    if (answersSynchronously(name)) {
      return (...args) => {
        assertOpen()
        const answer = method(...read(name, args))
        return name === 'importUsers' ? guarded('importUser', answer as PortFunction, read) : answer
      }
    }
    return (...args) => pass(() => method(...read(name, args)) as Promise<unknown>)
  }

  // Only functions whose names are in `METHODS` are wrapped.
  function all<Some extends Partial<Methods>>(
    methods: Some,
    read: ReadInput,
  ): Pick<Some, keyof Some & keyof Methods> {
    return wrapPort(methods, (method, name) => guarded(name as keyof Inputs, method, read), METHODS)
  }

  return {
    /**
     * Wraps known methods and omits unknown methods. Each wrapped method refuses input of the wrong type, and refuses every call after
     * `close`.
     */
    guard: <Some extends Partial<Methods>>(methods: Some) =>
      all(methods, (name, args) => readInput(name, args, checks)),
    /** Wraps the known methods without input checks, for callers that have already checked the input. */
    admit: <Some extends Partial<Methods>>(methods: Some) => all(methods, (_, args) => args),
    ...closing,
  }
}
