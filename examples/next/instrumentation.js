/** Next.js calls this function when the server starts, but not during the build. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { openKennel } = await import('kennel-id')
  globalThis.kennel = await openKennel({
    store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
    passphrase: process.env.SECURITY_JWT_PASSPHRASE,
    publicUrl: process.env.PUBLIC_URL,
    // NODE_ENV is `production` in every build, even on a developer's machine.
    production: process.env.PUBLIC_URL?.startsWith('https:') ?? true,
    loginLimit: '10/15m',
  })
}
