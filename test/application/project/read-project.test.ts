import { expect } from 'chai'
import { createAuthorize } from '../../../src/application/access/authorize.js'
import { readProject } from '../../../src/application/project/read-project.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import { refusalOf } from '../../support/refusal-of.js'
import { addProject, withEditors } from './editors.js'

describe('read project', () => {
  it('gives what the caller has created, and tells nothing of what others have', async () => {
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

  it('does not ask the store for what is no id', async () => {
    const { kennel, ann } = await withEditors()
    const find = () => Promise.reject(new Error('the store was asked'))
    const authorize = createAuthorize(kennel.permissions)
    const read = readProject.factory({ authorize, projects: { ...kennel.store.projects, find } })
    expect((await refusalOf(read({ caller: ann, id: undefined }))).code).to.equal('not-found')
  })

  it('is refused without the permission, before it is said whether there is one', async () => {
    const { kennel, eve } = await withEditors()
    for (const id of [1 as ProjectId, undefined]) {
      const refusal = await refusalOf(kennel.useCases.readProject({ caller: eve, id }))
      expect(refusal.code).to.equal('forbidden')
    }
  })
})
