/** Replaces these globals while `run` runs. A member of `globals` may be an accessor. */
export async function withGlobals(globals: object, run: () => unknown): Promise<void> {
  const names = Object.keys(globals)
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(globals)))
    Object.defineProperty(globalThis, name, { ...descriptor, configurable: true })
  try {
    await run()
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}
