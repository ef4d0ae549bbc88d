import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import { handoverJson } from "../../../../src/engine/cli/handover/print-handover.ts";
import { ServiceSandbox, serviceProgram } from "../../service/support/box.ts";
import { noShell } from "../../support/fake-claude.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { Scratch } from "../support/support.ts";

const session = "5a1c6f1e-0000-4000-8000-000000000001";

/** A session of Claude Code in a git repository, agents that write down how they were begun, and `purser` as a person runs it. */
function place(t: TestContext) {
  const [box, scratch] = [new ServiceSandbox(t, { PURSER_TEST_LEDGER: "1" }), new Scratch()];
  t.after(() => scratch.dispose());
  const project = path.join(box.folder, "argo");
  mkdirSync(project);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", project, "-c", "user.name=m", "-c", "user.email=m@x", ...args]);
  git("init", "-q", "-b", "login");
  writeFileSync(path.join(project, "login.ts"), "export {};\n");
  git("add", ".");
  git("commit", "-q", "-m", "Add the form");
  const rows = [
    { type: "user", message: { role: "user", content: "Mend the login form. Never change the API." } },
    {
      type: "assistant",
      requestId: "r1",
      message: {
        id: "m1",
        model: "claude-sonnet-4-5",
        content: [{ type: "text", text: "It is mended. Shall I write a test?" }],
        usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 120_000 },
      },
    },
  ];
  box.transcript(
    `${session}.jsonl`,
    rows
      .map((row, index) =>
        JSON.stringify({
          ...row,
          uuid: `u${index}`,
          sessionId: session,
          cwd: project,
          gitBranch: "login",
          timestamp: new Date(Date.now() - 60_000 + index * 1000).toISOString(),
        }),
      )
      .join("\n") + "\n",
  );
  const programs = path.join(box.folder, "programs");
  mkdirSync(programs);
  const begun = path.join(box.folder, "begun.json");
  const agent = (name: string) => {
    const file = path.join(programs, name);
    writeFileSync(
      file,
      `#!${process.execPath}\nrequire("node:fs").writeFileSync(${JSON.stringify(begun)}, JSON.stringify({ name: ${JSON.stringify(name)}, args: process.argv.slice(2), cwd: process.cwd(), inside: process.env.CLAUDE_CODE_SESSION_ID ?? null }));\nprocess.exit(3);\n`,
    );
    chmodSync(file, 0o755);
  };
  const host = {
    home: box.folder,
    cwd: project,
    now: () => Date.now(),
    version: () => "1.0.0",
    service: { program: serviceProgram, execPath: process.execPath, isElectron: false },
  };
  const env = { ...box.env, PATH: `${programs}:/usr/bin:/bin`, CLAUDE_CODE_SESSION_ID: session };
  const run = (argv: readonly string[]) => scratch.purser(["handover", ...argv], { ...host, env });
  /** A person at a terminal, who answers what is asked. */
  const at = ({ answer }: { readonly answer: string }, ...argv: string[]) => {
    const stdin = () => Object.assign(Readable.from([answer]), { isTTY: true });
    return scratch.purser(["handover", ...argv], { ...host, env, isTTY: true, stdin });
  };
  const purser = Object.assign((...argv: string[]) => run(argv), { at });
  return {
    box,
    project,
    git,
    agent,
    begun: (): unknown => JSON.parse(readFileSync(begun, "utf8")),
    programs,
    purser,
  };
}

describe("purser handover", { skip: noShell, concurrency: true }, () => {
  it("writes this folder's session as a document, prints it, reports it as JSON, and keeps a person's text", async (t) => {
    const { purser, box, project } = place(t);
    const made = await purser();
    assert.deepEqual([made.code, made.stderr], [0, ""]);
    const [file = "", said = ""] = made.stdout.split("\n");
    assert.match(
      said,
      /^Handover h[\da-f]{8} of session 5a1c6f1e\S+\. Next call 121k → about \d+ tokens \(estimated\)/u,
    );
    assert.equal(path.dirname(file), path.join(box.folder, ".purser", "handovers"));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const text = readFileSync(file, "utf8");
    assert.match(text, /## Goal\n\n- Mend the login form\. Never change the API\./u);
    assert.match(text, /- It asked last: It is mended\. Shall I write a test\?/u);
    assert.match(
      text,
      new RegExp(`- Folder: ${project}\n- Branch: login, last commit [\\da-f]{10} "Add the form"`, "u"),
    );
    assert.match(text, /## More from the record\n\n[^]*Never change the API/u);
    appendFileSync(file, "\nMind the tide.\n");
    assert.match(path.basename(file), /^\d{4}-\d\d-\d\d Mend the login form\.md$/u);
    const [, id = ""] = /^Handover (h[\da-f]{8})/u.exec(said) ?? [];
    const printed = await purser(id, "--print");
    assert.ok(printed.stdout.endsWith("\n"));
    assert.deepEqual([printed.stdout, printed.stderr], [`${text}\nMind the tide.\n`, `${file}\n`]);
    const json = handoverJson.parse(JSON.parse((await purser(id, "--json", "--to", "codex")).stdout));
    assert.partialDeepStrictEqual(json, {
      id,
      file,
      session,
      cli: "claude-code",
      branch: "login",
      state: "made",
      to: "codex",
    });
    assert.equal(handoverJson.parse(JSON.parse((await purser(file, "--json")).stdout)).id, id);
    const other = await purser(path.join(project, "README.md"));
    assert.deepEqual([other.code, other.stdout], [1, ""]);
    assert.match(other.stderr, /README\.md is not the document of a handover/u);
    const byId = handoverJson.parse(JSON.parse((await purser(session.slice(0, 8), "--json")).stdout));
    assert.equal(byId.session, session);
    assert.equal(handoverJson.parse(JSON.parse((await purser("current", "--json")).stdout)).session, session);
  });

  it("starts the named agent in the project with the current document, and ends with its exit code", async (t) => {
    const { purser, agent, begun, project } = place(t);
    agent("codex");
    const { stdout } = await purser("--print");
    const [, id = ""] = /^Handover (h[\da-f]{8})/u.exec(stdout) ?? [];
    const started = await purser(id, "--to", "codex", "--start");
    assert.deepEqual([started.code, started.stderr], [3, ""]);
    assert.deepEqual(begun(), { name: "codex", args: ["exec", stdout], cwd: project, inside: null });
    const json = handoverJson.parse(JSON.parse((await purser(id, "--json")).stdout));
    assert.equal(json.to, "codex");
  });

  it("starts nothing on another branch or without the program, and names the remedy", async (t) => {
    const { purser, agent, git, project } = place(t);
    const missing = await purser("--to", "gemini", "--start");
    assert.equal(missing.code, 1);
    assert.match(
      missing.stderr,
      /^purser handover: Gemini CLI was not found \(no gemini in the PATH\)\. The document is /u,
    );
    agent("claude");
    const { stdout } = await purser("--print");
    const [, id = ""] = /^Handover (h[\da-f]{8})/u.exec(stdout) ?? [];
    writeFileSync(path.join(project, "new.ts"), "");
    git("checkout", "-q", "-b", "other");
    const refused = await purser(id, "--start");
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /the work is on the branch login, and .*argo has other checked out; check out the first/u,
    );
    git("checkout", "-q", "login");
    const late = await purser(id, "--start");
    assert.equal(late.code, 3);
    assert.match(late.stderr, /^The document is out of date, and says so: uncommitted files changed\.\n$/u);
  });

  it("lets the user's own agent summarize it, after showing its highest price and asking", async (t) => {
    const { purser, box, programs } = place(t);
    const answer = {
      is_error: false,
      result: "The form of `login` is mended; `ghost.ts` is not.",
      usage: { input_tokens: 10, output_tokens: 90, cache_creation_input_tokens: 1000 },
    };
    const asked = path.join(box.folder, "asked");
    writeFileSync(
      path.join(programs, "claude"),
      `#!/bin/sh\necho asked >> '${asked}'\necho '${JSON.stringify(answer)}'\n`,
      { mode: 0o755 },
    );
    const document = await purser("--json");
    const { id, file } = handoverJson.parse(JSON.parse(document.stdout));
    const off = await purser(id, "--improve", "--yes");
    assert.deepEqual([off.code, off.stdout], [1, ""]);
    assert.match(off.stderr, /set one, such as claude-haiku-4-5, as continuityImproveWith in/u);

    const settings = path.join(box.folder, ".purser", "settings.json");
    writeFileSync(settings, '{ "continuityImproveWith": "claude-haiku-4-5" }', { mode: 0o600 });
    await waitUntil(async () => (await purser(id, "--improve", "--preview")).code === 0);
    const preview = await purser(id, "--improve", "--preview");
    assert.ok(preview.stdout.endsWith(`${readFileSync(file, "utf8").trim()}\n`));
    const alone = await purser(id, "--improve");
    assert.match(alone.stderr, /no terminal to ask in; --yes spends it without asking/u);
    const refused = await purser.at({ answer: "\n" }, id, "--improve");
    assert.match(refused.stderr, /declined; nothing was spent/u);
    assert.ok(!existsSync(asked));

    const agreed = await purser.at({ answer: "y\n" }, id, "--improve");
    assert.deepEqual([agreed.code, agreed.stderr], [0, ""]);
    assert.match(
      agreed.stdout,
      /^One call of claude-haiku-4-5 summarizes it: about [\d.]+k? input and at most 1,500 output tokens, at most ~\$0\.00\d\. Only the document is sent\.\nAsk claude-haiku-4-5 once\? \(y\/N\) claude-haiku-4-5 was called once: 1,100 tokens, ~\$0\.002\. .*\nIt mentions what the rest of the document does not: ghost\.ts\.\n/u,
    );
    assert.match(
      readFileSync(file, "utf8"),
      /\n\n## In short\n\n[^]*> The form of `login` is mended; `ghost\.ts` is not\.\n\n## Goal\n/u,
    );
    assert.equal(readFileSync(asked, "utf8"), "asked\n");
  });

  it("reports wrong arguments", async (t) => {
    const { purser } = place(t);
    assert.equal((await purser("--to", "cursor")).code, 2);
    assert.equal((await purser("--print", "--start")).code, 2);
    assert.equal((await purser("--yes")).code, 2);
    const unknown = await purser("no-such-session");
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, 'purser handover: nothing is known of the session "no-such-session"\n'],
    );
    assert.match((await purser("h00000000")).stderr, /there is no handover "h00000000" of the last 30 days/u);
    assert.match((await purser("--help")).stdout, /^purser handover: hand a session's work over/u);
  });
});
