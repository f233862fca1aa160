import * as z from 'zod'
import {
  PET_IDS_MAX,
  category,
  CATEGORIES,
  PET_NAME_MAX,
  PET_TAG_MAX,
  petName,
  petTag,
  type Pet,
  type PetDraft,
  age,
  AGE_MAX,
  breed,
  BREED_MAX,
  type TraitsChange,
} from '../../domain/catalogue/pet.js'
import { PAGE_LIMIT_MAX } from '../../domain/page-limit.js'
import { defined } from '../../domain/plain-data.js'
import { Refusal } from '../../domain/refusal.js'
import { PLAIN_TEXT, PLAIN_TEXT_TO_TRIM, rule, validate, optionalText } from './validate.js'
import type { HttpSettings } from '../parts.js'
import { constantHeader, type Headers } from '../description/headers.js'
import { NO_CREDENTIALS, tooManyAttempts, type Refusals } from '../description/refusals.js'

export const petDraftSchema = z
  .strictObject({
    name: z
      .string()
      .transform(rule(petName))
      .meta({
        minLength: 1,
        maxLength: PET_NAME_MAX,
        pattern: PLAIN_TEXT_TO_TRIM,
        description: 'The service trims white space.',
        examples: ['Rex'],
      }),
    tag: z
      .string()
      .transform(rule(petTag))
      .meta({ minLength: 1, maxLength: PET_TAG_MAX, pattern: PLAIN_TEXT })
      .optional(),
    category: z
      .string()
      .transform(rule(category))
      .meta({ enum: [...CATEGORIES] })
      .optional(),
  })
  .meta({ id: 'PetDraft', description: 'A pet to be created; the service assigns its id.' })

const ageSchema = z.number().transform(rule(age)).meta({ type: 'integer', minimum: 0, maximum: AGE_MAX })
const breedSchema = z
  .string()
  .transform(rule(breed))
  .meta({ minLength: 1, maxLength: BREED_MAX, pattern: PLAIN_TEXT })

const catSchema = z
  .strictObject({ age: ageSchema.optional(), hunts: z.boolean().optional() })
  .meta({ id: 'Cat', minProperties: 1 })
const dogSchema = z
  .strictObject({ bark: z.boolean().optional(), breed: breedSchema.optional() })
  .meta({ id: 'Dog', minProperties: 1 })

/** Body of PATCH /pets/{petId}, with the members of either a cat or a dog. */
export const petChangeSchema = z.xor([catSchema, dogSchema]).meta({ id: 'PetChange' })

const catPatchSchema = z
  .strictObject({ age: ageSchema.nullable().optional(), hunts: z.boolean().nullable().optional() })
  .meta({ id: 'CatPatch', minProperties: 1 })
const dogPatchSchema = z
  .strictObject({ bark: z.boolean().nullable().optional(), breed: breedSchema.nullable().optional() })
  .meta({ id: 'DogPatch', minProperties: 1 })

/** Body of PATCH /pets/{petId}: a merge patch, in which null removes a trait. */
export const petMergePatchSchema = z
  .xor([catPatchSchema, dogPatchSchema])
  .meta({ id: 'PetMergePatch', description: 'A merge patch (RFC 7396): null removes a trait.' })

const CHANGE_SCHEMAS = { cat: catSchema, dog: dogSchema }
const MERGE_PATCH = { cat: catPatchSchema, dog: dogPatchSchema }

/** Parses a draft. Throws `malformed` with every invalid member. */
export function parsePetDraft(body: unknown): PetDraft {
  const { name, ...rest } = validate(petDraftSchema, body)
  return { name, ...defined(rest) }
}

/** Parses a change. Throws `malformed` for an empty or mixed body, an unknown member, or a wrong type. */
export function parsePetChange(
  body: Readonly<Record<string, unknown>>,
  { mergePatch } = { mergePatch: false },
): TraitsChange {
  const schemas = mergePatch ? MERGE_PATCH : CHANGE_SCHEMAS
  const members = Object.keys(body)
  const cat = members.some((member) => Object.hasOwn(catSchema.shape, member))
  const dog = members.some((member) => Object.hasOwn(dogSchema.shape, member))
  if (members.length === 0) throw change('must contain age or hunts, or bark or breed')
  if (cat && dog) throw mixedTraits()
  if (dog) return { kind: 'dog', ...defined(validate(schemas.dog, body)) }
  return { kind: 'cat', ...defined(validate(schemas.cat, body)) }
}

export function mixedTraits(): Refusal {
  return change('must not mix age or hunts of a cat with bark or breed of a dog')
}

function change(message: string): Refusal {
  return new Refusal('malformed', [{ field: 'body', type: 'NotValid', message }])
}

/** The ids, only for the API description; the parameter itself is one string. */
export const petsIdsSchema = z
  .array(z.int().min(1).meta({ format: 'int64' }))
  .min(1)
  .max(PET_IDS_MAX)
  .meta({ id: 'PetsIds', description: 'Ids of pets.' })

export const petSchema = z
  .strictObject({
    id: z.int().positive().meta({ format: 'int64' }),
    name: z.string().min(1).max(PET_NAME_MAX),
    tag: z.string().min(1).max(PET_TAG_MAX).optional(),
    category: z.enum(CATEGORIES).optional(),
    age: z.int().min(0).max(AGE_MAX).optional(),
    hunts: z.boolean().optional(),
    bark: z.boolean().optional(),
    breed: z.string().min(1).max(BREED_MAX).optional(),
  })
  .meta({ id: 'Pet' })
export const petsSchema = z.array(petSchema).max(PAGE_LIMIT_MAX).meta({ id: 'Pets' })

export function presentPet({ id, name, tag, category: chosen, traits }: Pet): z.input<typeof petSchema> {
  const shown: z.input<typeof petSchema> = { id, name }
  if (tag !== undefined) shown.tag = tag
  if (chosen !== undefined) shown.category = chosen
  if (traits === undefined) return shown
  const { kind: _, ...members } = traits
  return Object.assign(shown, members)
}

export const DRAFT = { name: 'Rex', tag: 'adopted', category: 'One' }
export const REX = { id: 1, ...DRAFT }
export const CHANGE = { bark: true, breed: 'Border Collie' }

export function petRefusals(settings: HttpSettings): Refusals {
  return {
    401: NO_CREDENTIALS,
    // A request with Basic credentials counts as a login attempt.
    ...(takesBasic(settings) && tooManyAttempts(settings)),
  }
}

const takesBasic = ({ petsSecurity }: HttpSettings) => petsSecurity !== 'key'

/** The specification of the pet catalog also lists the schemes as header parameters, under these names. */
const apiKey = {
  ApiKeyAuth: optionalText({
    description: 'An API key, sent in this header instead of the header that the scheme defines.',
    examples: ['kennel_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAM'],
  }),
}
const basic = {
  BasicAuth: optionalText({
    description:
      'Basic credentials (base64 of `email:password`), sent in this header instead of `Authorization`.',
    examples: [`Basic ${btoa('ada@example.com:a long walk in the park')}`],
  }),
}

export function credentialParameters(settings: HttpSettings) {
  return takesBasic(settings) ? { ...apiKey, ...basic } : apiKey
}

export const petIdParameter = z.object({
  petId: z.string().meta({ description: 'The id of the pet.', param: { example: '1' } }),
})

export const condition = (description: string) => optionalText({ description, examples: ['"1-1"'] })

export const ETAG: Headers = {
  ETag: {
    description: 'Changes whenever the pet changes.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9]+-[0-9]+"$' },
    example: '"1-1"',
  },
}

/** Clients may cache the reply, but must revalidate it before each use. */
export const KEPT = 'private, no-cache'
export const KEPT_HEADERS: Headers = { 'Cache-Control': constantHeader(KEPT) }

/**
 * The `Cache-Control` header of replies whose `ETag` clients send back in `If-Match`. `no-transform` forbids compression by a proxy, which
 * would make the tag weak; a weak tag matches nothing (RFC 9110, 13.1.1).
 */
export const KEPT_AS_IS = `${KEPT}, no-transform`
export const SENT_AS_IS = 'no-store, no-transform'
