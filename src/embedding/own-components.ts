import * as z from 'zod'
import { pathText } from '../configuration/json-keys.js'
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

/** Longer lists are not read. */
const ACTIONS_MAX = 1_000

const actions = z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= ACTIONS_MAX, {
  error: ({ input }) => (input === undefined ? REQUIRED : `must be an array of at most ${ACTIONS_MAX}`),
})
const shape = z.record(z.string(), actions.pipe(z.array(z.string())))

/** Components of the embedder's own, as a copy, or what is wrong with them. */
type OwnComponents = { readonly components?: Components; readonly errors: readonly OptionError[] }

/** The option `components`, from a caller of any make. */
export function readComponents(option: unknown): OwnComponents {
  if (option === undefined || typeof option !== 'object' || option === null)
    return { components: NO_COMPONENTS, errors: [] }
  try {
    const read = shape.safeParse(option, { error: wordsOf })
    if (!read.success) return wrong(read.error.issues.map(sentenceOf))
    // A schema passes it over, and it would be taken for one that was not given.
    if (Object.hasOwn(option, '__proto__')) return wrong(['components.__proto__ is not a possible name'])
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

function wrong(sentences: readonly string[]): OwnComponents {
  return { errors: sentences.map((sentence) => ({ option: 'components', sentence })) }
}

/** What `authorize` is asked where an embedder has these components beside the built-in ones. */
export function authorizeInputs(own: Components): readonly Argument[] {
  const components = Object.keys({ ...ACTIONS, ...own }) as Component[]
  const component = choice(components)
  const actions = Object.values({ ...ACTIONS, ...own }).flat() as Action<Component>[]
  return [
    ['caller', caller],
    // Also if it is missing.
    ['component', (value, field, errors) => component(value ?? null, field, errors)],
    ['action', choice(actions, 'must be an action that can be permitted')],
  ]
}
