import assert from 'node:assert/strict'
import type { Budget, Project, ProjectId } from '../../domain/project/project.js'
import type { AccountId } from '../../domain/identity/account.js'
import { enrol } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aProject, AWKWARD_TEXTS, NOW, pageLimitOf, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'
import type { Store } from '../../ports/store.js'
import { walkLaws, assertAscending } from '../walks.js'

const law = lawOf('projects')

export const projectLaws: readonly Law[] = [
  law('insert gives the project as it was stored')
    .protects('The reply shows what was saved.')
    .check(async (store) => {
      const { id: ann } = await enrol(store)
      const { id, ...project } = await store.projects.insert(aProject('House'), ann, NOW)
      assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
      assert.deepEqual(project, { ...aProject('House'), createdBy: ann, createdAt: NOW })
    }),
  law('ids increase')
    .protects('A later project never stands before an earlier one.')
    .check(async (store) => {
      const { id: ann } = await enrol(store)
      const ids: number[] = []
      for (const label of ['One', 'Two', 'Three'])
        ids.push((await store.projects.insert(aProject(label), ann, NOW)).id)
      assertAscending(ids)
    }),
  law('16 projects made at once have 16 ids')
    .protects('An id names one project.')
    .check(async (store) => {
      const { id: ann } = await enrol(store)
      const projects = await race((caller) => store.projects.insert(aProject(`House ${caller}`), ann, NOW))
      assert.equal(new Set(projects.map((project) => project.id)).size, 16)
    }),
  law('a project of a removed account can still be stored')
    .protects('A request in flight is not broken by a removal.')
    .check(async (store) => {
      const { id: ann } = await enrol(store)
      await store.accounts.remove(ann)
      assert.equal((await store.projects.insert(aProject('House'), ann, NOW)).createdBy, ann)
    }),
  law('texts and budgets are kept exactly')
    .protects('No text is changed or taken for a command, no sum is rounded.')
    .check(async (store) => {
      for (const text of AWKWARD_TEXTS) {
        const project = await store.projects.insert(aProject(text), 1 as AccountId, NOW)
        assert.equal(project.label, text)
      }
      for (const sum of [0, 0.1 + 0.2, 1e15 + 0.5, Number.MAX_VALUE, Number.MIN_VALUE]) {
        const draft = { ...aProject('House'), budget: sum as Budget }
        assert.equal((await store.projects.insert(draft, 1 as AccountId, NOW)).budget, sum)
      }
    }),
  law('changing what was passed in changes nothing that was handed out')
    .protects('The reply shows what was saved.')
    .check(async (store) => {
      const { id: ann } = await enrol(store)
      const draft = aProject('House')
      const project = await store.projects.insert(draft, ann, NOW)
      tamperWith(draft)
      assert.deepEqual(project, { ...aProject('House'), id: project.id, createdBy: ann, createdAt: NOW })
    }),
  law('a project is found as it was inserted, by the account that made it alone')
    .protects('What was created can be read, and only by its account.')
    .check(async (store) => {
      const [own, other] = [await insert(store, ANN), await insert(store, BOB)]
      assert.deepEqual(await store.projects.find(own.id, ANN), own)
      assert.deepEqual(await store.projects.find(other.id, BOB), other)
      for (const id of [other.id, NO_PROJECT]) assert.equal(await store.projects.find(id, ANN), undefined)
    }),
  law('pages hold the projects of one account, ascending, with next where more follow')
    .protects('A list shows what is one’s own, whole and nothing else.')
    .check(async (store) => {
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
    }),
  ...walkLaws('projects', 'project', (store) => ({
    insert: async (name) => (await insert(store, ANN, name)).id,
    page: async (after, limit) => {
      const { projects, next } = await page(store, after as ProjectId | undefined, limit)
      return { ids: projects.map(({ id }) => id), next }
    },
  })),
  law('a closed project has the moment of its first closing, in every read')
    .protects('Closing twice is harmless, and tells the truth.')
    .check(async (store) => {
      const [own, open] = [await insert(store, ANN), await insert(store, ANN)]
      const closed = { ...own, closedAt: NOW + SECOND }
      assert.deepEqual(await store.projects.close(own.id, ANN, NOW + SECOND), closed)
      assert.deepEqual(await store.projects.close(own.id, ANN, NOW + 2 * SECOND), closed)
      assert.deepEqual(await store.projects.find(own.id, ANN), closed)
      assert.deepEqual(await page(store, undefined, 10), { projects: [closed, open] })
    }),
  law('the project of another account is not closed, nor one that is not there')
    .protects('No account ends the work of another.')
    .check(async (store) => {
      const other = await insert(store, BOB)
      for (const id of [other.id, NO_PROJECT])
        assert.equal(await store.projects.close(id, ANN, NOW), undefined)
      assert.deepEqual(await store.projects.find(other.id, BOB), other)
    }),
  law('of 16 closings at once one sets the moment, and all are told it')
    .protects('What was answered is what is kept.')
    .inRounds(async (store) => {
      const { id } = await insert(store, ANN)
      const answers = await race((caller) => store.projects.close(id, ANN, NOW + caller))
      const kept = await store.projects.find(id, ANN)
      assert.notEqual(kept?.closedAt, undefined)
      for (const answer of answers) assert.deepEqual(answer, kept)
    }),
  law('projects outlive their account, and their ids are never given again')
    .protects('Removing an account loses no work.')
    .check(async (store) => {
      const project = await insert(store, ANN)
      await store.accounts.remove(ANN)
      assert.deepEqual(await store.projects.find(project.id, ANN), project)
      assert.ok((await insert(store, BOB)).id > project.id)
    }),
  law('changing a project that was handed out changes nothing in the store')
    .protects('A caller that reuses an object does not write by accident.')
    .check(async (store) => {
      const { id, ...project } = await insert(store, ANN)
      tamperWith(await store.projects.find(id, ANN))
      tamperWith(await page(store, undefined, 10))
      const kept = { id, ...project }
      assert.deepEqual(await page(store, undefined, 10), { projects: [kept] })
      tamperWith(await store.projects.close(id, ANN, NOW))
      assert.deepEqual(await store.projects.find(id, ANN), { ...kept, closedAt: NOW })
    }),
]

const ANN = 1 as AccountId
const BOB = 2 as AccountId
const NO_PROJECT = 4_000_000_001 as ProjectId
async function insert(store: Store, createdBy: AccountId, label = 'House'): Promise<Project> {
  return await store.projects.insert(aProject(label), createdBy, NOW)
}

async function page(store: Store, after: ProjectId | undefined, limit: number) {
  return await store.projects.page(ANN, after, pageLimitOf(limit))
}
