/** The store of the service: its own, or one with a planted bug around it. */
export function plantedEnv(url: string, planted: string | undefined): Readonly<Record<string, string>> {
  if (planted === undefined) return { DATABASE_URL: url }
  const module = new URL('planted-store-main.js', import.meta.url).pathname
  return { STORE_MODULE: module, PLANTED_BUG: planted, PLANTED_URL: url }
}
