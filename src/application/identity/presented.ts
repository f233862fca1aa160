import { MUST_BE } from '../../domain/messages.js'
import type { ClientContext } from '../client-context.js'
import {
  fields,
  optional,
  readArguments,
  text,
  that,
  type FieldError,
  type Parser,
  type ReadBy,
  type Shape,
} from '../fields.js'
import { client } from '../inputs.js'
import type { Permit } from '../operation.js'
import { isAccessToken, type AccessToken, type CheckAccessToken } from './check-access-token.js'

/** The credentials of a request. Absent members were not sent. */
export type Presented = {
  /** The text of the token, or the answer of `checkAccessToken`. */
  readonly accessToken?: string | AccessToken | undefined
  /** The content of the session cookie; without meaning in stateless mode. */
  readonly sessionKey?: string | undefined
  readonly client?: ClientContext | undefined
}

/** Reads the credentials of an untyped caller. */
export const presentedInput: Parser<Presented> = fields({
  accessToken: optional(
    that<string | AccessToken>(MUST_BE.string, (value) => typeof value === 'string' || isAccessToken(value)),
  ),
  sessionKey: optional(text),
  client: optional(client),
})

/** Credentials with a checked access token, which may have expired. */
export type CheckedCredentials = Omit<Presented, 'accessToken'> & {
  readonly accessToken?: AccessToken | undefined
}

/** An input whose access token is checked. The input is the credentials, or it holds them. */
export type Checked<Input> = Input extends { readonly presented: Presented }
  ? Omit<Input, 'presented'> & { readonly presented: CheckedCredentials }
  : CheckedCredentials

/**
 * Checks an access token that is text before the function runs. A token that is already checked is not checked again.
 * Refuses as `CheckAccessToken` does.
 */
export function withCheckedToken<Input extends object, Answer>(
  run: (input: Checked<Input>) => Promise<Answer>,
  checkAccessToken: CheckAccessToken,
): (input: Input) => Promise<Answer> {
  type Either = Presented | { readonly presented: Presented }
  const check = async (input: Either, token: string) => {
    const accessToken = await checkAccessToken(token, { expired: 'accepted' })
    const checked =
      'presented' in input
        ? { ...input, presented: { ...input.presented, accessToken } }
        : { ...input, accessToken }
    return await run(checked as Checked<Input>)
  }
  return (given) => {
    const input = given as Either
    const { accessToken } = 'presented' in input ? input.presented : input
    return typeof accessToken === 'string'
      ? check(input, accessToken)
      : run(given as unknown as Checked<Input>)
  }
}

/** The checks that an operation makes itself, in the order of its refusals. */
export type Checks<Input, Members = unknown> = {
  readonly permit: Permit
  /** The form of the input; refuses with `malformed`. */
  readonly read: (input: Checked<Input>) => Members
}

type Members<S extends Shape> = ReadBy<ReturnType<typeof fields<S>>>
type Unread<S extends Shape> = { readonly [Name in keyof Members<S>]: unknown }

/** The parser of credentials and of a form, which `read` checks later. */
export type Form<S extends Shape> = Parser<Unread<S> & { readonly presented: Presented }> & {
  /** The checked form. Refuses with `malformed`; the refusal names every member of another type. */
  readonly read: (input: Unread<S>) => Members<S>
}

/** A member that its parser has read. The operation refuses the errors after it has checked the credentials. */
class ReadMember {
  readonly value: unknown
  readonly errors: readonly FieldError[]

  constructor(parse: Parser<unknown>, value: unknown, name: string) {
    const errors: FieldError[] = []
    this.value = parse(value, name, errors)
    this.errors = errors
  }
}

/** The members that a client fills in. An input that no parser has read, such as an input of HTTP, is read by `read`. */
export function form<S extends Shape>(shape: S): Form<S> {
  const members = Object.entries(shape)
  const unread = members.map(([name, parse]) => {
    const read = (value: unknown) => new ReadMember(parse, value, name)
    return [name, Object.assign(read, parse.isOptional ? { isOptional: true } : { isAny: true })]
  })
  const parser: Parser<Members<S>> = (value, _field, errors) => {
    const all: Record<string, unknown> = {}
    for (const [name, parse] of members) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      if (member === undefined && parse.isOptional) continue
      const read = member instanceof ReadMember ? member : new ReadMember(parse, member, name)
      errors.push(...read.errors)
      all[name] = read.value
    }
    return all as Members<S>
  }
  const input = fields({ ...(Object.fromEntries(unread) as Shape), presented: presentedInput })
  return Object.assign(input as Parser<Unread<S> & { readonly presented: Presented }>, {
    read: (given: Unread<S>) => readArguments([['', parser]], [given])[0] as Members<S>,
  })
}

/** Text of a form that may be missing: the operation refuses it as `required`. */
export const entered: Parser<string | undefined> = (value, field, errors) =>
  value === undefined ? undefined : text(value, field, errors)
