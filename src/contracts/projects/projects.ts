import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import type { Budget, Project, ProjectId } from '../../domain/project/project.js'
import type { Store } from '../../ports/store.js'
import { addAccount } from '../arrangements.js'
import { eachInOrder, numbersBelow, race, lawOf, type Law } from '../law.js'
import { aProject, AWKWARD_STRINGS, NOW, pageLimitOf, SECOND } from '../samples.js'
import { walkLaws } from '../walks.js'

const law = lawOf('projects')
const accountLaw = lawOf('projects', addAccount)

/** Contract tests for projects. */
export const projectLaws: readonly Law[] = [
  accountLaw('insert returns the project as it was stored')
    .protects('The reply shows the project as it was saved.')
    .check(async (store, { id: ann }) => {
      const { id, ...project } = await store.projects.insert(aProject('House'), ann, NOW)
      assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
      assert.deepEqual(project, { ...aProject('House'), createdBy: ann, createdAt: NOW })
    }),
  accountLaw('insert accepts a project of a removed account')
    .protects('A removal does not break a concurrent request.')
    .check(async (store, { id: ann }) => {
      await store.accounts.remove(ann)
      assert.equal((await store.projects.insert(aProject('House'), ann, NOW)).createdBy, ann)
    }),
  law('strings and budgets are stored unchanged')
    .protects('Text is stored unchanged and never executed as a command, and no amount is rounded.')
    .check(async (store) => {
      for (const text of AWKWARD_STRINGS) {
        const project = await store.projects.insert(aProject(text), 1 as AccountId, NOW)
        assert.equal(project.label, text)
      }
      for (const sum of [0, 0.1 + 0.2, 1e15 + 0.5, Number.MAX_VALUE, Number.MIN_VALUE]) {
        const draft = { ...aProject('House'), budget: sum as Budget }
        assert.equal((await store.projects.insert(draft, 1 as AccountId, NOW)).budget, sum)
      }
    }),
  law('a project is found exactly as inserted, and only by the account that created the project')
    .protects("A user can read only the user's own projects.")
    .check(async (store) => {
      const [own, other] = [await insert(store, ANN), await insert(store, BOB)]
      assert.deepEqual(await store.projects.find(own.id, ANN), own)
      assert.deepEqual(await store.projects.find(other.id, BOB), other)
      for (const id of [other.id, NO_PROJECT]) assert.equal(await store.projects.find(id, ANN), undefined)
    }),
  law('pages list the projects of one account in ascending order, with `next` if more projects follow')
    .protects('A list shows all projects of the user and no others.')
    .check(async (store) => {
      const own = await eachInOrder(numbersBelow(7), async (number) => {
        await insert(store, BOB, `Bob ${number}`)
        return await insert(store, ANN, `Ann ${number}`)
      })
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
  law('every read of a closed project returns the time at which the project was first closed')
    .protects('Closing a project again is harmless and keeps the original closing time.')
    .check(async (store) => {
      const [own, open] = [await insert(store, ANN), await insert(store, ANN)]
      assert.deepEqual(await store.projects.find(own.id, ANN), own)
      assert.deepEqual(await page(store, undefined, 10), { projects: [own, open] })
      const closed = { ...own, closedAt: NOW + SECOND }
      assert.deepEqual(await store.projects.close(own.id, ANN, NOW + SECOND), closed)
      assert.deepEqual(await store.projects.close(own.id, ANN, NOW + 2 * SECOND), closed)
      assert.deepEqual(await store.projects.find(own.id, ANN), closed)
      assert.deepEqual(await page(store, undefined, 10), { projects: [closed, open] })
    }),
  law('close changes nothing if the project is unknown or belongs to another account')
    .protects("No account can close another account's project.")
    .check(async (store) => {
      const other = await insert(store, BOB)
      for (const id of [other.id, NO_PROJECT])
        assert.equal(await store.projects.close(id, ANN, NOW), undefined)
      assert.deepEqual(await store.projects.find(other.id, BOB), other)
    }),
  law('16 concurrent calls that close two projects set one closing time per project and return that time')
    .protects('Every reply shows the stored closing time.')
    .inRounds(async (store) => {
      const ids = [(await insert(store, ANN)).id, (await insert(store, ANN)).id] as const
      const idOf = (caller: number) => ids[caller % 2 === 0 ? 0 : 1]
      const answers = await race((caller) => store.projects.close(idOf(caller), ANN, NOW + caller))
      for (const [caller, answer] of answers.entries()) {
        assert.notEqual(answer?.closedAt, undefined)
        assert.deepEqual(answer, await store.projects.find(idOf(caller), ANN))
      }
    }),
  law('projects remain after their account is removed, and project IDs are never reused')
    .protects('Removing an account does not delete its projects.')
    .check(async (store) => {
      const project = await insert(store, ANN)
      await store.accounts.remove(ANN)
      assert.deepEqual(await store.projects.find(project.id, ANN), project)
      assert.ok((await insert(store, BOB)).id > project.id)
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
