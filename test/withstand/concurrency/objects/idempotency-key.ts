import type { PageLimit } from '../../../../src/domain/page-limit.js'
import type { PetId } from '../../../../src/domain/catalogue/pet.js'
import { createdId, PETS } from '../../../support/http/pet-calls.js'
import { prepare } from '../calls.js'
import type { Begin, Step } from '../course.js'
import { statusOf, type Answer } from '../identity.js'
import type { Specification } from '../specification.js'

type Input =
  | { readonly kind: 'create'; readonly key: string; readonly tag: string }
  | { readonly kind: 'remove'; readonly id: number }
  /** All pets that the history has made and not removed, when all is done. */
  | { readonly kind: 'count' }

type Output = Answer & { readonly id?: number; readonly count?: number }

/** The pet of a key whose creation had no answer. */
const UNSEEN = 0

type State = {
  /** By key: the body that it came with first, and the pet. */
  readonly keys: Readonly<Record<string, { readonly tag: string; readonly id: number }>>
  readonly removed: readonly number[]
}

/** Keys of one credential: a key is of one body, and makes one pet, also where that is removed. */
export const idempotencySpecification: Specification<State, Input, Output> = {
  initial: { keys: {}, removed: [] },
  after: (state, input, output) => {
    if (input.kind === 'create') return created(state, input, output)
    const due = dueOf(state, input)
    if (output && (output.status !== due.status || output.count !== due.count)) return []
    return [input.kind === 'remove' && due.status === 204 ? without(state, input.id) : state]
  },
  keyOf: ({ keys, removed }) => JSON.stringify([Object.entries(keys).sort(), removed]),
  isRead: ({ kind }, output) => kind === 'count' || (output?.status ?? 0) >= 400,
  due: (state, input) => {
    const known = Object.entries(state.keys).map(
      ([key, { tag, id }]) => `${key}: ${tag} is pet ${String(id)}`,
    )
    return `the keys are ${known.join(', ') || 'free'}; removed ${state.removed.join() || 'none'}: due is ${answerFor(state, input)}`
  },
  tell: ({ kind, ...rest }, output) =>
    `${kind} ${Object.values(rest).join(' ')} → ${output ? [output.status, output.id ?? output.count].join(' ') : 'no answer'}`,
}

type Creation = Extract<Input, { kind: 'create' }>

function created(state: State, { key, tag }: Creation, output: Output | undefined): readonly State[] {
  const known = state.keys[key]
  if (known && known.tag !== tag) return !output || output.status === 422 ? [state] : []
  if (output && output.status !== 201) return []
  const id = output?.id ?? UNSEEN
  const others = Object.entries(state.keys).filter(([other]) => other !== key)
  if (known && (output === undefined || known.id === id)) return [state]
  const isFree = !others.some(([, one]) => one.id === id) || id === UNSEEN
  return isFree && (!known || known.id === UNSEEN)
    ? [{ ...state, keys: { ...state.keys, [key]: { tag, id } } }]
    : []
}

function dueOf({ keys, removed }: State, input: Exclude<Input, Creation>): Output {
  const ids = Object.values(keys).map(({ id }) => id)
  if (input.kind === 'count') return { status: 200, count: ids.filter((id) => !removed.includes(id)).length }
  return { status: ids.includes(input.id) && !removed.includes(input.id) ? 204 : 404 }
}

function answerFor(state: State, input: Input): string {
  if (input.kind === 'create') {
    const known = state.keys[input.key]
    if (!known) return '201 with a new pet'
    return known.tag === input.tag ? `201 with pet ${String(known.id)}` : '422'
  }
  const { status, count = '' } = dueOf(state, input)
  return `${String(status)} ${String(count)}`
}

function without(state: State, id: number): State {
  return { ...state, removed: [...state.removed, id].sort((one, other) => one - other) }
}

const LIMIT = 100 as PageLimit

/** A few keys that come with one body, and now and then with another one. */
export const beginIdempotencyKeys: Begin<State, Input, Output> = async ({ place, calls, random }) => {
  const name = place.freshName('pet')
  const headers = { 'X-API-Key': place.apiKey }
  const before = createdId(await prepare(place, 'POST', PETS, { headers, json: { name: 'Rex' } }))
  const keys = Array.from({ length: 5 }, () => place.freshName('key'))
  const ids = new Set<number>()
  const create = (client: number): Step<Input, Output> => {
    const place = random.below(keys.length)
    const tag = random.chance(0.85) ? 'first' : 'other'
    const call = {
      headers: { ...headers, 'Idempotency-Key': keys[place] as string },
      json: { name, tag },
    }
    return {
      input: { kind: 'create', key: `k${String(place + 1)}`, tag },
      run: async () => {
        const reply = await calls.send(client, 'POST', PETS, call)
        if (reply?.status !== 201) return statusOf(reply)
        ids.add(createdId(reply))
        return { status: 201, id: createdId(reply) }
      },
    }
  }
  const remove = (client: number): Step<Input, Output> => {
    const id = random.pick([...ids])
    return {
      input: { kind: 'remove', id },
      run: async () => statusOf(await calls.send(client, 'DELETE', `${PETS}/${String(id)}`, { headers })),
    }
  }
  const count = async (after: PetId): Promise<number> => {
    const { pets, next } = await place.kennel.store.pets.page(after, LIMIT)
    const own = pets.filter((pet) => String(pet.name) === name).length
    return own + (next === undefined ? 0 : await count(next))
  }
  return {
    specification: idempotencySpecification,
    next: (client) => (ids.size > 0 && random.chance(0.12) ? remove(client) : create(client)),
    last: () => ({
      input: { kind: 'count' },
      run: async () => ({ status: 200, count: await count(before as PetId) }),
    }),
  }
}
