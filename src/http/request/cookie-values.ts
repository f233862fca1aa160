/**
 * The values of the cookies of exactly this name in a `Cookie` header, in their order. Only SP and HTAB are blanks
 * around a pair (RFC 6265bis), and names are compared byte by byte. `trim()` would also take U+00A0, a BOM
 * or 0x0B away: a sibling host may set a cookie whose name begins with one of them, since browsers do not hold such
 * a name to what `__Host-` asks for.
 */
export function cookieValues(header: string, name: string): readonly string[] {
  const prefix = `${name}=`
  return header
    .split(';')
    .map(withoutBlanks)
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
}

function withoutBlanks(text: string): string {
  let [begin, end] = [0, text.length]
  while (begin < end && isBlank(text.charCodeAt(begin))) begin += 1
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(begin, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
