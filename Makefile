# Go is all that is needed. `make help` lists the targets.

FUZZTIME ?= 10s
SOAK     ?= 5m
RUNS     ?= 200
SESSIONS ?= 10000

.PHONY: help demo test check lint install bench bench-peers fuzz soak sessions startup need-go

help:
	@echo 'make demo      a few events and what Pawl decides on them'
	@echo 'make test      vet, gofmt and every test under the race detector'
	@echo 'make check     the fast part: vet, gofmt and the rules of the house'
	@echo 'make install   build pawl and pawld into the Go bin directory'
	@echo 'make bench     all benchmarks'
	@echo 'make bench-peers  Pawl beside OPA, cedar-go, cel-go, casbin and expr (the first run builds them)'
	@echo 'make fuzz      each fuzz target for FUZZTIME ($(FUZZTIME))'
	@echo 'make soak      reloads under load, and hooks of all types against bad servers, each for SOAK ($(SOAK)), with the race detector'
	@echo 'make sessions  SESSIONS ($(SESSIONS)) sessions through one resident engine, and the memory that takes'
	@echo 'make startup   pawl hook, by itself and through pawld, against an empty Go program, RUNS ($(RUNS)) times each'

need-go:
	@command -v go >/dev/null || { echo 'go is not on PATH: install Go 1.26 or newer from https://go.dev/dl/' >&2; exit 1; }

demo: need-go
	@go run ./cmd/pawl demo

lint: need-go
	go vet ./... ./testdata/startup
	@bad=$$(gofmt -l .); [ -z "$$bad" ] || { echo 'not formatted, run gofmt -w:' >&2; echo "$$bad" >&2; exit 1; }

check: lint
	go test -count=1 .

# The race detector needs cgo, and cgo a C compiler.
test: lint
	@set -- $$(go env CC); \
	if [ "$$(go env CGO_ENABLED)" = 1 ] && command -v "$$1" >/dev/null; then \
		echo 'go test -race ./...'; go test -race -timeout 8m ./...; \
	else \
		echo '*** No C compiler: the tests run WITHOUT the race detector. ***'; \
		CGO_ENABLED=0 go test -timeout 8m ./...; \
	fi

install: need-go
	go install -trimpath -ldflags '-s -w' ./cmd/pawl ./cmd/pawld
	@dir=$$(go env GOBIN); [ -n "$$dir" ] || dir=$$(go env GOPATH | sed 's/[:;].*//')/bin; \
	echo "installed $$dir/pawl and $$dir/pawld"; \
	case ":$$PATH:" in *":$$dir:"*) ;; *) echo "$$dir is not on PATH; add it: export PATH=\"$$dir:\$$PATH\"" ;; esac

bench: need-go
	go test -run '^$$' -bench . -benchmem ./...

# The peers are a module of their own, so that nobody else downloads them; its
# go.mod follows ours.
bench-peers: need-go
	cd testdata/peers && go test -mod=mod -p 1 -count=1 . && go run -mod=mod -p 1 .

fuzz: need-go
	@for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

soak: need-go
	PAWL_SOAK=$(SOAK) go test -race -count=1 -timeout 0 -run Soak -v ./engine ./engine/standard

sessions: need-go
	go test -count=1 -run TestSessions -v ./cmd/internal/resident -sessions $(SESSIONS)

startup: need-go
	@go run ./testdata/startup -n $(RUNS)
