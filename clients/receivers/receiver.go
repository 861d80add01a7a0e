// Receives webhooks of gyoji: GYOJI_WEBHOOK_SECRET=whsec_… go run receiver.go 8001. The standard library, nothing else.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	patience = 300         // Seconds that the time of a message may be off.
	longest  = 1024 * 1024 // Bytes of a body.
	most     = 100_000     // Ids that are remembered.
)

// message is what every message has. What else its data hold is in openapi.yaml, under webhooks.
type message struct {
	Type string `json:"type"`
	Data struct {
		Match *string `json:"match"`
		Seq   *int64  `json:"seq"`
	} `json:"data"`
}

// remembered holds the ids of what was taken: a message that is sent again has the same. Keep them in a database, if it matters.
type remembered struct {
	turn  sync.Mutex
	ids   map[string]bool
	order []string
}

// isNew remembers the id of a message, and tells whether it was not seen before.
func (seen *remembered) isNew(id string) bool {
	seen.turn.Lock()
	defer seen.turn.Unlock()
	if seen.ids[id] {
		return false
	}
	seen.ids[id] = true
	seen.order = append(seen.order, id)
	if len(seen.order) > most {
		delete(seen.ids, seen.order[0])
		seen.order = seen.order[1:]
	}
	return true
}

// isGenuine tells whether one of the signatures is that of the message, and its time is now.
func isGenuine(secret []byte, id, when, signatures string, body []byte) bool {
	seconds, err := strconv.ParseUint(when, 10, 40)
	if err != nil || time.Since(time.Unix(int64(seconds), 0)).Abs() > patience*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.", id, when)
	mac.Write(body)
	right := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, each := range strings.Fields(signatures) {
		if hmac.Equal([]byte(each), right) {
			return true
		}
	}
	return false
}

// take does something about a message; here it is printed.
func take(told message) {
	match, seq := "", ""
	if told.Data.Match != nil {
		match = *told.Data.Match
	}
	if told.Data.Seq != nil {
		seq = strconv.FormatInt(*told.Data.Seq, 10)
	}
	fmt.Println(told.Type, match, seq)
}

func main() {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("GYOJI_WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(secret) == 0 {
		log.Fatal("GYOJI_WEBHOOK_SECRET is no secret of a webhook")
	}
	seen := &remembered{ids: map[string]bool{}}
	receive := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longest))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		id, when := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
		var told message
		if r.Method != http.MethodPost || !isGenuine(secret, id, when, r.Header.Get("webhook-signature"), body) ||
			json.Unmarshal(body, &told) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		if seen.isNew(id) {
			go take(told)
		}
	}
	server := &http.Server{Addr: "127.0.0.1:" + os.Args[1], Handler: http.HandlerFunc(receive), ReadTimeout: 20 * time.Second}
	log.Fatal(server.ListenAndServe())
}
