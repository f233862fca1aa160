package main

import (
	"encoding/json"
	"reflect"
)

// A history is a line of the input: the settings, and the operations as their clients saw them.
type history struct {
	Settings   settings    `json:"settings"`
	Accounts   []newcomer  `json:"accounts"`
	Operations []operation `json:"operations"`
}

// Times are in milliseconds.
type settings struct {
	AccessToken  int64 `json:"accessToken"`
	RefreshToken int64 `json:"refreshToken"`
	Session      int64 `json:"session"`
	Grace        int64 `json:"grace"`
	ResetToken   int64 `json:"resetToken"`
	// 0 is no limit.
	SessionLimit int `json:"sessionLimit"`
	// The reset tokens that clients present. No state needs the end of another token.
	presented map[string]bool
}

type newcomer struct {
	ID       int      `json:"id"`
	Password string   `json:"password"`
	Roles    []string `json:"roles"`
}

// An operation names everything that it makes after itself: the session and the pair of tokens of login 7 are "7".
type operation struct {
	ID     string  `json:"id"`
	Rule   string  `json:"rule"`
	Input  input   `json:"input"`
	Reply  reply   `json:"reply"`
	Call   int64   `json:"call"`
	Return *int64  `json:"return"`
	Times  []int64 `json:"times"`
}

type reply struct {
	Kind   string          `json:"kind"`
	Code   string          `json:"code"`
	Answer json.RawMessage `json:"answer"`
}

// The inputs of all operations.
type input struct {
	Account     int     `json:"account"`
	Password    string  `json:"password"`
	NewPassword string  `json:"newPassword"`
	Disabled    bool    `json:"disabled"`
	Role        string  `json:"role"`
	Remove      bool    `json:"remove"`
	Token       string  `json:"token"`
	Key         *string `json:"key"`
	Access      *token  `json:"access"`
	Refresh     *token  `json:"refresh"`
	Client      client  `json:"client"`
	Name        string  `json:"name"`
	Pet         int     `json:"pet"`
	Expected    *int    `json:"expected"`
	Session     string  `json:"session"`
	Age         int     `json:"age"`
}

type client struct {
	APIKey   *string `json:"apiKey"`
	Account  int     `json:"account"`
	Password string  `json:"password"`
}

// Times of a token are in seconds.
type token struct {
	Session string `json:"session"`
	Pair    string `json:"pair"`
	Account int    `json:"account"`
	Issued  int64  `json:"issued"`
	Expires int64  `json:"expires"`
}

// The part of an answer that shows the caller.
type identity struct {
	Account int    `json:"account"`
	Session string `json:"session"`
	Roles   string `json:"roles"`
	Actor   int    `json:"actor"`
}

type issued struct {
	identity
	Key     string `json:"key"`
	Access  token  `json:"access"`
	Refresh token  `json:"refresh"`
	EndsAt  int64  `json:"endsAt"`
}

type shownPet struct {
	Name     string `json:"name"`
	Revision int    `json:"revision"`
	Age      *int   `json:"age,omitempty"`
}

// allows reports whether an operation that ends so may have got this reply. Every end is possible without a reply.
func (got reply) allows(end *ending) bool {
	switch {
	case got.Kind == "lost":
		return true
	case end.code != "" && got.Kind == "refused":
		return got.Code == end.code
	case end.code != "" && !end.orDone:
		return false
	default:
		return got.Kind == "done" && (end.answer == nil || isSame(got.Answer, end.answer))
	}
}

func isSame(got json.RawMessage, wanted any) bool {
	var one, other any
	text, err := json.Marshal(wanted)
	return err == nil && json.Unmarshal(got, &one) == nil && json.Unmarshal(text, &other) == nil &&
		reflect.DeepEqual(one, other)
}
