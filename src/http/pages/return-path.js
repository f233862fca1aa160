/**
 * Returns the address of a path on this origin, such as `/app?tab=2`; returns `undefined` for any other text, because a login link must not
 * lead to another site. The result is absolute: a normalized path can begin with `//`.
 */
export function returnAddress(text, origin) {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text ?? '')) return undefined
  const url = new URL(text, origin)
  return url.origin === origin ? url.href : undefined
}
