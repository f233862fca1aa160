import type { Pet, PetId, PetPage } from '../../domain/catalogue/pet.js'
import type { Project, ProjectPage } from '../../domain/project/project.js'
import type { Store } from '../../ports/store.js'
import {
  answers,
  array,
  asked,
  howMany,
  must,
  optional,
  outcome,
  positive,
  word,
  type PortShape,
} from './shape.js'

/** With another one an account would see what is not its own. */
const projectAsked = answers(
  'the project with this id that this account has made, or undefined',
  optional((answer, _, [id, createdBy]) => {
    const project = answer as Project
    return asked(id, project.id, 'id') ?? asked(createdBy, project.createdBy, 'createdBy')
  }),
)

/** The ports of pets and projects. */
export const CATALOGUE_SHAPES: { readonly [Port in 'pets' | 'projects']: PortShape<Store[Port]> } = {
  pets: {
    port: 'Pets',
    functions: {
      insert: outcome('inserted', 'repeated', 'key-reused'),
      find: answers(
        'the pet with this id, or undefined',
        optional((answer, _, [id]) => asked(id, (answer as Pet).id, 'id')),
      ),
      findMany: answers('those of these pets that are there, ascending', (answer, member, [ids]) => {
        const found = answer as readonly Pet[]
        const isRight = ({ id }: Pet, at: number) =>
          (ids as PetId[]).includes(id) && id > (found[at - 1]?.id ?? 0)
        return array(answer, member) ?? must(found.every(isRight), 'id', 'is not asked for, or not ascending')
      }),
      page: answers('a page with at most as many pets as it is asked for', (answer, _, [, limit]) => {
        const { pets } = answer as PetPage
        return (
          array(pets, 'pets') ?? must(pets.length <= (limit as number), 'pets', 'has more than asked for')
        )
      }),
      patch: outcome('patched', 'stale', 'unknown'),
      remove: word('removed', 'stale', 'unknown'),
      purgeIdempotencyKeys: howMany,
    },
  },
  projects: {
    port: 'Projects',
    functions: {
      insert: answers('the project', (answer) => positive((answer as Project).id, 'id')),
      find: projectAsked,
      page: answers(
        'a page of projects of this account, with at most as many as it is asked for',
        (answer, _, [createdBy, , limit]) => {
          const { projects } = answer as ProjectPage
          return (
            array(projects, 'projects') ??
            must(projects.length <= (limit as number), 'projects', 'has more than asked for') ??
            must(
              projects.every((one) => one.createdBy === createdBy),
              'projects',
              'has some of another account',
            )
          )
        },
      ),
      close: projectAsked,
    },
  },
}
