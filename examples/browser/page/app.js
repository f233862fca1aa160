import { createKennelClient } from 'kennel-id/client'
import { proveCookie, sentenceFor } from './failures.js'
const part = (id) => document.getElementById(id)
const say = (sentence) => part('notice').replaceChildren(sentence)
const baseUrl = document.querySelector('meta[name="kennel-url"]').content
const onLoggedOut = () => say('You are logged out: in another tab, or because the login has ended.')
const client = createKennelClient({ baseUrl, onLoggedOut })
const acts = {
  login: ({ email, password }) => client.login(email, password).then(() => proveCookie(client)),
  project: ({ label, budget }) => client.createProject({ label, status: 'open', budget: Number(budget) }),
  ...{ who: client.getIdentity, refresh: client.refresh, logout: client.logout },
}

client.subscribe(() => {
  const { user, roleList = {} } = client.identity() ?? {}
  part('account').hidden = !user
  part('login').hidden = Boolean(user)
  part('email').textContent = user?.email
  part('roles').textContent = Object.keys(roleList).join(', ')
})
document.addEventListener('submit', (event) => {
  event.preventDefault()
  say('…')
  const form = event.target
  acts[form.id](Object.fromEntries(new FormData(form)))
    .then(() => (form.reset(), form.dataset.done))
    .catch((error) => sentenceFor(error, baseUrl))
    .then(say)
})
