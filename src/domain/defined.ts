type Defined<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that are not `undefined`, in their order. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members>
}
