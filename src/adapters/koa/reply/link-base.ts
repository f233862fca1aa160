/** What the service's links begin with: the origin, and the path where another application has mounted it. */
export function linkBase(publicUrl: string, prefix: string): string {
  if (prefix !== '' && !/^(?:\/[\w.~-]+)+$/.test(prefix))
    throw new TypeError('The prefix of the service must be a path such as /kennel, without a / at its end.')
  return `${publicUrl}${prefix}`
}
