import * as z from 'zod'
import type { HttpUseCases } from '../../http/use-cases.js'
import type { PetCredentials } from '../../application/catalogue/authenticate-pet-client.js'
import { idempotencyKey } from '../../domain/catalogue/idempotency-key.js'
import { petIds } from '../../domain/catalogue/pet-ids.js'
import {
  category,
  petName,
  petTag,
  type PetDraft,
  type PetId,
  type Revision,
} from '../../domain/catalogue/pet.js'
import { age, breed, type TraitsChange } from '../../domain/catalogue/traits.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'
import type { ProjectId } from '../../domain/project/project.js'
import type { InputOf, InputSchemas } from './argument.js'
import { caller, identity, client } from './callers.js'
import {
  flag,
  id,
  listOf,
  members,
  number,
  pageSize,
  present,
  rule,
  said,
  text,
  withoutUndefined,
  type Members,
} from './values.js'

/** A number that is no possible id names nothing: it is absent, as in a path. */
function possibleId<Id extends number>(): z.ZodType<Id | undefined> {
  return number.transform((value) => (isPositiveInteger(value) ? (value as Id) : undefined)).optional()
}

const petId = possibleId<PetId>()
const projectId = possibleId<ProjectId>()

const draft = present<PetDraft>({
  name: text.transform(rule(petName)),
  tag: text.transform(rule(petTag)).optional(),
  category: text.transform(rule(category)).optional(),
})

type ChangeOf<Kind> = Extract<TraitsChange, { readonly kind: Kind }>

const cat: Members<ChangeOf<'cat'>> = {
  kind: z.literal('cat'),
  age: number.transform(rule(age)).nullable().optional(),
  hunts: flag.nullable().optional(),
}
const dog: Members<ChangeOf<'dog'>> = {
  kind: z.literal('dog'),
  bark: flag.nullable().optional(),
  breed: text.transform(rule(breed)).nullable().optional(),
}
const traits = z.discriminatedUnion(
  'kind',
  [z.strictObject({ ...cat, kind: z.literal('cat') }), z.strictObject({ ...dog, kind: z.literal('dog') })],
  said('must be a change of a cat or of a dog, as its kind says'),
)
const change = withoutUndefined(traits as unknown as z.ZodType<TraitsChange>)

type Basic = NonNullable<PetCredentials['basic']>

export const CATALOGUE_INPUTS = {
  authenticatePetClient: [
    {
      field: '',
      schema: present<PetCredentials>({
        apiKey: text.optional(),
        basic: members<Basic>({ email: text, password: text }).optional(),
        client: client.optional(),
      }),
    },
  ],
  listPets: [
    {
      field: '',
      schema: present<InputOf<HttpUseCases['listPets']>>({
        caller,
        limit: pageSize.optional(),
        after: id<PetId>().optional(),
      }),
    },
  ],
  createPet: [
    {
      field: '',
      schema: present<InputOf<HttpUseCases['createPet']>>({
        caller,
        draft,
        idempotencyKey: text.transform(rule(idempotencyKey)).optional(),
      }),
    },
  ],
  readPet: [{ field: '', schema: members<InputOf<HttpUseCases['readPet']>>({ caller, id: petId }) }],
  readPets: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['readPets']>>({
        caller,
        ids: listOf(number).transform(rule(petIds)),
      }),
    },
  ],
  patchPet: [
    {
      field: '',
      schema: present<InputOf<HttpUseCases['patchPet']>>({
        caller,
        id: petId,
        change,
        expected: listOf(id<Revision>()).optional(),
      }),
    },
  ],
  removePet: [
    {
      field: '',
      schema: present<InputOf<HttpUseCases['removePet']>>({
        caller,
        id: petId,
        expected: listOf(id<Revision>()).optional(),
      }),
    },
  ],
  createProject: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['createProject']>>({
        caller: identity,
        label: z.unknown(),
        status: z.unknown(),
        budget: z.unknown(),
      }),
    },
  ],
  listProjects: [
    {
      field: '',
      schema: present<InputOf<HttpUseCases['listProjects']>>({
        caller: identity,
        limit: pageSize.optional(),
        after: id<ProjectId>().optional(),
      }),
    },
  ],
  readProject: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['readProject']>>({ caller: identity, id: projectId }),
    },
  ],
  closeProject: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['closeProject']>>({ caller: identity, id: z.unknown() }),
    },
  ],
} satisfies Partial<InputSchemas<HttpUseCases>>
