import type { Store } from '../../../src/ports/store.js'
import type { PlantedBug } from '../describe-laws.js'

export type Bug<Part = Store> = PlantedBug & { plant(sound: Part): Part }

type Ports = { readonly [Port in keyof Omit<Store, 'ready' | 'close'>]-?: NonNullable<Store[Port]> }
export type Mutations<Calls> = { readonly [Name in keyof Calls]?: (call: Calls[Name]) => Calls[Name] }

/** Plants a bug in calls of several ports: `(store) => ({ accounts: { remove: … }, sessions: { end: … } })`. */
export function bugOfPorts(
  name: string,
  breaks: RegExp,
  mutationsOf: (store: Store) => { readonly [Port in keyof Ports]?: Mutations<Ports[Port]> },
): Bug {
  const mutated = (calls: object, mutations: object) => {
    const entries = Object.entries(mutations) as [string, (call: unknown) => unknown][]
    const changed = entries.map(([call, mutate]) => [call, mutate(Reflect.get(calls, call))] as const)
    return { ...calls, ...Object.fromEntries(changed) }
  }
  return bugOfStore(name, breaks, (store) => {
    const ports = Object.entries(mutationsOf(store))
    return Object.fromEntries(
      ports.map(([port, calls]) => [port, mutated(Reflect.get(store, port) as object, calls)]),
    )
  })
}

/** Plants bugs in calls of one port. */
export function bugsOf<Port extends keyof Ports>(port: Port) {
  return (name: string, breaks: RegExp, mutationsOf: (store: Store) => Mutations<Ports[Port]>): Bug =>
    bugOfPorts(`${port}: ${name}`, breaks, (store) => ({ [port]: mutationsOf(store) }))
}

/** Plants a bug in a whole store. */
export function bugOfStore(name: string, breaks: RegExp, alter: (store: Store) => Partial<Store>): Bug {
  return { name, breaks, plant: (store) => ({ ...store, ...alter(store) }) }
}

type Call = (...inputs: never[]) => Promise<unknown>
export type UntypedCall = (...inputs: readonly unknown[]) => Promise<unknown>
type Answer<Name extends Call> = Awaited<ReturnType<Name>>

function mutation<Changed extends Call>(
  change: (call: UntypedCall, inputs: Parameters<Changed>) => Promise<unknown>,
): (call: Changed) => Changed {
  const mutate =
    (call: UntypedCall) =>
    (...inputs: Parameters<Changed>) =>
      change(call, inputs)
  return mutate as unknown as (call: Changed) => Changed
}

/** Changes the inputs of a call. */
export function given<Changed extends Call>(
  change: (...inputs: Parameters<Changed>) => Parameters<Changed> | Promise<Parameters<Changed>>,
) {
  return mutation<Changed>(async (call, inputs) => await call(...(await change(...inputs))))
}

/** Changes the result of a call. */
export function gives<Changed extends Call>(
  change: (
    answer: Answer<Changed>,
    ...inputs: Parameters<Changed>
  ) => Answer<Changed> | Promise<Answer<Changed>>,
) {
  return mutation<Changed>(
    async (call, inputs) => await change((await call(...inputs)) as Answer<Changed>, ...inputs),
  )
}

/** Runs `act` after a call. */
export function also<Changed extends Call>(
  act: (answer: Answer<Changed>, ...inputs: Parameters<Changed>) => unknown,
) {
  return gives<Changed>(async (answer, ...inputs): Promise<Answer<Changed>> => {
    await act(answer, ...inputs)
    return answer
  })
}

/** Runs `act` before a call. */
export function first<Changed extends Call>(act: (...inputs: Parameters<Changed>) => unknown) {
  return given<Changed>(async (...inputs) => {
    await act(...inputs)
    return inputs
  })
}

/** Replaces a call with a fixed result. */
export function only<Changed extends Call>(answer: Answer<Changed>) {
  return mutation<Changed>(async () => answer)
}

/** Makes a call return before its write is complete. */
export function early<Changed extends Call>(answer: Answer<Changed>) {
  return mutation<Changed>(async (call, inputs) => {
    void everybodyElse()
      .then(() => call(...inputs))
      .catch(() => undefined)
    return answer
  })
}

/** Plants one bug in every call of every port; the name of a call is `port.call`. */
export function bugOfCalls(name: string, breaks: RegExp, change: Parameters<typeof everyCall>[1]): Bug {
  return bugOfStore(name, breaks, (store) => everyCall(store, change))
}

/** Returns the ports, with `change` applied to every call. */
export function everyCall(store: Store, change: (call: UntypedCall, name: string) => UntypedCall) {
  const ports = Object.entries(store).filter(([, port]) => typeof port === 'object')
  const changed = ports.map(([port, calls]) => {
    const entries = Object.entries(calls as Record<string, UntypedCall>)
    return [port, Object.fromEntries(entries.map(([name, call]) => [name, change(call, `${port}.${name}`)]))]
  })
  return Object.fromEntries(changed) as Partial<Store>
}

/** Waits between a read and a write until all other callers have continued. */
export async function everybodyElse(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}
