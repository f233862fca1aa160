import { CookieMissing, sentenceFor } from './failures.js'
import { createSharedLogin } from './shared-login.js'

const service = document.querySelector('meta[name="kennel-url"]').content
const part = (id) => document.getElementById(id)
const client = createSharedLogin(service, {
  onAdopted: () => attempt(follow),
  onLoggedOut: () => hide('You are logged out: in another tab, or because the login has ended.'),
})

part('login').addEventListener('submit', (event) => {
  event.preventDefault()
  const { email, password } = event.target.elements
  void act(async () => {
    await client.login(email.value, password.value)
    event.target.reset()
    show(await firstIdentity(), 'Logged in.')
  })
})

part('who').addEventListener('click', () =>
  act(async () => show(await client.getIdentity(), 'The service knows you.')),
)

part('refresh').addEventListener('click', () =>
  act(async () => show(await client.refresh(), 'The tokens and the cookie are new.')),
)

part('logout').addEventListener('click', () =>
  act(async () => {
    await client.logout()
    hide('Logged out.')
  }),
)

part('project').addEventListener('submit', (event) => {
  event.preventDefault()
  const { label, budget } = event.target.elements
  void act(async () => {
    const project = await client.createProject({
      label: label.value,
      status: 'open',
      budget: budget.valueAsNumber,
    })
    event.target.reset()
    say(`Project ${project.id} is created: ${project.label}.`)
  })
})

/** The first call with the new cookie: where it is refused, the cookie did not come along. */
async function firstIdentity() {
  try {
    return await client.getIdentity()
  } catch (error) {
    throw error.status === 401 ? new CookieMissing() : error
  }
}

/** Another tab holds new tokens: mostly of the same login, which is nothing to tell. */
async function follow() {
  const identity = await client.getIdentity()
  const known = !part('account').hidden && part('email').textContent === identity.user.email
  if (!known) show(identity, 'Logged in, as another tab told.')
}

/** One step of the visitor's. */
function act(step) {
  say('…')
  return attempt(step)
}

/** What goes wrong is told in words. */
async function attempt(step) {
  try {
    await step()
  } catch (error) {
    say(await sentenceFor(error, service))
  }
}

function show({ user, roleList }, sentence) {
  part('email').textContent = user.email
  part('roles').textContent = Object.values(roleList)
    .map(({ label }) => label)
    .join(', ')
  turn(true)
  say(sentence)
}

function hide(sentence) {
  turn(false)
  say(sentence)
}

function turn(loggedIn) {
  part('account').hidden = !loggedIn
  part('login').hidden = loggedIn
}

function say(sentence) {
  part('notice').textContent = sentence
}
