/** Where something stands in a JSON document: names of members and indices. */
export type JsonPath = readonly PropertyKey[]

/** `roles.admin.inherit[0]`. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      return index === 0 ? String(step) : `.${String(step)}`
    })
    .join('')
}
