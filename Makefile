# Commands for people who work on a2a-conform; `make help` lists them.
# They need Go, make, bash and, for the race detector, a C compiler.

SHELL       := bash
BINARY      := a2a-conform
OUT         := dist
TOOLS       := $(CURDIR)/.tools
LINT_MODULE := github.com/golangci/golangci-lint/v2/cmd/golangci-lint
LINT_VERSION := v2.15.0
LINT        := $(TOOLS)/golangci-lint-$(LINT_VERSION)
FUZZTIME    ?= 10s

# The packages whose statements must be covered, and how far. They are the ones
# whose mistakes would make a verdict wrong without anyone noticing.
COVERED     := client suites scenarios internal/script internal/wire
COVERAGE    := 90
COVERPKG    := $(shell printf './%s,' $(COVERED) | sed 's/,$$//')

# Modules of their own below testdata, such as a client that uses this one from outside.
NESTED       = $(shell find . -name go.mod -path '*/testdata/*' -not -path './.*' -exec dirname {} ';' | sort)
BENCHMARKED  = $(shell grep -rl --include='*_test.go' '^func Benchmark' . | xargs -r -n 1 dirname | sort -u)

.DEFAULT_GOAL := help
.PHONY: help build test unit peers cover bench fuzz mutation lint fmt cross selfcheck clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build the static binary ./a2a-conform
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o $(BINARY) ./cmd/a2a-conform

test: lint unit selfcheck ## Everything a change must pass: vet, lint, tests with the race detector, coverage, the binary's own checks

unit: ## Vet, run the tests with the race detector in random order, hold the coverage
	go vet ./...
	@mkdir -p $(OUT)
	go test -race -shuffle=on -coverprofile=$(OUT)/coverage.out -coverpkg=$(COVERPKG) ./...
	@set -e; for dir in $(NESTED); do \
		echo "module $$dir"; (cd "$$dir" && go vet ./... && go test -race -shuffle=on ./...); \
	done
	scripts/coverage $(OUT)/coverage.out $(COVERAGE) $(COVERED)

selfcheck: build ## Let the built binary judge the reference client, show its demo and prove its rules
	./$(BINARY) run
	./$(BINARY) demo
	set -o pipefail; ./$(BINARY) selftest --no-commands | tail -n 7

peers: build ## Judge the real Main Sequence SDK and command, and the TypeScript example (needs Python 3.13 and Node.js 20)
	scripts/peers $(CURDIR)/$(BINARY) $(TOOLS)/peers

cover: unit ## Write the coverage as a page, dist/coverage.html
	go tool cover -html=$(OUT)/coverage.out -o $(OUT)/coverage.html

bench: ## Run the benchmarks; they report scenarios and checks per second
	@test -n "$(BENCHMARKED)" || { echo "there is no benchmark in this tree" >&2; exit 1; }
	go test -run '^$$' -bench . -benchmem $(BENCHMARKED)

fuzz: ## Run each fuzz target for FUZZTIME (10s)
	scripts/fuzz $(FUZZTIME)

mutation: ## Tell which mistakes in the rules' own code no test notices (docs/mutation.md; some minutes)
	go run ./internal/mutation

lint: $(LINT) ## Run golangci-lint at the pinned version (built on first use, a few minutes)
	$(LINT) run ./...

fmt: $(LINT) ## Format the Go files
	$(LINT) fmt ./...

cross: ## Compile for the other systems that are supported
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go build -o /dev/null ./cmd/a2a-conform
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -o /dev/null ./cmd/a2a-conform

clean: ## Remove what these targets have built
	rm -rf $(BINARY) $(OUT) $(TOOLS)

# The version is part of the name, so that a new pin builds anew.
$(LINT):
	GOBIN=$(TOOLS) go install $(LINT_MODULE)@$(LINT_VERSION)
	mv $(TOOLS)/golangci-lint $@
