import assert from "node:assert/strict";
import test from "node:test";
import { lineReader } from "../../../../src/engine/continuity/story/read-line.ts";
import { WorkingFiles } from "../../../../src/engine/continuity/story/working-files.ts";
import type { PastAction } from "../../../../src/engine/continuity/story/past-action.ts";

const readLine = lineReader({ home: "/home/mira", temporary: "/tmp" });
const artefacts = (command: string) => readLine(command, "/argo", "posix").artefacts;

test("documents and data that a command line writes are known, sources apart", () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ["cat > notes.md <<'X'\nhello > not-this\nX", "/argo/notes.md"],
    ["echo one >> log/day.txt 2>/dev/null", "/argo/log/day.txt"],
    ["sort a.csv | tee b.csv >/dev/null", "/argo/b.csv"],
    ["cp a.csv data/", "/argo/data/a.csv"],
    ["git mv old.md new.md", "/argo/new.md"],
    ["mv one.md two.md docs", "/argo/docs/two.md", "/argo/docs/one.md"],
    ["cd docs && touch plan.md", "/argo/docs/plan.md"],
    ["sed -i 's/a/b/' list.txt", "/argo/list.txt"],
    ["sed -i -e 's/a/b/' list.txt", "/argo/list.txt"],
    ["echo x > src/tide.ts"],
    ["cat notes.md"],
    ["ls > /dev/null 2>&1"],
    ['echo x > "$FILE"'],
  ];
  for (const [command, ...files] of cases) assert.deepEqual(artefacts(command), files, command);
});

test("a document that a command wrote is a touched file that no check has to verify", () => {
  const files = new WorkingFiles();
  const line = readLine("cat > notes.md <<'X'\nhello\nX", "/argo", "posix");
  const action: PastAction = {
    id: "a",
    agentId: null,
    at: null,
    folder: "/argo",
    tool: "Bash",
    kind: "command",
    command: null,
    line,
    reads: [],
    writes: line.writes,
    key: "k",
    outcome: "succeeded",
    failure: null,
    change: null,
    todos: null,
    madeTask: null,
  };
  files.add(action, 1, "/argo");
  assert.deepEqual(files.unverified, []);
  assert.deepEqual(files.best(5), [{ path: "notes.md", turn: 1, reads: 0, edits: 1, outcome: "read" }]);
});
