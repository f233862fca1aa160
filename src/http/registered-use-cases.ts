import type { OfferedHttpUseCases } from './parts.js'

const registered = new WeakMap<object, OfferedHttpUseCases>()

/** Registers use cases that the HTTP interface calls instead of these methods, so that the input is not checked again. */
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
