import { startService, type TestOptions, type TestService } from './service.js'

/**
 * Starts services for single tests and closes them after each test, even if the test fails; a store that was passed in stays open. Call
 * it in a `describe`.
 */
export function servicesOfTests(): (options?: TestOptions) => Promise<TestService> {
  const started: TestService[] = []
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close()
  })
  return async (options) => {
    const service = await startService(options)
    started.push(service)
    return service
  }
}

/** One service for all tests of a `describe`; its members are available as soon as a `before` hook or a test runs. */
export function sharedService(options?: TestOptions): TestService {
  const service = {} as TestService
  before(async () => Object.assign(service, await startService(options)))
  after(() => service.close())
  return service
}
