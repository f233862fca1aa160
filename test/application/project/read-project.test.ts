import { expect } from 'chai'
import type { ProjectId } from '../../../src/domain/project/project.js'
import { refusalOf } from '../../support/refusal-of.js'
import { addProject, withEditors } from './editors.js'

describe('read project', () => {
  it('gives a project to its creator only', async () => {
    const { kennel, ann, bob } = await withEditors()
    const project = await addProject(kennel, ann)
    const { readProject } = kennel.useCases
    expect(await readProject({ caller: ann, id: project.id })).to.deep.equal(project)
    const refusals = [
      await refusalOf(readProject({ caller: bob, id: project.id })),
      await refusalOf(readProject({ caller: bob, id: 99 as ProjectId })),
      await refusalOf(readProject({ caller: bob, id: undefined })),
    ]
    for (const { code, messages, detail } of refusals) {
      expect(code).to.equal('not-found')
      expect([messages, detail]).to.deep.equal([refusals[0]?.messages, refusals[0]?.detail])
    }
  })
})
