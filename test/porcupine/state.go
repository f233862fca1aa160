package main

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
)

type account struct {
	password string
	// The operation that has set the password.
	hash     string
	disabled bool
	// Moves when all logins of the account end.
	epoch  int
	roles  []string
	resets []reset
}

type reset struct {
	token string
	until int64
	epoch int
}

type session struct {
	account, epoch  int
	created, endsAt int64
	// The first key was made by this operation.
	root       string
	generation int
	pair       string
	// When the pair was issued, and when its refresh token ends.
	at, idleEnd int64
	previous    string
	// The end of the grace window.
	until int64
}

type pet struct {
	name     string
	revision int
	// -1 is no age.
	age int
}

type spentKey struct {
	name  string
	pet   int
	until int64
}

// The progress of an operation between two of its steps: what it has read.
type progress struct {
	step           int
	isOver         bool
	account, epoch int
	session, roles string
	endsAt         int64
	hash, client   string
	isRight        bool
}

// The text has everything, so equal states have equal texts.
type state struct {
	accounts map[int]account
	sessions map[string]session
	pets     map[int]pet
	lastPet  int
	spent    map[string]spentKey
	apiKeys  map[string]bool
	begun    map[string]progress
	text     string
}

func beginning(accounts []newcomer) *state {
	s := &state{accounts: map[int]account{}}
	for _, one := range accounts {
		s.accounts[one.ID] = account{password: one.Password, epoch: 1, roles: one.Roles}
	}
	s = s.copy()
	return s.sealed()
}

func (s *state) copy() *state {
	return &state{
		cloned(s.accounts), cloned(s.sessions), cloned(s.pets), s.lastPet,
		cloned(s.spent), cloned(s.apiKeys), cloned(s.begun), "",
	}
}

func cloned[K comparable, V any](one map[K]V) map[K]V {
	if one == nil {
		return map[K]V{}
	}
	return maps.Clone(one)
}

func (s *state) sealed() *state {
	s.text = fmt.Sprint(s.accounts, s.sessions, s.pets, s.lastPet, s.spent, s.apiKeys, s.begun)
	return s
}

var textSeed = maphash.MakeSeed()

func hashOf(s any) uint64          { return maphash.String(textSeed, s.(*state).text) }
func areEqual(one, other any) bool { return one.(*state).text == other.(*state).text }

func (s *state) change(id int, with func(*account)) {
	one := s.accounts[id]
	with(&one)
	s.accounts[id] = one
}

// endLogins is one point in time: sessions of earlier epochs are dead from now on.
func (s *state) endLogins(id int) { s.change(id, func(a *account) { a.epoch++ }) }

func (s *state) isActive(one session, now int64) bool {
	owner, exists := s.accounts[one.account]
	return exists && !owner.disabled && owner.epoch == one.epoch && now < one.endsAt && now < one.idleEnd
}

func (s *state) roles(id int) string { return strings.Join(s.accounts[id].roles, ",") }

func (one session) key() string { return fmt.Sprintf("%s:%d", one.root, one.generation) }

func (one session) previousKey() string {
	if one.generation == 1 {
		return ""
	}
	return fmt.Sprintf("%s:%d", one.root, one.generation-1)
}

// opens: the current key, and inside the grace window the previous key.
func (one session) opens(key *string, now int64) bool {
	return key != nil && (*key == one.key() || *key == one.previousKey() && now < one.until)
}

// openedBy returns the active session of a cookie, or "".
func (s *state) openedBy(key *string, now int64) string {
	for id, one := range s.sessions {
		if one.opens(key, now) && s.isActive(one, now) {
			return id
		}
	}
	return ""
}

// activeOf returns the names of the active sessions of an account, sorted.
func (s *state) activeOf(id int, now int64) []string {
	names := []string{}
	for name, one := range s.sessions {
		if one.account == id && s.isActive(one, now) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
