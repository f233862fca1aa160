import * as z from 'zod'
import type { Components, NoComponents, PermissionError } from '../domain/access/components.js'
import type { ActionRule, PermissionRules, RoleRules } from '../domain/access/permission-rules.js'
import { compilePermissions } from '../domain/access/permissions.js'
import { REQUIRED, unknownFields, wordsOf } from '../domain/messages.js'
import { codeOf, decodeUtf8, type Decoded, withOpenedFile } from './opened-file.js'
import { doubtfulKeys, pathText } from '../domain/json-keys.js'
import { milliseconds } from './units.js'

/** The permissions with their rules, or the errors; an error that concerns the whole file has an empty path. */
export type PermissionsOutcome =
  | (Extract<CompiledPermissions, { ok: true }> & { readonly rules: PermissionRules })
  | Extract<CompiledPermissions, { ok: false }>
type CompiledPermissions = ReturnType<typeof compilePermissions<NoComponents>>

const AGE = 'must be a duration from 30s to 365d, such as 10m'
const age = z
  .union([z.string(), z.number()], { error: AGE })
  .transform((value) => (typeof value === 'string' ? (milliseconds(value) ?? 0) : value))
  .refine((value) => value >= 30_000 && value <= 365 * 86_400_000, { error: AGE })
const factorAge = z.union([z.literal(true), age], { error: AGE.replace('must be', 'must be true, or') })
const condition = z
  .strictObject({ fresh: age.optional(), factor: factorAge.optional() })
  .refine((found) => found.fresh !== undefined || found.factor !== undefined, {
    error: 'needs fresh or factor',
  })
const conditions = z.record(z.string(), condition)

/** An action, or an object with conditions. Not a zod union, because its error would say only that the value is invalid. */
const action = z.unknown().transform((value, { issues }): ActionRule => {
  if (typeof value === 'string') return value
  const read = conditions.safeParse(value, { error: wordsOf })
  if (read.success) return read.data
  for (const { path, message } of read.error.issues) {
    const rule = path.length === 0 ? 'must be a string, or an object with conditions' : message
    issues.push({ code: 'custom', message: rule, path, input: value })
  }
  return z.NEVER
})

const role = z.strictObject({
  components: z.record(z.string(), z.array(action)).optional(),
  inherit: z.array(z.string()).optional(),
})
const file = z.strictObject({ roles: z.record(z.string(), role) })

/** Reads the permissions from a JSON file, which may refer to the custom components in `own`. Reports all errors together. */
export function readPermissionsFile(path: string, own?: Components): PermissionsOutcome {
  let decoded: Decoded
  try {
    decoded = withOpenedFile(path, ({ read }) => decodeUtf8(read()))
  } catch (error) {
    return errorOutcome([{ path: '', rule: `names a file that cannot be read (${codeOf(error)})` }])
  }
  if (decoded.text === undefined)
    return errorOutcome([{ path: '', rule: `names a file that must be UTF-8 but is ${decoded.encoding}` }])
  return parsePermissions(decoded.text, own)
}

/** Parses the content of a permission file. */
export function parsePermissions(source: string, own?: Components): PermissionsOutcome {
  const text = source.replace(/^\uFEFF/, '')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return errorOutcome([{ path: '', rule: `is not JSON${place(text, error)}` }])
  }
  // If a key occurs twice, `JSON.parse` keeps the last value, but a person who reads the file may notice only the first.
  const doubtful = doubtfulKeys(text).map(({ path, rule }) => ({ path: pathText(path), rule }))
  const outcome = judgePermissions(json, own)
  if (!outcome.ok) return errorOutcome([...doubtful, ...outcome.errors])
  return doubtful.length > 0 ? errorOutcome(doubtful) : outcome
}

/** Validates the structure of the rules and compiles them. */
export function judgePermissions(rules: unknown, own?: Components): PermissionsOutcome {
  const shape = file.safeParse(rules, { error: wordsOf })
  if (!shape.success) return errorOutcome(shape.error.issues.flatMap(shapeErrors))
  const sound = { roles: withoutUndefined(shape.data.roles) }
  const outcome = compilePermissions(sound, own)
  return outcome.ok ? { ...outcome, rules: sound } : outcome
}

/** Keeps only the first error for each path. */
function errorOutcome(errors: readonly PermissionError[]): PermissionsOutcome {
  const byPath = new Map(errors.toReversed().map((error) => [error.path, error]))
  return { ok: false, errors: [...byPath.values()].toReversed() }
}

/** The path and the message form one sentence, so a message without a verb is prefixed with `is`. */
function shapeErrors(issue: z.core.$ZodIssue): PermissionError[] {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 ? Object.keys(file.shape) : Object.keys(role.shape)
    return issue.keys.map((key) => ({
      path: pathText([...path, key]),
      rule: `is an ${unknownFields([key], known)}`,
    }))
  }
  return [{ path: pathText(path), rule: message === REQUIRED ? `is ${message}` : message }]
}

function withoutUndefined(roles: z.output<typeof file>['roles']): Record<string, RoleRules> {
  const entries = Object.entries(roles).map(([role, { components, inherit }]) => [
    role,
    { ...(components && { components }), ...(inherit && { inherit }) },
  ])
  return Object.fromEntries(entries) as Record<string, RoleRules>
}

/** Returns the line and column if the error message of the JavaScript engine contains the position. */
function place(text: string, error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`
}
