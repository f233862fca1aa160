import type { Kennel } from 'kennel-id'

declare global {
  /** Next.js bundles modules several times, but the copies share the global object. With custom components it is `Kennel<typeof components>`. */
  var kennel: Kennel
}
