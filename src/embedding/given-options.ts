import { OPTION_NAMES, SETTINGS } from '../configuration/settings.js'
import { suggestionFor } from '../domain/messages.js'
import { isPromise, promiseError } from '../composition-root/custom-parts/check.js'
import { PART_CALLS } from '../ports/calls/parts.js'
import type { KennelParts } from './options.js'

export type JsonObject = Readonly<Record<string, unknown>>

export const OTHERS = ['permissions', 'components', 'pages', 'background', 'parts'] as const

/** The compiler reports an error if the table contains a name that no part has. */
const PART_NAMES: readonly (keyof KennelParts)[] = Object.keys(PART_CALLS) as (keyof typeof PART_CALLS)[]

/** An error in an option or a part. The name of a part begins with `parts.`, as in `parts.clock`. */
export type OptionError = { readonly option: string; readonly sentence: string }

/** A copy of the caller's options. Each option is read only once, because a getter may return a different value later. */
export type GivenOptions = { readonly members: JsonObject; readonly errors: readonly OptionError[] }

/**
 * Reads the options from an object of unknown type. Reports unknown and unreadable options as errors; the result is `undefined` if the
 * argument is not an object.
 */
export function takeOptions(options: unknown): GivenOptions | undefined {
  const known = [...OPTION_NAMES, ...OTHERS]
  const taken = take(options, { known, prefix: '', noun: 'option' })
  const parts = taken?.members['parts']
  if (taken === undefined || parts === undefined) return taken
  const takenParts = take(parts, { known: PART_NAMES, prefix: 'parts.', noun: 'part' })
  if (takenParts === undefined) return taken
  return {
    members: { ...taken.members, parts: takenParts.members },
    errors: [...taken.errors, ...takenParts.errors],
  }
}

type Names = { readonly known: readonly string[]; readonly prefix: string; readonly noun: string }

function take(source: unknown, { known, prefix, noun }: Names): GivenOptions | undefined {
  if (typeof source !== 'object' || source === null || isArray(source)) return undefined
  const errors = namesOf(source).flatMap((name) => unknownName(name, { known, prefix, noun }))
  const members: Record<string, unknown> = {}
  for (const name of known) {
    const option = `${prefix}${name}`
    try {
      const value = (source as JsonObject)[name]
      if (isPromise(value)) errors.push({ option, sentence: promiseError(option) })
      else members[name] = value
    } catch {
      errors.push({ option, sentence: `${option} cannot be read` })
    }
  }
  return { members, errors }
}

function isArray(source: object): boolean {
  try {
    return Array.isArray(source)
  } catch {
    // `Array.isArray` throws only for a revoked proxy.
    return true
  }
}

function namesOf(source: object): string[] {
  try {
    return Object.keys(source)
  } catch {
    return []
  }
}

function unknownName(name: string, { known, prefix, noun }: Names): OptionError[] {
  if (known.includes(name)) return []
  const meant = optionOf(name, known) ?? suggestionFor(name, known)
  const question = meant === undefined ? '' : `; did you mean ${meant}?`
  const option = `${prefix}${name}`
  return [{ option, sentence: `${option} is not a valid ${noun}${question}` }]
}

/** Returns the option of an environment variable, whose name is given as `LOGIN_LIMIT` or `databaseUrl`. */
function optionOf(name: string, known: readonly string[]): string | undefined {
  const plain = (variable: string) => variable.replaceAll('_', '').toUpperCase()
  return OPTION_NAMES.find((one) => known.includes(one) && plain(SETTINGS[one].variable) === plain(name))
}
