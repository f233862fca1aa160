import { expect } from 'chai'
import fc from 'fast-check'
import { isOneEditApart } from '../../src/domain/messages.js'
import { isServiceLink, misspellings } from '../../src/configuration/unknown-variables.js'
import { VARIABLES } from '../../src/configuration/settings.js'

describe('a misspelt name', () => {
  it('is not reported for variables that a shell, npm or a container sets', () => {
    const usual = `HOME HOSTNAME HOSTTYPE LANG LANGUAGE LOGNAME MAIL NODE NODE_OPTIONS NODE_PATH OLDPWD PATH
      PWD SHELL SHLVL TERM TMPDIR TZ USER COLORTERM EDITOR PAGER DEBUG CI INIT_CWD UV_THREADPOOL_SIZE
      NODE_VERSION YARN_VERSION KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT`
    expect(misspellings(usual.split(/\s+/), VARIABLES)).to.deep.equal([])
  })

  it('is reported with the suggestion that a comparison with every known name finds', () => {
    const unit = fc.constantFrom('A', 'B', '_')
    const short = fc.string({ unit, maxLength: 4 })
    fc.assert(
      fc.property(short, fc.array(short, { maxLength: 8 }), (name, known) => {
        const meant = known.includes(name) ? undefined : known.find((one) => isOneEditApart(name, one))
        expect(misspellings([name], known)).to.deep.equal(
          meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`],
        )
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('a variable that Kubernetes sets for a Service', () => {
  it('is recognized by an address with a protocol and a port', () => {
    const links = ['tcp://10.0.0.1:9090', 'udp://10.0.0.1:53', 'sctp://10.0.0.1:7', 'tcp://[fd00::1]:80']
    const others = [
      '9090',
      '',
      '10.0.0.1:9090',
      'http://10.0.0.1:80',
      'tcp://10.0.0.1',
      'tcp://10.0.0.1:80/x',
    ]
    const all = [undefined, ...others, 'mongodb://10.0.0.1:27017', ...links]
    expect(all.filter(isServiceLink)).to.deep.equal(links)
  })
})
