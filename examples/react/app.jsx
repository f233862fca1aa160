import { useActionState } from 'react'
import { createRoot } from 'react-dom/client'
import { kennel, useIdentity } from './use-identity.js'

function Page() {
  const identity = useIdentity()
  const [failure, logIn] = useActionState(async (/** @type {string} */ _, /** @type {FormData} */ form) => {
    const login = kennel.login(String(form.get('email')), String(form.get('password')))
    return await login.then(() => '', String)
  }, '')
  if (identity?.user) return <button onClick={() => kennel.logout()}>Log {identity.user.email} out</button>
  return (
    <form action={logIn}>
      <input name="email" type="email" aria-label="Email" autoComplete="username" required />
      <input name="password" type="password" aria-label="Password" autoComplete="current-password" required />
      <button>Log in</button> <p role="status">{failure}</p>
    </form>
  )
}

// The stored login may have ended, which a request reveals.
if (kennel.identity()) kennel.getIdentity().catch(console.info)
createRoot(document.body).render(<Page />)
