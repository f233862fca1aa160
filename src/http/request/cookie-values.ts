/**
 * The values of the cookies with exactly this name in a `Cookie` header, in their order. Trims only SP and HTAB
 * (RFC 6265bis). `trim()` would also remove U+00A0, a BOM or 0x0B: a sibling host may set a cookie whose name begins with
 * such a character, because browsers do not apply the rules of `__Host-` to that name.
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
