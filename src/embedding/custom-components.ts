import * as z from 'zod'
import { pathText } from '../domain/json-keys.js'
import {
  ACTIONS,
  componentErrors,
  NO_COMPONENTS,
  type Action,
  type Component,
  type Components,
} from '../domain/access/components.js'
import { REQUIRED, wordsOf } from '../domain/messages.js'
import type { OptionError } from './given-options.js'
import { choice, type Argument } from '../application/fields.js'
import { caller } from '../application/inputs.js'

/** Maximum length of a list of actions; a longer list is rejected without being read. */
const ACTIONS_MAX = 1_000

const actions = z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= ACTIONS_MAX, {
  error: ({ input }) => (input === undefined ? REQUIRED : `must be an array of at most ${ACTIONS_MAX}`),
})
const shape = z.record(z.string(), actions.pipe(z.array(z.string())))

/** A copy of the custom components, or the errors found in them. */
type CustomComponents = { readonly components?: Components; readonly errors: readonly OptionError[] }

/** Reads the option `components`, which may have any type, because the caller might not use TypeScript. */
export function readComponents(option: unknown): CustomComponents {
  if (option === undefined || typeof option !== 'object' || option === null)
    return { components: NO_COMPONENTS, errors: [] }
  try {
    const read = shape.safeParse(option, { error: wordsOf })
    if (!read.success) return wrong(read.error.issues.map(sentenceOf))
    // The schema ignores the name `__proto__`, so this name is checked separately.
    if (Object.hasOwn(option, '__proto__')) return wrong(['components.__proto__ is not a valid name'])
    const errors = componentErrors(read.data)
    return errors.length > 0
      ? wrong(errors.map(({ path, rule }) => `${path} ${rule}`))
      : { components: read.data, errors: [] }
  } catch {
    return wrong(['components cannot be read'])
  }
}

function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  return `${pathText(['components', ...path])} ${message === REQUIRED ? `is ${message}` : message}`
}

function wrong(sentences: readonly string[]): CustomComponents {
  return { errors: sentences.map((sentence) => ({ option: 'components', sentence })) }
}

/** Returns the argument parsers of `authorize` for the built-in components and these custom components. */
export function authorizeInputs(own: Components): readonly Argument[] {
  const components = Object.keys({ ...ACTIONS, ...own }) as Component[]
  const component = choice(components)
  const actions = Object.values({ ...ACTIONS, ...own }).flat() as Action<Component>[]
  return [
    ['caller', caller],
    // An undefined component is read as `null`, which is rejected like any unknown component.
    ['component', (value, field, errors) => component(value ?? null, field, errors)],
    ['action', choice(actions, 'must be an action that can be permitted')],
  ]
}
