package main

import "fmt"

// authenticate: an API key, or email and password.
func authenticate(m *moment) *ending {
	if key := m.in.Client.APIKey; key != nil {
		m.client = "key " + *key
		if !m.apiKeys[*key] {
			return refused("invalid-credentials")
		}
		return nil
	}
	owner, exists := m.accounts[m.in.Client.Account]
	if !exists || owner.disabled || owner.password != m.in.Client.Password {
		return refused("invalid-credentials")
	}
	m.client = fmt.Sprint("account ", m.in.Client.Account)
	return nil
}

const day = 24 * 60 * 60 * 1000

// createPet makes one pet for each idempotency key of a credential within 24 hours.
func createPet(m *moment) *ending {
	if m.in.Key == nil {
		return done(m.newPet())
	}
	name := m.client + " " + *m.in.Key
	if spent, exists := m.spent[name]; exists && m.now < spent.until {
		if spent.name != m.in.Name {
			return refused("idempotency-key-reused")
		}
		return done(spent.pet)
	}
	id := m.newPet()
	m.spent[name] = spentKey{m.in.Name, id, m.now + day}
	return done(id)
}

func (m *moment) newPet() int {
	m.lastPet++
	m.pets[m.lastPet] = pet{m.in.Name, 1, -1}
	return m.lastPet
}

// onPet compares the revision, if one is expected.
func onPet(act func(m *moment, one pet) *ending) []step {
	return []step{authenticate, func(m *moment) *ending {
		one, exists := m.pets[m.in.Pet]
		if !exists {
			return refused("not-found")
		}
		if m.in.Expected != nil && *m.in.Expected != one.revision {
			return refused("stale")
		}
		return act(m, one)
	}}
}

func readPet(_ *moment, one pet) *ending {
	shown := shownPet{one.name, one.revision, nil}
	if one.age >= 0 {
		shown.Age = &one.age
	}
	return done(shown)
}

func patchPet(m *moment, one pet) *ending {
	one.revision, one.age = one.revision+1, m.in.Age
	m.pets[m.in.Pet] = one
	return readPet(m, one)
}

func removePet(m *moment, _ pet) *ending {
	delete(m.pets, m.in.Pet)
	return done(nil)
}

func createAPIKey(m *moment) *ending {
	m.apiKeys[m.id] = true
	return done(m.id)
}

func revokeAPIKey(m *moment) *ending {
	delete(m.apiKeys, *m.in.Key)
	return done(nil)
}
