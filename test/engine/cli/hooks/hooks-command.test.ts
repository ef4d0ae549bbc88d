import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, it } from "node:test";
import { eventReasons } from "../../../../src/engine/cli/hooks/describe-hooks.ts";
import { eventsFor } from "../../../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { hookPrograms } from "../../../../src/engine/hooks/program.ts";
import { cellsOf } from "../../../../src/engine/cli/text-cells.ts";
import type { CliHost } from "../../../../src/engine/cli/cli-ports.ts";
import { hookRepairJson, hooksJson, type HooksJson } from "../../../../src/engine/cli/hooks/hooks-schema.ts";
import { Scratch, type Printed } from "../support/support.ts";

const token = "a-token-nobody-may-see";
const before = `{\n  "model": "opus" // the large one\n}\n`;

describe("purser hooks", () => {
  let scratch: Scratch;
  let settings: string;
  let project: string;
  /** Output of programs in the `PATH`. */
  let said: Record<string, string>;
  const isPosix = process.platform !== "win32";

  beforeEach(() => {
    scratch = new Scratch();
    settings = path.join(scratch.root, ".claude", "settings.json");
    project = path.join(scratch.root, "argo");
    mkdirSync(path.join(project, ".git"), { recursive: true });
    mkdirSync(path.dirname(settings));
    writeFileSync(settings, before);
    const home = path.join(scratch.root, ".purser");
    mkdirSync(home, { mode: 0o700 });
    said = { node: "v24.1.0\n" };
    writeFileSync(path.join(home, "settings.json"), `{"hookPosting":"always"}`);
    writeFileSync(path.join(home, "hooks.json"), JSON.stringify({ port: 41_234, token }), { mode: 0o600 });
  });
  afterEach(() => {
    scratch.dispose();
  });

  function purser(argv: string[], host: Partial<CliHost> & { isTTY?: boolean } = {}): Promise<Printed> {
    const run = (program: string) => Promise.resolve(said[program] ?? null);
    return scratch.purser(["hooks", ...argv], { env: {}, cwd: project, run, ...host });
  }

  async function json(...argv: string[]): Promise<HooksJson> {
    const { stdout } = await purser([...argv, "--json"]);
    return hooksJson.parse(JSON.parse(stdout));
  }

  it("shows the change, asks, and makes it on a yes", async () => {
    for (const [answer, isMade] of [
      ["n", false],
      ["", false],
      ["d\nno", false],
      ["d\nyes", true],
    ] as const) {
      const stdin = Object.assign(new PassThrough(), { isTTY: true });
      stdin.end(`${answer}\n`);
      const { code, stdout } = await purser(["install"], { isTTY: true, stdin: () => stdin });
      assert.equal(code, isMade ? 0 : 1);
      const [benefit, entries] = stdout.split("\n");
      assert.equal(
        benefit,
        "Claude Code will know how full its context is, and budgets can stop it in time.",
      );
      assert.match(entries ?? "", /^\d\d entries in .*settings\.json, each calls purser's hook$/u);
      assert.match(stdout, /Install these hooks\? \(y\/N, d: show each line that changes\) /u);
      assert.equal(/^\+ {2}"hooks": \{$/mu.test(stdout), answer.startsWith("d"));
      assert.doesNotMatch(stdout, new RegExp(token, "u"));
      assert.equal(readFileSync(settings, "utf8") === before, !isMade);
    }
  });

  it("refuses when it cannot ask, and names the remedy", async () => {
    const { code, stderr } = await purser(["install"]);
    assert.equal(code, 2);
    assert.match(stderr, /--yes does it without asking, --dry-run shows it/u);
    const machine = await purser(["install", "--json"], { isTTY: true });
    assert.equal(machine.code, 2);
    assert.equal(readFileSync(settings, "utf8"), before);
  });

  it("changes nothing when it only shows", async () => {
    const { code, stdout } = await purser(["install", "--dry-run", "--diff"]);
    assert.equal(code, 0);
    assert.match(stdout, /^\+ {6}\{$/mu);
    const short = await purser(["install", "--dry-run"]);
    assert.doesNotMatch(short.stdout, /^\+/mu);
    assert.match(short.stdout, /^--diff shows each line that changes\.$/mu);
    assert.match(stdout, /Nothing was changed$/mu);
    assert.equal(readFileSync(settings, "utf8"), before);
    assert.ok(!existsSync(`${settings}.purser-backup-1`));
  });

  it("installs and removes the skill check-tokens, and no other skill", async () => {
    const skill = path.join(path.dirname(settings), "skills", "check-tokens", "SKILL.md");
    const { stdout } = await purser(["install", "--yes", "--diff"]);
    assert.match(stdout, /SKILL\.md is written, which the hooks come with$/mu);
    assert.match(stdout, /^\+name: check-tokens$/mu);
    assert.match(readFileSync(skill, "utf8"), /status --session \$\{CLAUDE_SESSION_ID\} --json/u);
    assert.deepEqual((await json("status")).files[0]?.skill, { file: skill, state: "installed" });
    assert.equal((await json("install", "--yes")).files[0]?.change?.isNeeded, false);
    await json("uninstall", "--yes");
    assert.ok(!existsSync(path.join(path.dirname(settings), "skills")));
    assert.equal(readFileSync(settings, "utf8"), before);
    mkdirSync(path.dirname(skill), { recursive: true });
    writeFileSync(skill, "mine");
    const printed = await purser(["install", "--yes"]);
    assert.match(printed.stdout, /SKILL\.md is not purser's or was changed, so it was left as it is\./u);
    await json("uninstall", "--yes");
    assert.equal(readFileSync(skill, "utf8"), "mine");
  });

  it("chains the status line on request or by setting, and restores it to the byte", async () => {
    const mine = `{"statusLine": {"type": "command",\t"command": "line.sh"}}`;
    writeFileSync(settings, mine);
    assert.equal((await json("install", "--yes")).files[0]?.hasStatusLine, false);
    const installed = await json("install", "--status-line", "--yes");
    assert.deepEqual([installed.files[0]?.hasStatusLine, installed.files[0]?.state], [true, "installed"]);
    assert.match(readFileSync(settings, "utf8"), /status-line\.(?:ts|cjs)/u);
    assert.equal((await json("install", "--yes")).files[0]?.change?.isNeeded, false);
    await json("uninstall", "--yes");
    assert.equal(readFileSync(settings, "utf8"), mine);
    writeFileSync(
      path.join(scratch.root, ".purser", "settings.json"),
      `{"statusLine": true, "hookPosting": "always"}`,
    );
    assert.equal((await json("install", "--yes")).files[0]?.hasStatusLine, true);
    await json("uninstall", "--yes");
    assert.equal(readFileSync(settings, "utf8"), mine);
  });

  it("installs once, and takes out to the byte", async () => {
    const installed = await json("install", "--yes");
    const [file] = installed.files;
    assert.equal(file?.state, "installed");
    assert.equal(file.isPosted, true);
    assert.equal(file.change?.backup, `${settings}.purser-backup-1`);
    assert.match(
      file.notes.map(({ text }) => text).join("\n"),
      /has comments: Claude Code does not accept it as JSON/u,
    );
    assert.match(readFileSync(settings, "utf8"), new RegExp(`Bearer ${token}`, "u"));
    if (isPosix) assert.equal(statSync(settings).mode & 0o777, 0o600);
    const again = await purser(["install", "--yes"]);
    assert.match(again.stdout, /already has purser's hooks; nothing was changed/u);
    const { code, stdout } = await purser(["uninstall", "--yes"]);
    assert.equal(code, 0);
    assert.match(stdout, /^purser's entries are removed from .*settings\.json$/mu);
    assert.match(stdout, /Claude Code no longer has purser's hooks in /u);
    assert.equal(readFileSync(settings, "utf8"), before);
    assert.ok(!existsSync(`${settings}.purser-backup-1`));
    const none = await purser(["uninstall", "--yes"]);
    assert.match(none.stdout, /has no purser hooks; nothing was changed/u);
  });

  it("repairs hooks when the port is another one", async () => {
    await purser(["install", "--yes"]);
    writeFileSync(path.join(scratch.root, ".purser", "hooks.json"), JSON.stringify({ port: 29_999, token }));
    assert.equal((await json("status", "--agent", "claude", "--scope", "user")).files[0]?.state, "outdated");
    const { stdout } = await purser(["install", "--yes", "--diff"]);
    assert.match(stdout, /^-.*41234/mu);
    assert.match(stdout, /^\+.*29999/mu);
    await purser(["uninstall", "--yes"]);
    assert.equal(readFileSync(settings, "utf8"), before);
  });

  it("repairs installations anywhere on this machine, lists the changes, and with a dry run only lists them", async () => {
    const dist = path.join(scratch.root, "package", "dist");
    mkdirSync(dist, { recursive: true });
    writeFileSync(path.join(dist, "hook.cjs"), "");
    writeFileSync(path.join(dist, "..", "package.json"), `{"version":"1.2.3"}`);
    const service = { program: path.join(dist, "service.cjs"), execPath: "/no-runtime", isElectron: false };
    const elsewhere = { cwd: scratch.root, service };
    await purser(["install", "--yes"], { service });
    await purser(["install", "--yes", "--scope", "local"], { service });
    writeFileSync(path.join(scratch.root, ".purser", "hooks.json"), JSON.stringify({ port: 29_999, token }));
    const installed = readFileSync(settings, "utf8");
    const dry = await purser(["repair", "--dry-run"], elsewhere);
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /would be fixed: they were posted to an address of before/u);
    assert.match(dry.stdout, /^\+.*29999/mu);
    assert.doesNotMatch(dry.stdout, new RegExp(token, "u"));
    assert.equal(readFileSync(settings, "utf8"), installed);
    const { stdout } = await purser(["repair", "--json"], elsewhere);
    const { repairs } = hookRepairJson.parse(JSON.parse(stdout));
    assert.deepEqual(
      repairs.map(({ agent, scope, outcome }) => [agent, scope, outcome]),
      [["claude", "user", "repaired"]],
    );
    assert.match(readFileSync(settings, "utf8"), /127\.0\.0\.1:29999/u);
    assert.match(
      (await purser(["repair"], elsewhere)).stdout,
      /^All hooks installed on this machine are fine\n$/u,
    );
    await purser(["uninstall", "--yes"]);
    assert.equal(readFileSync(settings, "utf8"), before);
  });

  it("never writes the token into what is shared", async () => {
    for (const argv of [
      ["--scope", "project"],
      ["--scope", "local"],
      ["--agent", "codex"],
      ["--agent", "copilot"],
      ["--agent", "copilot", "--scope", "project"],
    ]) {
      const { files } = await json("install", "--yes", ...argv);
      assert.equal(files[0]?.state, "installed", argv.join(" "));
      assert.equal(files[0].isPosted, false);
      assert.doesNotMatch(readFileSync(files[0].file, "utf8"), new RegExp(token, "u"));
      await purser(["uninstall", "--yes", ...argv]);
      assert.ok(!existsSync(files[0].file));
    }
    mkdirSync(path.join(scratch.root, ".git"));
    const { files } = await json("install", "--yes");
    assert.match(
      files[0]?.notes.map(({ text }) => text).join("\n") ?? "",
      /under version control, so the token stays out of it/u,
    );
    assert.doesNotMatch(readFileSync(settings, "utf8"), new RegExp(token, "u"));
  });

  it("does not post if others can log in, the user objects, or the agent cannot; gives the reason", async () => {
    const set = (posting: string) =>
      writeFileSync(path.join(scratch.root, ".purser", "settings.json"), `{"hookPosting":"${posting}"}`);
    const reported = async () => {
      const [file] = (await json("install", "--dry-run")).files;
      assert.doesNotMatch(file?.change?.diff ?? "", /"http"|Bearer/u);
      return file?.notes.map(({ text }) => text).join("\n") ?? "";
    };
    set("never");
    assert.match(await reported(), /hookPosting is "never".*every hook starts a process/u);
    set("always");
    said["claude"] = "2.1.60 (Claude Code)";
    assert.match(await reported(), /posts no hooks before 2\.1\.63/u);
    assert.match(await reported(), /2\.1\.60 does not report .*PostCompact/u);
    said["claude"] = "2.1.200 (Claude Code)";
    const { files } = await json("install", "--dry-run");
    assert.match(
      files[0]?.notes.map(({ text }) => text).join("\n") ?? "",
      /hookPosting is "always".*A prompt.*start a process/u,
    );
    assert.match(
      files[0]?.notes.map(({ text }) => text).join("\n") ?? "",
      /Claude Code 2\.1\.200 does not report PreSkillShellCommand and PostModelSwitch/u,
    );
    said["codex"] = "codex-cli 0.100.1";
    const codex = await json("install", "--dry-run", "--agent", "codex");
    assert.match(
      codex.files[0]?.notes.map(({ text }) => text).join("\n") ?? "",
      /Codex 0\.100\.1 is older than 0\.169\.0/u,
    );
  });

  it("installs nothing where no Node would run it, unless that is meant", async () => {
    for (const [node, why] of [
      ["", /there is no "node" in your PATH; --anyway installs them anyway/u],
      ["v18.20.1", /the one in your PATH is 18\.20\.1/u],
    ] as const) {
      said["node"] = node;
      const { code, stderr } = await purser(["install", "--yes"]);
      assert.equal(code, 1);
      assert.match(stderr, why);
      assert.equal(readFileSync(settings, "utf8"), before);
      assert.match((await purser(["install", "--dry-run"])).stdout, /Warning: command hooks need Node/u);
    }
    assert.equal((await purser(["install", "--yes", "--anyway"])).code, 0);
    assert.notEqual(readFileSync(settings, "utf8"), before);
  });

  it("names what forbids hooks", async () => {
    const local = path.join(project, ".claude", "settings.local.json");
    mkdirSync(path.dirname(local));
    writeFileSync(local, `{"disableAllHooks":true}`);
    const { code, stderr } = await purser(["install", "--yes"]);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /Warning: Claude Code will not run purser's hooks: disableAllHooks in .*settings\.local\.json/u,
    );
  });

  it("reports another file of the same agent with purser's hooks", async () => {
    await purser(["install", "--yes"]);
    const { stdout } = await purser(["install", "--yes", "--scope", "local"]);
    assert.match(
      stdout,
      /settings\.json has purser's hooks too, so events in this project are reported twice/u,
    );
  });

  it("starts every hook as a process where no service has answered yet", async () => {
    chmodSync(path.join(scratch.root, ".purser", "hooks.json"), 0o644);
    const { files } = await json("install", "--dry-run");
    assert.match(
      files[0]?.notes.map(({ text }) => text).join("\n") ?? "",
      /No service has answered hooks here yet/u,
    );
    assert.doesNotMatch(files[0]?.change?.diff ?? "", /"http"/u);
  });

  it("refuses a file that does not parse, with the position and the remedy", async () => {
    writeFileSync(settings, `{\n"a":\n`);
    const { code, stderr } = await purser(["install", "--yes"]);
    assert.equal(code, 1);
    assert.match(stderr, /settings\.json: line 3 is not JSON; fix it first; nothing was changed/u);
    assert.equal(readFileSync(settings, "utf8"), `{\n"a":\n`);
  });

  it("shows all that is installed", async () => {
    await purser(["install", "--yes", "--agent", "copilot", "--scope", "project"]);
    const { code, stdout } = await purser(["status"]);
    assert.equal(code, 0);
    assert.match(stdout, /^copilot +project +installed +Node +10 +.*purser\.json$/mu);
    assert.match(stdout, /^claude +user +– +– +– /mu);
    assert.match(stdout, /^PreToolUse +judges a call before it runs, and holds it to budgets$/mu);
    const { files, reasons } = await json("status");
    assert.equal(files.length, 9);
    assert.deepEqual(
      reasons.map(({ event }) => event).toSorted(),
      files.flatMap(({ events }) => events).toSorted(),
    );
  });

  it("names a reason for every event of every agent", () => {
    const events = hookPrograms.flatMap((program) => eventsFor(program));
    assert.deepEqual(Object.keys(eventReasons).toSorted(), [...new Set(events)].toSorted());
  });

  it("passes hooks on with curl where it can reach the service's socket", { skip: !isPosix }, async () => {
    for (const [curl, way] of [
      ["curl 8.5.0\nFeatures: SSL UnixSockets\n", "curl"],
      ["curl 7.30.0\nFeatures: SSL\n", "node"],
    ] as const) {
      said = { ...said, curl };
      await purser(["install", "--yes", "--agent", "gemini"]);
      const { files } = await json("status", "--agent", "gemini", "--scope", "user");
      assert.deepEqual([files[0]?.way, files[0]?.state], [way, "installed"]);
    }
  });

  it("shows what is not run, and what hooks can do with each agent", async () => {
    await purser(["install", "--yes", "--agent", "codex"]);
    const { stdout } = await purser(["status"]);
    assert.match(stdout, /^codex +user +not run: unreviewed +Node +\d+ +.*hooks\.json$/mu);
    assert.match(
      stdout,
      /Codex skips all of these hooks, which have not been reviewed; review them: \/hooks in Codex\./u,
    );
    assert.match(stdout, /^What hooks can do +claude +codex +copilot +gemini +vscode$/mu);
    assert.match(stdout, /^warnings in its context(?: +✓){5}$/mu);
    assert.match(stdout, /^turns ended by budgets +✓ +– +– +✓ +/mu);
    assert.match(stdout, /^facts named before a compaction +✓ +\S +\S +– +/mu);
    let narrow = "";
    const terminal = {
      isTTY: true,
      columns: 80,
      write: (text: string | Uint8Array) => (narrow += String(text)),
    };
    await purser(["status"], { stdout: terminal });
    const lines = stripVTControlCharacters(narrow).split("\n");
    assert.ok(lines.length > 25);
    assert.deepEqual(
      lines.filter((line) => cellsOf(line) > 80),
      [],
    );
    const { files, agents } = await json("status");
    const codex = files.find(({ agent, scope }) => agent === "codex" && scope === "user");
    assert.deepEqual(codex?.skipped?.unreviewed, codex?.events);
    for (const { works, lacks } of agents) assert.equal(works.length + lacks.length, 11);
    assert.deepEqual(
      (await json("status", "--agent", "codex")).agents.map(({ agent }) => agent),
      ["codex"],
    );
  });

  for (const [argv, message] of [
    [["install", "--agent", "cursor"], /--agent "cursor" is not one of claude, codex, copilot, gemini/u],
    [["install", "--scope", "all"], /--scope "all" is not one of user, project, local/u],
    [["install", "--scope", "local", "--agent", "codex", "--yes"], /codex has no local scope/u],
    [["status", "--yes"], /unknown option/u],
    [["remove"], /unknown subcommand "remove"/u],
  ] as const)
    it(`reports wrong arguments: ${argv.join(" ")}`, async () => {
      const { code, stderr } = await purser([...argv]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    });

  it("helps", async () => {
    const { code, stdout } = await purser(["--help"]);
    assert.equal(code, 0);
    assert.match(stdout, /purser hooks uninstall/u);
    assert.equal((await purser(["install", "--help"])).stdout, stdout);
    assert.equal((await purser([])).code, 0);
  });
});
