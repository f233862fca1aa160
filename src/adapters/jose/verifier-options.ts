import { MUST_BE, suggestionFor } from '../../domain/messages.js'

type Check = { readonly must: string; readonly holds: (value: unknown) => boolean }

const ISSUER =
  'must be the PUBLIC_URL of the service, such as https://kennel.example, without a trailing slash'

const CHECKS: Readonly<Record<string, Check>> = {
  issuer: { must: ISSUER, holds: isIssuer },
  keys: { must: 'must be a URL object or a JSON Web Key Set', holds: isKeys },
  maxLifetime: { must: 'must be a positive number of milliseconds', holds: isPositive },
  clock: { must: MUST_BE.function, holds: (value) => typeof value === 'function' },
}

/** Throws a TypeError that names every unknown, missing or malformed option, without its value. */
export function checkVerifierOptions(options: unknown): void {
  const members = typeof options === 'object' && options !== null ? options : {}
  const errors = [
    ...Object.keys(members).flatMap(unknownOption),
    ...Object.entries(CHECKS).flatMap(([name, check]) =>
      brokenOption(name, (members as Readonly<Record<string, unknown>>)[name], check),
    ),
  ]
  if (errors.length > 0) throw new TypeError(`createAccessTokenVerifier: ${errors.join('; ')}`)
}

function unknownOption(name: string): string[] {
  const known = Object.keys(CHECKS)
  if (known.includes(name)) return []
  const meant = suggestionFor(name, known)
  return [
    `${name} is unknown; ${meant === undefined ? `the known names are ${known.join(', ')}` : `did you mean ${meant}?`}`,
  ]
}

function brokenOption(name: string, value: unknown, { must, holds }: Check): string[] {
  if (value === undefined) return name === 'issuer' ? [`${name} is required: it ${must}`] : []
  return holds(value) ? [] : [`${name} ${must}`]
}

function isIssuer(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^?#]*[^/?#]$/.test(value) && URL.canParse(value)
}

function isKeys(value: unknown): boolean {
  if (value instanceof URL) return true
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
