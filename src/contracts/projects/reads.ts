import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { Store } from '../../ports/store.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aProject, NOW, pageLimitOf, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'
import { walkLaws } from '../walks.js'

const law = lawOf('projects')
const ANN = 1 as AccountId
const BOB = 2 as AccountId
const NO_PROJECT = 4_000_000_001 as ProjectId

export const projectReadLaws: readonly Law[] = [
  law(
    'a project is found as it was inserted, by the account that made it alone',
    'What was created can be read, and only by its account.',
    async (store) => {
      const [own, other] = [await insert(store, ANN), await insert(store, BOB)]
      assert.deepEqual(await store.projects.find(own.id, ANN), own)
      assert.deepEqual(await store.projects.find(other.id, BOB), other)
      for (const id of [other.id, NO_PROJECT]) assert.equal(await store.projects.find(id, ANN), undefined)
    },
  ),
  law(
    'pages hold the projects of one account, ascending, with next where more follow',
    'A list shows what is one’s own, whole and nothing else.',
    async (store) => {
      const own: Project[] = []
      for (let number = 1; number <= 7; number += 1) {
        own.push(await insert(store, ANN, `Ann ${number}`))
        await insert(store, BOB, `Bob ${number}`)
      }
      assert.deepEqual(await page(store, undefined, 7), { projects: own })
      assert.deepEqual(await page(store, undefined, 100), { projects: own })
      assert.deepEqual(await page(store, undefined, 3), { projects: own.slice(0, 3), next: own[2]?.id })
      assert.deepEqual(await page(store, own[2]?.id, 3), { projects: own.slice(3, 6), next: own[5]?.id })
      assert.deepEqual(await page(store, own[5]?.id, 3), { projects: own.slice(6) })
      assert.deepEqual(await page(store, NO_PROJECT, 3), { projects: [] })
      const newcomer = 3 as AccountId
      assert.deepEqual(await store.projects.page(newcomer, undefined, pageLimitOf(3)), { projects: [] })
    },
  ),
  ...walkLaws('projects', 'project', (store) => ({
    insert: async (name) => (await insert(store, ANN, name)).id,
    page: async (after, limit) => {
      const { projects, next } = await page(store, after as ProjectId | undefined, limit)
      return { ids: projects.map(({ id }) => id), next }
    },
  })),
  law(
    'a closed project has the moment of its first closing, in every read',
    'Closing twice is harmless, and tells the truth.',
    async (store) => {
      const [own, open] = [await insert(store, ANN), await insert(store, ANN)]
      const closed = { ...own, closedAt: NOW + SECOND }
      assert.deepEqual(await store.projects.close(own.id, ANN, NOW + SECOND), closed)
      assert.deepEqual(await store.projects.close(own.id, ANN, NOW + 2 * SECOND), closed)
      assert.deepEqual(await store.projects.find(own.id, ANN), closed)
      assert.deepEqual(await page(store, undefined, 10), { projects: [closed, open] })
    },
  ),
  law(
    'the project of another account is not closed, nor one that is not there',
    'No account ends the work of another.',
    async (store) => {
      const other = await insert(store, BOB)
      for (const id of [other.id, NO_PROJECT]) {
        assert.equal(await store.projects.close(id, ANN, NOW), undefined)
      }
      assert.deepEqual(await store.projects.find(other.id, BOB), other)
    },
  ),
  law(
    'of 16 closings at once one sets the moment, and all are told it',
    'What was answered is what is kept.',
    async (store) => {
      await inRounds(async () => {
        const { id } = await insert(store, ANN)
        const answers = await race((caller) => store.projects.close(id, ANN, NOW + caller))
        const kept = await store.projects.find(id, ANN)
        assert.notEqual(kept?.closedAt, undefined)
        for (const answer of answers) assert.deepEqual(answer, kept)
      })
    },
  ),
  law(
    'projects outlive their account, and their ids are never given again',
    'Removing an account loses no work.',
    async (store) => {
      const project = await insert(store, ANN)
      await store.accounts.remove(ANN)
      assert.deepEqual(await store.projects.find(project.id, ANN), project)
      assert.ok((await insert(store, BOB)).id > project.id)
    },
  ),
  law(
    'changing a project that was handed out changes nothing in the store',
    'A caller that reuses an object does not write by accident.',
    async (store) => {
      const { id, ...project } = await insert(store, ANN)
      tamperWith(await store.projects.find(id, ANN))
      tamperWith(await page(store, undefined, 10))
      const kept = { id, ...project }
      assert.deepEqual(await page(store, undefined, 10), { projects: [kept] })
      tamperWith(await store.projects.close(id, ANN, NOW))
      assert.deepEqual(await store.projects.find(id, ANN), { ...kept, closedAt: NOW })
    },
  ),
]

async function insert(store: Store, createdBy: AccountId, label = 'House'): Promise<Project> {
  return await store.projects.insert(aProject(label), createdBy, NOW)
}

async function page(store: Store, after: ProjectId | undefined, limit: number) {
  return await store.projects.page(ANN, after, pageLimitOf(limit))
}
