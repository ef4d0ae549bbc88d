import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { isOwn } from "../../../../../src/engine/cli/bench/golden/target.ts";
import { readDrafts } from "../../../../../src/engine/bench/golden/drafts.ts";
import { goldenJson, type GoldenJson } from "../../../../../src/engine/cli/bench/golden/golden-schema.ts";
import {
  fixtureFiles,
  scratchFolder,
  suiteFiles,
  writeFiles,
  writeSuite,
} from "../../../bench/support/disk-suite.ts";
import { childEnv } from "../../../support/child-env.ts";
import { Scratch } from "../../support/support.ts";

const posix = process.platform !== "win32";
const golden = path.join(".purser", "golden");

/** A home with a repository, commands run in one of its folders, and the suite shipped with purser. */
async function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const root = await scratchFolder(t);
  const home = path.join(root, "home");
  const repository = path.join(home, "code", "sum");
  const folder = path.join(repository, "src", "deep");
  mkdirSync(path.join(repository, ".git"), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const suite = await writeSuite(t);
  const env = { ...childEnv, CLAUDE_CONFIG_DIR: scratch.root };
  const host = { suite, env, home, now: () => Date.now() };
  const purser = (cwd: string, ...argv: string[]) => scratch.purser(argv, { ...host, cwd });
  const listed = async (cwd: string, ...argv: string[]): Promise<GoldenJson & { stderr: string }> => {
    const { stdout, stderr } = await purser(cwd, "golden", "list", "--json", ...argv);
    return { ...goldenJson.parse(JSON.parse(stdout)), stderr };
  };
  return { root, home, repository, folder, purser, listed };
}

/** Writes a finished suite into a workspace. */
async function writeOwn(workspace: string): Promise<void> {
  const files = Object.entries(suiteFiles).map(([name, text]) => [path.join(golden, name), text] as const);
  await writeFiles(workspace, {
    ...Object.fromEntries(files),
    [path.join(golden, "suite.json")]: '{ "schema": 1 }',
    [path.join(golden, "fixture.json")]: '{ "schema": 1, "files": {} }',
    [path.join(golden, "fixture", ".keep")]: fixtureFiles["README.md"],
  });
}

const draft = {
  [path.join(golden, "tasks/backend/01-tides.draft.md")]:
    '---\nid: backend-01-tides\ntitle: "Tides \\u202e \\e[31mred"\nwrong: []\n---\n',
  [path.join(golden, "checks/backend/01-tides.mjs")]: 'throw new Error("This check is not written yet");\n',
};

describe("which golden suite is meant", { concurrency: true }, () => {
  it("drafts are not tasks: they change no measurement, and are listed as drafts", async (t) => {
    const { repository, folder, purser, listed } = await place(t);
    const before = await listed(folder);
    await writeFiles(repository, draft);
    const after = await listed(folder);
    assert.deepEqual([after.suite, after.tasks, after.faults], [before.suite, before.tasks, []]);
    const said = /1 draft is not finished in .*golden: purser's own suite is used/u;
    assert.match(after.stderr, said);
    const [listedDraft] = after.drafts;
    assert.deepEqual(
      [listedDraft?.agent, listedDraft?.title, listedDraft?.remaining.length],
      ["backend", "Tides red", 4],
    );
    const shown = await purser(folder, "golden", "list");
    assert.match(
      shown.stdout,
      /Drafts, not used until finished\nTides red \(backend\): .*01-tides\.draft\.md\n- write its check\n/u,
    );
    for (const argv of [
      ["golden", "check"],
      ["bench", "--driver", "replay", "--plan"],
      ["compare", "model", "backend", "--model", "m", "--driver", "replay", "--runs", "1"],
      ["try-without", "CLAUDE.md", "--agent", "backend", "--driver", "replay", "--runs", "1"],
      ["shorten-prompt", "backend", "--driver", "replay"],
    ]) {
      await writeFiles(folder, { "CLAUDE.md": "# Notes\n" });
      const { stderr } = await purser(folder, ...argv);
      assert.match(stderr, said, argv.join(" "));
      assert.doesNotMatch(stderr, /There is no/u, argv.join(" "));
    }
    const asked = await purser(folder, "bench", "--suite", "workspace", "--driver", "replay");
    assert.match(asked.stderr, /There is no .*suite\.json/u, "who names it means it");
  });

  it("uses a workspace's own suite, and reports one without a finished task", async (t) => {
    const { repository, folder, purser, listed } = await place(t);
    await writeOwn(repository);
    assert.equal((await listed(folder)).suite, null, "its fixture is not as it was frozen");
    await writeFiles(repository, { ...draft, [path.join(golden, "fixture.json")]: frozen });
    const own = await listed(folder);
    assert.deepEqual([own.suite?.origin, own.tasks.length, own.drafts.length], ["workspace", 1, 1]);
    assert.equal(own.stderr, "");
    const other = path.join(path.dirname(repository), "other");
    await writeFiles(other, {
      ".git/HEAD": "",
      ...draft,
      [path.join(golden, "suite.json")]: '{ "schema": 1 }',
      [path.join(golden, "fixture.json")]: frozen,
      [path.join(golden, "fixture/.keep")]: fixtureFiles["README.md"],
      [path.join(golden, "agents/backend.md")]: suiteFiles["agents/backend.md"] ?? "",
    });
    const none = await purser(other, "bench", "--driver", "replay");
    assert.match(
      none.stderr,
      /has no finished task yet; purser golden list shows what is missing, and --suite built-in/u,
    );
  });

  it("searches nothing above the repository or the home, or above a folder outside both", async (t) => {
    const { root, home, repository, folder, listed } = await place(t);
    await writeOwn(path.dirname(repository));
    assert.equal((await listed(folder)).suite?.origin, "built-in", "above the repository");
    await writeOwn(root);
    const elsewhere = path.join(home, "notes");
    mkdirSync(elsewhere);
    assert.equal((await listed(elsewhere)).suite?.origin, "built-in", "above the home");
    const temporary = path.join(root, "tmp", "x");
    mkdirSync(temporary, { recursive: true });
    assert.equal((await listed(temporary)).suite?.origin, "built-in", "in neither");
    if (posix) {
      const linked = path.join(root, "linked");
      symlinkSync(home, linked);
      assert.equal((await listed(path.join(linked, "notes"))).suite?.origin, "built-in", "by another way");
    }
  });

  const cannot = process.getuid?.() !== 0 && "only root can give a folder to somebody else";
  it("another user's is not used, unless it is named", { skip: cannot }, async (t) => {
    const { repository, folder, listed } = await place(t);
    await writeOwn(repository);
    await writeFiles(repository, { [path.join(golden, "fixture.json")]: frozen });
    for (const part of [".purser", golden, path.join(golden, "suite.json")]) {
      chownSync(path.join(repository, part), 12_345, 12_345);
      const refused = await listed(folder);
      assert.equal(refused.suite?.origin, "built-in", part);
      assert.match(
        refused.stderr,
        /belongs to another user, so purser's own suite is used: .*--suite workspace/u,
      );
      assert.equal((await listed(folder, "--suite", "workspace")).suite?.origin, "workspace");
      chownSync(path.join(repository, part), 0, 0);
    }
    assert.equal((await listed(folder)).suite?.origin, "workspace");
  });

  it("the owner of a file", { skip: !posix }, () => {
    assert.equal(isOwn(import.meta.filename), true);
    assert.equal(isOwn(import.meta.filename, 4_000_000_000), false);
    assert.equal(isOwn(path.join(import.meta.dirname, "nothing"), 4_000_000_000), true);
  });

  it("reports a half-written draft, and continues after an unreadable one", async (t) => {
    const root = await scratchFolder(t);
    await writeFiles(root, {
      "tasks/backend/02-x.draft.md": "no front at all",
      "tasks/backend/03-y.draft.md": "---\nsolution: y.patch\nwrong: [a.patch]\ntitle: 7\n---\n",
      "checks/backend/03-y.mjs": "process.exit(1);\n",
      "tasks/backend/04-z.md": suiteFiles["tasks/backend/01-sum.md"] ?? "",
    });
    const drafts = await readDrafts(root);
    assert.ok(drafts.ok);
    assert.deepEqual(
      drafts.value.map(({ title, remaining }) => [title, remaining.length]),
      [
        ["02-x", 5],
        ["03-y", 1],
      ],
    );
    assert.deepEqual(await readDrafts(path.join(root, "nothing")), { ok: true, value: [] });
    if (!posix || process.getuid?.() === 0) return;
    chmodSync(path.join(root, "tasks"), 0o000);
    assert.equal((await readDrafts(root)).ok, false);
    chmodSync(path.join(root, "tasks"), 0o755);
  });
});

/** The manifest of a one-file fixture. */
const frozen = JSON.stringify({
  schema: 1,
  files: { ".keep": "c6cc0473ece45b7ff58c00baefe3203890841e59f0b4eafc1c421e83c2ba3e6e" },
});
