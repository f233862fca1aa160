import * as z from 'zod'
import { REQUIRED, wordsOf } from '../../domain/messages.js'
import type { Parsed } from '../../domain/parsed.js'
import { Refusal, type Message, type MessageType } from '../../domain/refusal.js'

const MESSAGE_MAX = 200

/** Validates a value and returns the schema's output. Throws `malformed` with every violated rule and the path of the value. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // A value is first parsed without an error map, because the map would slow down every request; a rejected value is parsed again with the
  // error map.
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { issues = [] } = schema.safeParse(value, { error: wordsOf }).error ?? {}
  throw new Refusal('malformed', issues.map(messageOf))
}

function messageOf(issue: z.core.$ZodIssue): Message {
  return {
    field: issue.path.map(String).join('.').slice(0, MESSAGE_MAX),
    type: typeOf(issue),
    message: issue.message.slice(0, MESSAGE_MAX),
  }
}

function typeOf({ code, message }: z.core.$ZodIssue): MessageType {
  if (message === REQUIRED) return 'Required'
  return code === 'custom' ? 'NotValid' : 'Format'
}

/** Makes a domain rule the last step of a schema: this step returns the branded value, or reports the rule's message. */
export function rule<I, T>(parse: (value: I) => Parsed<T>): (value: I, context: z.core.$RefinementCtx) => T {
  return (value, context) => {
    const parsed = parse(value)
    if (parsed.ok) return parsed.value
    context.issues.push({ code: 'custom', message: parsed.rule, input: value })
    return z.NEVER
  }
}

/** The schema of a string that may be absent, with metadata for the API description. */
export const optionalText = (meta: z.GlobalMeta) => z.string().optional().meta(meta)

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'

/** The pattern of text without control characters. */
export const PLAIN_TEXT = `^[^${CONTROL}]*$`

/** Like `PLAIN_TEXT`, but the text must not be empty after trimming. */
export const PLAIN_TEXT_TO_TRIM = `^[^${CONTROL}]*[^\\s\\ufeff${CONTROL}][^${CONTROL}]*$`
