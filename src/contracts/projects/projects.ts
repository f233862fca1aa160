import assert from 'node:assert/strict'
import type { Budget } from '../../domain/project/project.js'
import type { AccountId } from '../../domain/identity/account.js'
import { enrol } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aProject, AWKWARD_TEXTS, NOW } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('projects')

export const projectLaws: readonly Law[] = [
  law('insert gives the project as it was stored', 'The reply shows what was saved.', async (store) => {
    const { id: ann } = await enrol(store)
    const { id, ...project } = await store.projects.insert(aProject('House'), ann, NOW)
    assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
    assert.deepEqual(project, { ...aProject('House'), createdBy: ann, createdAt: NOW })
  }),
  law('ids increase', 'A later project never stands before an earlier one.', async (store) => {
    const { id: ann } = await enrol(store)
    const ids: number[] = []
    for (const label of ['One', 'Two', 'Three']) {
      ids.push((await store.projects.insert(aProject(label), ann, NOW)).id)
    }
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((left, right) => left - right),
    )
  }),
  law('16 projects made at once have 16 ids', 'An id names one project.', async (store) => {
    const { id: ann } = await enrol(store)
    const projects = await race((caller) => store.projects.insert(aProject(`House ${caller}`), ann, NOW))
    assert.equal(new Set(projects.map((project) => project.id)).size, 16)
  }),
  law(
    'a project of a removed account can still be stored',
    'A request in flight is not broken by a removal.',
    async (store) => {
      const { id: ann } = await enrol(store)
      await store.accounts.remove(ann)
      assert.equal((await store.projects.insert(aProject('House'), ann, NOW)).createdBy, ann)
    },
  ),
  law(
    'texts and budgets are kept exactly',
    'No text is changed or taken for a command, no sum is rounded.',
    async (store) => {
      for (const text of AWKWARD_TEXTS) {
        const project = await store.projects.insert(aProject(text), 1 as AccountId, NOW)
        assert.equal(project.label, text)
      }
      for (const sum of [0, 0.1 + 0.2, 1e15 + 0.5, Number.MAX_VALUE, Number.MIN_VALUE]) {
        const draft = { ...aProject('House'), budget: sum as Budget }
        assert.equal((await store.projects.insert(draft, 1 as AccountId, NOW)).budget, sum)
      }
    },
  ),
  law(
    'changing what was passed in changes nothing that was handed out',
    'The reply shows what was saved.',
    async (store) => {
      const { id: ann } = await enrol(store)
      const draft = aProject('House')
      const project = await store.projects.insert(draft, ann, NOW)
      tamperWith(draft)
      assert.deepEqual(project, { ...aProject('House'), id: project.id, createdBy: ann, createdAt: NOW })
    },
  ),
]
