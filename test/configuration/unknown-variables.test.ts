import { expect } from 'chai'
import { misspelt } from '../../src/configuration/unknown-variables.js'
import { VARIABLES } from '../../src/configuration/settings.js'

describe('a misspelt name', () => {
  it('is told with the name that was meant', () => {
    const names = ['PASWORD_MIN_LENGTH', 'PROT', 'SECURITY_JWT_PASSPHRASE_FIL', 'PUBLIC_URL', 'EDITOR']
    expect(misspelt(names, VARIABLES)).to.deep.equal([
      'PASWORD_MIN_LENGTH is unknown; did you mean PASSWORD_MIN_LENGTH?',
      'PROT is unknown; did you mean PORT?',
      'SECURITY_JWT_PASSPHRASE_FIL is unknown; did you mean SECURITY_JWT_PASSPHRASE_FILE?',
    ])
  })

  it('is none of the names that a shell, npm or a container sets', () => {
    const usual = `HOME HOSTNAME HOSTTYPE LANG LANGUAGE LOGNAME MAIL NODE NODE_OPTIONS NODE_PATH OLDPWD PATH
      PWD SHELL SHLVL TERM TMPDIR TZ USER COLORTERM EDITOR PAGER DEBUG CI INIT_CWD UV_THREADPOOL_SIZE
      NODE_VERSION YARN_VERSION KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT`
    expect(misspelt(usual.split(/\s+/), VARIABLES)).to.deep.equal([])
  })

  it('is not looked for among the known names themselves', () => {
    expect(misspelt(VARIABLES, VARIABLES)).to.deep.equal([])
  })
})
