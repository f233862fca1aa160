import type { OfferedHttpUseCases } from './parts.js'

const registered = new WeakMap<object, OfferedHttpUseCases>()

/** Registers other use cases, which do not check the input again, for the HTTP interface of these methods. */
export function registerUseCases<Methods extends OfferedHttpUseCases>(
  methods: Methods,
  useCases: OfferedHttpUseCases,
): Methods {
  registered.set(methods, useCases)
  return methods
}

/** Returns the use cases that are registered for these methods, or the methods themselves. */
export function registeredUseCases(methods: OfferedHttpUseCases): OfferedHttpUseCases {
  return registered.get(methods) ?? methods
}
