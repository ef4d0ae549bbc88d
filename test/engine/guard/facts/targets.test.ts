import { projectOf, testTable, type Tree } from "./support/project.ts";

const tree: Tree = {
  Makefile: `CC := gcc
FLAGS = a:b
URL ?= http://none
.PHONY: build test clean

build: main.o ## Build
\t$(CC) -o app main.o

test: build
\t./app

clean fmt:
\trm -f app

deploy-prod:
ifeq ($(CI),1)
release::
endif
`,
  "main.c": "",
  "docs/Makefile": "html:\n\ttrue\n",
  "other.mk": "all:\n\ttrue\n",
  "included/Makefile": "include ../none.mk\nall:\n",
  "patterns/Makefile": "%.html: %.md\n\ttrue\n",
  "made/Makefile": "$(TARGETS): all\n",
  "evaluated/Makefile": "$(foreach t,$(LIST),$(eval $(call rule,$(t))))\n",
  justfile: `set shell := ["bash", "-c"]
version := "1"
alias b := build
# Build it
build target='all':
    cargo build
@test *args:
    cargo test
[private]
deploy: build
`,
  "mods/justfile": "mod more\nbuild:\n",
  "Taskfile.yml": `version: "3"
vars:
  NAME: x
tasks:
  build:
    cmds:
      - go build
  "test:unit":
    cmds: [go test]
  lint: golint
`,
  "including/Taskfile.yml": 'version: "3"\nincludes:\n  docs: ./docs\ntasks:\n  build: go build\n',
  "empty/readme.md": "",
};

testTable("targets", (t) => projectOf(t, tree), {
  fires: [
    ["make biuld", "has no target `biuld`. The nearest that it has: `build`."],
    ["make tests", "`test`"],
    ["make -j8 claen", "`clean`"],
    ["make -j 4 claen", "`clean`"],
    ["make -s fmtt V=1", "`fmt`"],
    ["make build deploy", "`deploy-prod`"],
    ["make relase", "`release`"],
    ["make -C docs htm1", "`html`"],
    ["cd docs && make htlm", "`html`"],
    ["make -f other.mk al", "`all`"],
    ["make publish-everything", "It has: `build`, `test`"],
    ["just biuld", "has no recipe `biuld`. The nearest that it has: `build`."],
    ["just tset --nocapture", "`test`"],
    ["just deplyo", "`deploy`", "docs"],
    ["task biuld", "has no task `biuld`. The nearest that it has: `build`."],
    ["task unit:test", "`test:unit`"],
    ["task lnit", "`lint`"],
  ],
  silent: [
    "make",
    "make build test",
    "make clean fmt",
    "make release",
    "make main.o",
    "make main",
    "make Makefile",
    "make docs",
    "make CC=clang build",
    "make $TARGET",
    "make -f none.mk biuld",
    "make --unknown biuld",
    "make -C $DIR biuld",
    "make -n build",
    "make src/none.o",
    "touch biuld && make biuld",
    "ssh host make biuld",
    "just",
    "just build biuld",
    "just b",
    "just version=2 build",
    "just --list",
    "task",
    "task build test:unit",
    "task build -- biuld",
    "task --list",
    ["make biuld", "included"],
    ["make biuld", "patterns"],
    ["make biuld", "made"],
    ["make biuld", "evaluated"],
    ["make biuld", "empty"],
    ["just biuld", "mods"],
    ["task biuld", "including"],
  ],
});
