import { createKennelClient } from 'kennel-id/client'

/**
 * A client whose login all tabs of this page share. The browser keeps one cookie for them, so they have to hold one
 * pair of tokens: whichever tab gets a new one tells the others, and a new tab asks for it. `onAdopted` is called
 * when another tab has told of a login, `onLoggedOut` when the login has ended elsewhere.
 */
export function createSharedLogin(baseUrl, { onAdopted, onLoggedOut }) {
  const channel = new BroadcastChannel('kennel-login')
  const tell = (tokens) => channel.postMessage({ tokens })
  const client = createKennelClient({ baseUrl, onTokens: tell, onLoggedOut })
  channel.onmessage = ({ data }) => {
    if (!data.asked) {
      client.adopt(data.tokens)
      if (data.tokens) onAdopted()
    } else if (client.tokens()) tell(client.tokens())
  }
  channel.postMessage({ asked: true })
  return client
}
