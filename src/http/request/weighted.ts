/** One element of a header such as `Accept`: in lower case, without parameters, and how much the client wants it. */
export type Weighted = { readonly value: string; readonly weight: number }

/**
 * The elements of a list with weights (RFC 9110, 12.4.2); parameters other than `q` have no meaning here. Commas and
 * semicolons in quotes separate nothing. Linear in the header.
 */
export function weighted(header: string): readonly Weighted[] {
  return unquotedParts(header, ',').map((element) => {
    const [value = '', ...parameters] = unquotedParts(element, ';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    return { value, weight: Number(weight.replaceAll('"', '')) || 0 }
  })
}

function unquotedParts(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let [begin, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') isQuoted = !isQuoted
    else if (char === '\\' && isQuoted) at += 1
    else if (char === separator && !isQuoted) {
      parts.push(text.slice(begin, at))
      begin = at + 1
    }
  }
  return [...parts, text.slice(begin)]
}
