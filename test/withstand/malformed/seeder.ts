import type { Composed } from '../../support/use-cases.js'
import type { Member, Pool } from './pool.js'

const [MEMBERS, VICTIMS, PETS] = [4, 4, 4]

/** Makes accounts that are logged in, pets, projects and a key: new ones with every call. */
export function createSeeder(composed: Composed): () => Promise<Pool> {
  let made = 0
  const { account, apiKey, login, store, clock } = composed
  const member = async (): Promise<Member> => {
    made += 1
    const email = `member-${made}@example.com`
    const id = await account(email, ['admin'])
    const { accessToken, refreshToken, sessionKey } = await login(email)
    return { id, email, cookie: `sid=${sessionKey ?? ''}`, accessToken, refreshToken }
  }
  const pet = async () => {
    const insertion = await store.pets.insert({ name: 'Rex' } as never)
    return insertion.kind === 'inserted' ? insertion.id : 0
  }
  const project = async ({ id }: Member) => {
    const draft = { label: 'Roof', status: 'open', budget: 1 }
    return (await store.projects.insert(draft as never, id as never, clock.now)).id
  }
  return async () => {
    const members = await times(MEMBERS, member)
    const projectIds = []
    for (const one of members) projectIds.push(await project(one))
    return {
      members,
      victims: await times(VICTIMS, member),
      apiKey: await apiKey(),
      petIds: await times(PETS, pet),
      projectIds,
    }
  }
}

async function times<One>(count: number, make: () => Promise<One>): Promise<One[]> {
  const all: One[] = []
  for (let index = 0; index < count; index += 1) all.push(await make())
  return all
}
