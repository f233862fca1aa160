import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import { permissionsOf } from '../support/http/settings.js'

describe('the permissions in the API description', () => {
  it('show that no role permits login if `everyone` lacks user: find, or if only roles other than `everyone` permit login', () => {
    const { everyone, ...others } = DEFAULT_PERMISSIONS.roles
    const { auth } = everyone.components
    const withoutFind = { roles: { ...others, everyone: { components: { auth } } } }
    const forUsers = {
      roles: { user: { components: { auth: ['login', 'reset-password'], user: ['find'] } } },
    }
    expect(permissionsOf(withoutFind)['auth:login']).to.equal('nobody')
    expect(permissionsOf(forUsers)).to.include({ 'auth:login': 'nobody', 'auth:reset-password': 'nobody' })
  })
})
