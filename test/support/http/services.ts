import { startService, type TestOptions, type TestService } from './service.js'

/**
 * Starts services for single tests and closes them after each one, also after a failed one; a
 * store that was passed in stays open. Call it in a `describe`.
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
