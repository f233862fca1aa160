type DefinedMembers<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** Returns the members that are not `undefined`, in their order. */
export function defined<Members extends object>(members: Members): DefinedMembers<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as DefinedMembers<Members>
}

export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

export function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return value
  if (Array.isArray(value)) return Object.freeze(value.map((member: unknown) => frozenCopy(member)))
  const members = Object.entries(value).map(([name, member]) => [name, frozenCopy(member)])
  return Object.freeze(Object.fromEntries(members))
}
