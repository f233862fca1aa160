import { isObject, type JsonObject } from '../../../domain/identity/json-object.js'
import { fields, listOf, nullable, optional, text, type Parser, type Shape } from '../../fields.js'

const bytes = optional(nullable(text))

/** Drops unused members, because browsers add members such as `clientExtensionResults`. */
function reading(shape: Shape): Parser<JsonObject> {
  const parser = fields(shape)
  const names = Object.keys(shape)
  return (value, field, errors) => {
    const picked = isObject(value) ? Object.fromEntries(names.map((name) => [name, value[name]])) : value
    return parser(picked, field, errors)
  }
}

/** Parses the output of `PublicKeyCredential.toJSON()` in a browser, for both ceremonies. */
export const passkeyResponse = reading({
  id: text,
  rawId: text,
  type: text,
  response: reading({
    clientDataJSON: text,
    ...{ attestationObject: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes },
    transports: optional(listOf(text)),
  }),
})
