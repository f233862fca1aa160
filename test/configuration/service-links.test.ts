import { expect } from 'chai'
import { isServiceLink, serviceLinkSentence } from '../../src/configuration/service-links.js'

describe('a variable that Kubernetes sets for a Service', () => {
  it('has an address with a protocol and a port', () => {
    for (const value of [
      'tcp://10.0.0.1:9090',
      'udp://10.0.0.1:53',
      'sctp://10.0.0.1:7',
      'tcp://[fd00::1]:80',
    ])
      expect(isServiceLink(value), value).to.equal(true)
  })

  it('is no other value', () => {
    const others = [
      '9090',
      '',
      '10.0.0.1:9090',
      'http://10.0.0.1:80',
      'tcp://10.0.0.1',
      'tcp://10.0.0.1:80/x',
    ]
    for (const value of [undefined, ...others, 'mongodb://10.0.0.1:27017'])
      expect(isServiceLink(value), value).to.equal(false)
  })

  it('is explained with the way to turn it off, without its value', () => {
    expect(serviceLinkSentence('METRICS_PORT')).to.equal(
      'METRICS_PORT has the form tcp://host:port, which Kubernetes sets for a Service: set enableServiceLinks: false for the pod, or rename the Service',
    )
  })
})
