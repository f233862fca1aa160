import type { Reply } from '../../../support/http/client.js'
import { createdId, PETS } from '../../../support/http/pet-calls.js'
import { prepare } from '../calls.js'
import type { Begin, Step } from '../course.js'
import { statusOf, type Answer } from '../identity.js'
import type { Specification } from '../specification.js'

type Traits = Readonly<Record<string, unknown>>

type Input =
  | { readonly kind: 'read' }
  /** A read that wants the pet only where it is another revision. */
  | { readonly kind: 'read if changed'; readonly known: number }
  /** Any revision is right where none is expected. */
  | { readonly kind: 'patch'; readonly change: Traits; readonly expected: number | undefined }
  | { readonly kind: 'remove'; readonly expected: number | undefined }

type Output = Answer & { readonly revision?: number; readonly traits?: string }

type State = {
  /** `undefined` of a pet that is removed. */
  readonly revision: number | undefined
  readonly traits: Traits
}

const CAT = ['age', 'hunts']

/** One pet with its revision: an entity tag is of one state, and a change with `If-Match` is of that state or none. */
export const petSpecification: Specification<State, Input, Output> = {
  initial: { revision: 1, traits: {} },
  after: (state, input, output) => {
    const [due, after] = outcomeOf(state, input)
    const isSame = !output || JSON.stringify(due) === JSON.stringify(output)
    return isSame ? [after] : []
  },
  keyOf: ({ revision, traits }) => `${String(revision)} ${told(traits)}`,
  isRead: ({ kind }, output) => kind.startsWith('read') || (output?.status ?? 0) >= 400,
  due: (state, input) => {
    const [{ status, revision, traits }] = outcomeOf(state, input)
    const now = state.revision === undefined ? 'removed' : `revision ${String(state.revision)}`
    return `the pet is ${now} ${told(state.traits)}: due is ${[status, revision, traits].join(' ')}`
  },
  tell: ({ kind, ...rest }, output) =>
    `${kind} ${JSON.stringify(rest)} → ${output ? [output.status, output.revision, output.traits].join(' ') : 'no answer'}`,
}

function outcomeOf(state: State, input: Input): readonly [Output, State] {
  const { revision, traits } = state
  if (revision === undefined) return [{ status: 404 }, state]
  if (input.kind === 'read') return [{ status: 200, revision, traits: told(traits) }, state]
  if (input.kind === 'read if changed')
    return input.known === revision
      ? [{ status: 304, revision }, state]
      : [{ status: 200, revision, traits: told(traits) }, state]
  if (input.expected !== undefined && input.expected !== revision) return [{ status: 412 }, state]
  if (input.kind === 'remove') return [{ status: 204 }, { ...state, revision: undefined }]
  const after = { revision: revision + 1, traits: merged(traits, input.change) }
  return [{ status: 200, revision: after.revision, traits: told(after.traits) }, after]
}

/** A change in the other shape takes the place of all traits. */
function merged(traits: Traits, change: Traits): Traits {
  const isCat = (one: Traits) => Object.keys(one).some((name) => CAT.includes(name))
  return isCat(traits) === isCat(change) ? { ...traits, ...change } : change
}

function told(traits: Traits): string {
  const names = Object.keys(traits).sort()
  return names.map((name) => `${name}=${String(traits[name])}`).join()
}

/** A pet that many programs read, change and remove. */
export const beginPet: Begin<State, Input, Output> = async ({ place, calls, random }) => {
  const headers = { 'X-API-Key': place.apiKey }
  const id = createdId(await prepare(place, 'POST', PETS, { headers, json: { name: 'Rex' } }))
  const path = `${PETS}/${String(id)}`
  let newest = 1
  const etag = (revision: number) => `"${String(id)}-${String(revision)}"`
  const outputOf = (reply: Reply | undefined): Output | undefined => {
    if (reply?.status !== 200 && reply?.status !== 304) return statusOf(reply)
    const revision = Number(/-([0-9]+)"$/.exec(reply.headers.etag ?? '')?.[1])
    newest = Math.max(newest, revision)
    if (reply.status === 304) return { status: 304, revision }
    return { status: 200, revision, traits: told(traitsOf(reply)) }
  }
  const recent = () => Math.max(1, newest - random.below(2))
  const expected = () => (random.chance(0.6) ? recent() : undefined)
  const step = (client: number, method: string, input: Input, call: object): Step<Input, Output> => ({
    input,
    run: async () => outputOf(await calls.send(client, method, path, call)),
  })
  const condition = (revision: number | undefined) =>
    revision === undefined ? headers : { ...headers, 'If-Match': etag(revision) }
  const patch = (client: number) => {
    const changes = [{ age: random.below(200) }, { hunts: random.chance(0.5) }, { bark: random.chance(0.5) }]
    const input = { kind: 'patch', change: random.pick<Traits>(changes), expected: expected() } as const
    return step(client, 'PATCH', input, { headers: condition(input.expected), json: input.change })
  }
  return {
    specification: petSpecification,
    next: (client) => {
      const share = random.next()
      if (share < 0.45) return patch(client)
      if (share < 0.48) {
        const input = { kind: 'remove', expected: expected() } as const
        return step(client, 'DELETE', input, { headers: condition(input.expected) })
      }
      if (share < 0.8) return step(client, 'GET', { kind: 'read' }, { headers })
      const known = recent()
      const ifChanged = { headers: { ...headers, 'If-None-Match': etag(known) } }
      return step(client, 'GET', { kind: 'read if changed', known }, ifChanged)
    },
  }
}

function traitsOf({ json }: Reply): Traits {
  const members = Object.entries(json as object).filter(([name]) => [...CAT, 'bark', 'breed'].includes(name))
  return Object.fromEntries(members)
}
