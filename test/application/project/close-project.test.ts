import { expect } from 'chai'
import { refusalOf } from '../../support/refusal-of.js'
import { START } from '../../support/use-cases.js'
import { addProject, withEditors } from './editors.js'

describe('close project', () => {
  it('sets the moment of the clock, once', async () => {
    const { kennel, ann } = await withEditors()
    const project = await addProject(kennel, ann)
    const { closeProject } = kennel.useCases
    const closed = { ...project, closedAt: START }
    expect(await closeProject({ caller: ann, id: project.id })).to.deep.equal(closed)
    kennel.clock.now += 1000
    expect(await closeProject({ caller: ann, id: project.id })).to.deep.equal(closed)
  })

  it('closes no project of another account, and answers as for a missing project', async () => {
    const { kennel, ann, bob } = await withEditors()
    const project = await addProject(kennel, ann)
    for (const id of [project.id, 99]) {
      const refusal = await refusalOf(kennel.useCases.closeProject({ caller: bob, id }))
      expect([refusal.code, refusal.messages[0]?.message]).to.deep.equal([
        'not-found',
        'There is no project with this id.',
      ])
    }
    expect(await kennel.store.projects.find(project.id, ann.accountId)).to.deep.equal(project)
  })

  it('names an ID that is missing or invalid', async () => {
    const { kennel, ann } = await withEditors()
    const told = async (id: unknown) => {
      const { code, messages } = await refusalOf(kennel.useCases.closeProject({ caller: ann, id }))
      return [code, ...messages.map(({ field, type, message }) => `${field} ${type} ${message}`)]
    }
    for (const id of [undefined, null, ''])
      expect(await told(id)).to.deep.equal(['invalid', 'id Required required'])
    for (const id of ['1', 0, 1.5, 2 ** 53, {}])
      expect(await told(id)).to.deep.equal(['invalid', 'id NotValid not-valid'])
  })
})
